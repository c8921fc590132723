"""One layer whose parts can be swapped for those of today; beside each part a lane with the losses that trainings with
it came to.

One part is swapped at a time, or all of them: a combination that was not trained has no loss.
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

    name    the switch, or ALL;  title: what it is;  act: what a button says that swaps it
    when    whose the other way is, "today" or "yours"
    ways    how it was built in 2017, and how it is or would be;  notes: each of them in a sentence
    kinds   both ways as the drawings call them; of ALL a list of those for each, and their labels: both lists
    parts   of ALL, the names of the parts whose ways these are: today's six, or those that have a row
    losses  of the trainings with the other way, by seed; [] where they diverged, None where there were none
    clear   whether their mean differs from that of 2017's block by more than seeds do
    verdict what the trainings say, in a few words;  finding: in a sentence
    """

    name: str
    title: str
    act: str
    when: str
    ways: tuple[str, str]
    notes: tuple[str, str]
    kinds: tuple[Any, Any]
    labels: tuple[list[str], list[str]] | None
    parts: list[str] | None
    losses: Sequence[float] | None
    clear: bool
    verdict: str
    finding: str


def payload(
    stops: Sequence[Stop], of_2017: Sequence[float], margin: float, shown: str, usual: str, *, question: str
) -> dict[str, Any]:
    """What the browser draws.

    of_2017  the losses of the block with which each is compared, by seed;  margin: their standard deviation
    shown    the part that is swapped, ALL, or CHART;  usual: the one that an address need not name, "" if it names each
    question what is said while no part is swapped
    """
    return {
        "stops": [stop._asdict() for stop in stops],
        "of_2017": list(of_2017),
        "margin": margin,
        "shown": shown,
        "usual": usual,
        "question": question,
    }


def two_blocks(
    data: dict[str, Any], *, key: str, on_press: Callable[[], None], on_exchange: Callable[[], None]
) -> None:
    """Put them on the page.

    on_press     is called once the session's entry of this key has as "press" the name of a part that is to be swapped,
                 ALL, or CHART
    on_exchange  is called once it has as "exchange" the name of a part that was pressed in the visitor's own block
    """
    _mount(data=data, key=key, on_press_change=on_press, on_exchange_change=on_exchange)
