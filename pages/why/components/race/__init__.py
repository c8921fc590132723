"""The race: the same text in four networks, and in each the news of word 1 on its way to the last output, by ticks."""

from collections.abc import Mapping
from pathlib import Path

from lab.kit.components import component
from transformer import inspection

_mount = component("race", Path(__file__).parent)


def race(paths: "Mapping[str, inspection.paths.MaximumPath]", *, key: str) -> None:
    """Put it on the page: the path through each network, by its name."""
    _mount(data={"networks": [_plain(name, path) for name, path in paths.items()]}, key=key)


def _plain(name: str, path: "inspection.paths.MaximumPath") -> dict:
    """What the browser draws: nodes are [layer, position], from 0."""
    return {
        "name": name,
        "n": path.n,
        "layers": path.n_layers,
        "connected": path.connected,
        "edges": [[*source, *reader] for source, reader in path.edges],
        "path": [list(node) for node in path.path],
    }
