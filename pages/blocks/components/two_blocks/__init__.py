"""A tower of layers that is pulled up, changes since 2017 that are dragged into it, and what so tall a model writes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lab.kit.components import component

_mount = component("two_blocks", Path(__file__).parent)
ALL = "all"  # every change at once


class Run(NamedTuple):
    """right: the share of next words that each training got right; () where they diverged. written: by the first."""

    right: Sequence[float]
    written: str


class Stop(NamedTuple):
    """A change that can be made, none, or all of them.

    name     the switch, ALL, or "" for none;  says: what is done, in plain words;  term: what it is called
    was      what stood there in 2017
    kind     the new way, as its drawing is called, or several with commas between them; "" of none
    heights  what so many layers came to, from one layer on; None where there was no training
    """

    name: str
    says: str
    term: str
    was: str
    kind: str
    heights: Sequence[Run | None]


def payload(stops: Sequence[Stop], own: str, opening: str, usual: int) -> dict[str, Any]:
    """What the browser draws.

    own  the change that the visitor has built, ALL, or "" for none;  opening: of the text that models go on with
    usual  the layers with which it opens
    """
    sent = [stop._asdict() | {"heights": [run and run._asdict() for run in stop.heights]} for stop in stops]
    return {"stops": sent, "own": own, "opening": opening, "usual": usual}


def two_blocks(data: dict[str, Any], *, key: str) -> None:
    """Put them on the page."""
    _mount(data=data, key=key)
