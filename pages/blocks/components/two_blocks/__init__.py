"""One layer, drawn as a machine whose parts can be swapped for those of today; beside it a gauge with the loss that
trainings came to.

One part is swapped at a time, or all of them: a combination that was not trained has no loss. Instead of the machine,
both ways to build a part can be seen as large drawings.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lab.kit.components import component

_mount = component("two_blocks", Path(__file__).parent)
ALL = "all"  # every part at once
CHART = "chart"  # no part is swapped: the layer of 2017


class Stop(NamedTuple):
    """A part that can be swapped, or all of them.

    name    the switch, or ALL;  title: what it is;  called: a block with the other way, in a sentence;  act: what a
            button says that swaps it
    when    whose the other way is, "today" or "yours"
    ways    how it was built in 2017, and how it is or would be;  notes: each of them in a sentence
    kinds   both ways as the drawings call them; of ALL a list of those for each, and their labels: both lists
    parts   of ALL, the names of the parts whose ways these are: today's six, or those that have a row
    losses  of the trainings with the other way, by seed; [] where they diverged, None where there were none
    change  by what share their mean differs from that of 2017's block, "" where there is none;  clear: whether by more
            than seeds do;  margin: how far from that of 2017's a mean has to lie for this
    finding what the trainings say, in a sentence;  cost: what a block with the other way costs, in a phrase
    """

    name: str
    title: str
    called: str
    act: str
    when: str
    ways: tuple[str, str]
    notes: tuple[str, str]
    kinds: tuple[Any, Any]
    labels: tuple[list[str], list[str]] | None
    parts: list[str] | None
    losses: Sequence[float] | None
    change: str
    clear: bool
    margin: float
    finding: str
    cost: str


def payload(
    stops: Sequence[Stop], of_2017: Sequence[float], margin: float, shown: str, usual: str, *, question: str
) -> dict[str, Any]:
    """What the browser draws.

    of_2017  the losses of the block with which each is compared, by seed;  margin: how far they spread
    shown    the part that is swapped, ALL, or CHART;  usual: the one that an address need not name, "" if it names each
    question what is said while no part is swapped
    """
    losses = [*of_2017, *(loss for stop in stops for loss in stop.losses or ())]
    return {
        "stops": [stop._asdict() for stop in stops],
        "of_2017": list(of_2017),
        "margin": margin,
        "shown": shown,
        "usual": usual,
        "question": question,
        "largest": max(losses),
    }


def two_blocks(data: dict[str, Any], *, key: str, on_press: Callable[[], None]) -> None:
    """Put them on the page; `on_press` is called once the session's entry of this key has as "press" the name of a part
    that is to be swapped, ALL, or CHART. Whether drawings are seen is in the address as blocks_drawings."""
    _mount(data=data, key=key, on_press_change=on_press)
