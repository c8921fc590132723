"""One part of a block as it was built in 2017 and as it is today, side by side, and what models came to that were
trained with the one and with the other.

A strip of names leads to the other parts, and at its end to the whole block.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lab.kit.components import component

_mount = component("two_blocks", Path(__file__).parent)
ALL = "all"  # the last stop of the strip: every part at once


class Stop(NamedTuple):
    """A part that can be exchanged, or all of them.

    name    the switch, or ALL;  title: as it stands in the strip;  when: whose the other way is, "today" or "yours"
    ways    how it was built in 2017, and how it is or would be;  notes: each of them in a sentence
    kinds   both ways as the drawings call them; of ALL a list of those for each, and their labels: both lists
    losses  of the trainings with the other way, by seed; [] where they diverged, None where there were none
    finding what the trainings say, in a sentence;  cost: what a block with the other way costs, in a phrase
    """

    name: str
    title: str
    when: str
    ways: tuple[str, str]
    notes: tuple[str, str]
    kinds: tuple[Any, Any]
    labels: tuple[list[str], list[str]] | None
    losses: Sequence[float] | None
    finding: str
    cost: str


def payload(stops: Sequence[Stop], of_2017: Sequence[float], shown: str, *, usual: str) -> dict[str, Any]:
    """What the browser draws.

    of_2017  the losses of the block with which each is compared, by seed
    shown    the stop that is open;  usual: the one that is open at first
    """
    losses = [*of_2017, *(loss for stop in stops for loss in stop.losses or ())]
    return {
        "stops": [stop._asdict() for stop in stops],
        "of_2017": list(of_2017),
        "shown": shown,
        "usual": usual,
        "range": [min(losses), max(losses)],
    }


def two_blocks(data: dict[str, Any], *, key: str, on_press: Callable[[], None]) -> None:
    """Put them on the page; `on_press` is called once the session's entry of this key has as "press" the name of a stop
    that is to be open."""
    _mount(data=data, key=key, on_press_change=on_press)
