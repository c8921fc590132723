"""The race: the same sentence in four networks, and in each the news of one of its words on its way to the output at
another, by ticks."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from lab.kit.components import component
from transformer import inspection

_mount = component("race", Path(__file__).parent)


def race(
    paths: "Mapping[str, inspection.paths.MaximumPath]",
    *,
    k: int,
    words: Sequence[str],
    sees: Mapping[str, str],
    within: str = "",
    key: str,
) -> None:
    """Put it on the page: the networks by name, as deep as the longest way needs; the words that they read, and in
    `sees` how many of them each network of width k sees in a step. within: what attention is kept in, where it is, such
    as " in a window"."""
    networks = [_plain(name, path, k) | {"sees": sees[name]} for name, path in paths.items()]
    _mount(data={"networks": networks, "words": list(words), "within": within}, key=key)


def _plain(name: str, path: "inspection.paths.MaximumPath", k: int) -> dict:
    """What the browser draws: an edge leads from [layer, position] to [layer, position], both from 0."""
    graph = inspection.paths.graph_of(path.network, path.n, k, path.n_layers)
    return {
        "name": name,
        "n": path.n,
        "layers": path.n_layers,
        "edges": [[*source, *reader] for reader, sources in graph.items() for source in sources],
    }
