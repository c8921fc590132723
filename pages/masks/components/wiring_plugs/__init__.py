"""One attention and its three cables: queries, keys and values, each plugged into the encoder or the decoder; and the
map of attention weights that comes of it.

A plug is dragged, clicked or moved with the keyboard; those that were moved come back as pairs [port, stream], which
are checked here.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lab.kit.components import component, sent

PORTS = ("queries", "keys", "values")
STREAMS = ("encoder", "decoder")
_mount = component("wiring_plugs", Path(__file__).parent)


class Map(NamedTuple):
    """Who looks at whom, if queries and keys come from these streams.

    rows     T words that look
    columns  S words that are looked at
    weights  (T, S) attention weights
    allowed  (T, S), False where a mask blocks
    who      whose weights these are, in a few words
    writes   whether a row is named for the word that is written there, and not for the one that is read
    """

    queries: str
    keys: str
    rows: Sequence[str]
    columns: Sequence[str]
    weights: np.ndarray
    allowed: np.ndarray
    who: str
    writes: bool = False

    @property
    def plain(self) -> dict[str, Any]:
        """As the browser reads it; what is blocked is null."""
        cells = np.where(self.allowed, np.round(self.weights.astype(float), 4), np.nan)
        weights = [[None if np.isnan(weight) else weight for weight in row] for row in cells.tolist()]
        names = {"rows": list(self.rows), "columns": list(self.columns), "writes": self.writes}
        return {"queries": self.queries, "keys": self.keys, **names, "weights": weights, "who": self.who}


def wiring_plugs(
    sources: Mapping[str, str],
    lengths: Mapping[str, int],
    n_outputs: int | None,
    home: str,
    name: str,
    *,
    words: Mapping[str, Sequence[str]],
    maps: Sequence[Map],
    unheard: Map | None,
    written: Mapping[str, str],
    key: str,
    alt: str,
    on_plug: Callable[[], None],
) -> None:
    """Show it.

    sources    "queries", "keys", "values" -> the stream that feeds them
    lengths    "encoder", "decoder" -> number of its vectors
    n_outputs  vectors that come out, None if nothing can
    home       the stream whose residual connection they are meant for
    name       of the attention that this is, "" if it is none of the three
    words      "encoder", "decoder" -> the words of its vectors
    maps       one for every pair of streams, so that a plug shows what it does before the server has answered
    unheard    the map of the text that the translator writes with keys and values from its own text; None for others
    written    "encoder", "decoder" -> what the translator writes with keys and values from there; {} for another model
    on_plug    called after plugs were moved; plugged(key) then says which
    """
    data = {
        "sources": dict(sources),
        "lengths": dict(lengths),
        "outputs": n_outputs,
        "home": home,
        "name": name,
        "words": {stream: list(tokens) for stream, tokens in words.items()},
        "maps": [one.plain for one in maps],
        "unheard": None if unheard is None else unheard.plain,
        "written": dict(written),
        "alt": alt,
    }
    _mount(data=data, key=key, on_plug_change=on_plug)


def plugged(key: str) -> dict[str, str]:
    """The ports whose plugs were just moved, each with the stream that it is in now; {} for anything else."""
    moved = sent(key, "plug", list) or []
    return {port: stream for port, stream in _pairs(moved) if port in PORTS and stream in STREAMS}


def _pairs(moved: list[Any]) -> list[tuple[str, str]]:
    """Those that are a pair of texts: a browser may send anything."""
    return [(pair[0], pair[1]) for pair in moved if isinstance(pair, list) and [type(x) for x in pair] == [str, str]]
