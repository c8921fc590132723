"""One part of a block as it was built in 2017 and as it is today, side by side; pressed, the one takes the place of the
other, and the loss of a model that was trained so moves.

A strip of names leads to the other parts, and at its end to the whole block.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lab.kit.components import component

_mount = component("two_blocks", Path(__file__).parent)
ALL = "all"  # the last stop of the strip: every part at once


class Effect(NamedTuple):
    """One number of a block: what it is called, what it is, and by how much it differs from that of 2017's block."""

    name: str
    number: str
    growth: str


class Side(NamedTuple):
    """A block that was built in one of both ways.

    losses   of the trainings of such a model, by seed; [] where they diverged, None where there were none
    verdict  what the trainings say, in a sentence
    effects  what such a block costs
    """

    losses: Sequence[float] | None
    verdict: str
    effects: Sequence[Effect]


class Stop(NamedTuple):
    """A part that can be exchanged, or all of them.

    name    the switch, or ALL;  title: as it stands in the strip;  when: whose the other way is, "today" or "yours"
    ways    how it was built in 2017, and how it is or would be;  notes: each of them in a sentence
    kinds   both ways as the drawings call them; of ALL a list of those for each
    change  what today's way does to the loss, in words, "" where nobody knows;  is_clear: by more than seeds differ
    side    the block with today's way
    """

    name: str
    title: str
    when: str
    ways: tuple[str, str]
    notes: tuple[str, str]
    kinds: tuple[Any, Any]
    change: str
    is_clear: bool
    side: Side


def payload(
    stops: Sequence[Stop], of_2017: Side, shown: str, *, is_in: bool, usual: str, trained_width: int, counted_width: int
) -> dict[str, Any]:
    """What the browser draws.

    of_2017  the block with which each is compared
    shown    the stop that is open;  is_in: whether today's way is in the block;  usual: the stop that is open at first
    trained_width  of all blocks that were trained;  counted_width: of the block whose costs are counted
    """
    losses = [*(of_2017.losses or ()), *(loss for stop in stops for loss in stop.side.losses or ())]
    return {
        "stops": [stop._asdict() | {"side": _side(stop.side)} for stop in stops],
        "of_2017": _side(of_2017),
        "shown": shown,
        "is_in": is_in,
        "usual": usual,
        "trained_width": trained_width,
        "counted_width": counted_width,
        "range": [min(losses), max(losses)],
    }


def _side(side: Side) -> dict[str, Any]:
    return side._asdict() | {"effects": [effect._asdict() for effect in side.effects]}


def two_blocks(data: dict[str, Any], *, key: str, on_press: Callable[[], None]) -> None:
    """Put them on the page; `on_press` is called once the session's entry of this key has as "press" the name of a
    stop, behind which stands whether today's way is in: "norm in", "norm out"."""
    _mount(data=data, key=key, on_press_change=on_press)
