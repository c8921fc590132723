"""One attention map per scheme of positions, one of them on the stage with a row as a curve. It runs in the browser."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from attention_view.payload import as_bytes
from lab.kit.components import component, sent

FAR = "too far"  # what its door to the trained models calls

_mount = component("position_maps", Path(__file__).parent)


class Way(NamedTuple):
    """A scheme as its card has it.

    name       on screen
    says       what it does, in two to four words
    opens      whether it has a view of its own
    verdict    what is seen as a row is moved, in a few words
    finding    the same in a sentence, with its numbers
    ahead      how many words ahead the finding is about; below 0 for back
    """

    name: str
    says: str
    opens: bool = True
    verdict: str = ""
    finding: str = ""
    ahead: int = 0


def pack(maps: np.ndarray, ways: Sequence[Way]) -> bytes:
    """The bytes that the browser draws: maps (n, T, T) of attention weights, one for each way."""
    if len(maps) != len(ways) or maps.shape[1] != maps.shape[2]:
        raise ValueError(f"{maps.shape} are no square maps of {len(ways)} ways")
    return as_bytes({"ways": [way._asdict() for way in ways]}, {"maps": maps.astype("<f4")})


def position_maps(packed: bytes, *, on_open: Callable[[str], None], key: str) -> None:
    """Put them on the page; the way and the row are in the address. on_open is called with the name of a way,
    or with FAR."""

    def opened() -> None:
        if name := sent(key, "open", str):
            on_open(name)

    _mount(data=packed, key=key, on_open_change=opened)
