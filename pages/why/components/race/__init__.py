"""The race: the same sentence in four networks, and in each the news of its first word on its way to the last output,
by ticks."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from lab.kit.components import component
from transformer import inspection

_mount = component("race", Path(__file__).parent)


def race(
    paths: "Mapping[str, inspection.paths.MaximumPath]",
    *,
    words: Sequence[str],
    sees: Mapping[str, str],
    within: str = "",
    key: str,
) -> None:
    """Put it on the page: the path through each network, by its name; the words that it reads, and in `sees` how many
    of them each network sees in a step. within: what attention is kept in, where it is, such as " in a window"."""
    networks = [_plain(name, path) | {"sees": sees[name]} for name, path in paths.items()]
    _mount(data={"networks": networks, "words": list(words), "within": within}, key=key)


def _plain(name: str, path: "inspection.paths.MaximumPath") -> dict:
    """What the browser draws: nodes are [layer, position], from 0."""
    return {
        "name": name,
        "n": path.n,
        "layers": path.n_layers,
        "edges": [[*source, *reader] for source, reader in path.edges],
        "path": [list(node) for node in path.path],
    }
