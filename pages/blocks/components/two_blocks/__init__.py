"""Changes to a layer since 2017, one to be pressed at a time, and the losses that trainings with each came to.

A combination that was not trained has no loss.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lab.kit.components import component

_mount = component("two_blocks", Path(__file__).parent)
ALL = "all"  # every change at once
CHART = "chart"  # no change is made: the layer of 2017


class Stop(NamedTuple):
    """A change that can be made, or all of them.

    name    the switch, or ALL;  says: what is done, in plain words;  term: what it is called
    kind    the new way, as its drawing is called; "" of ALL
    margin  how far their mean has to lie from that of 2017's block to be told from it; 0 where there is none
    losses  of the trainings with it, by seed; [] where they diverged, None where there were none
    clear   whether their mean lies further off than that
    verdict what the trainings say, in a few words;  finding: in a sentence
    """

    name: str
    says: str
    term: str
    kind: str
    margin: float
    losses: Sequence[float] | None
    clear: bool
    verdict: str
    finding: str


def payload(
    stops: Sequence[Stop], of_2017: Sequence[float], margin: float, shown: str, usual: str, *, question: str
) -> dict[str, Any]:
    """What the browser draws.

    of_2017  the losses of the block with which each is compared, by seed;  margin: their standard deviation
    shown    the change that is made, ALL, or CHART;  usual: the one that an address need not name, "" if it names each
    question what is said while no change is made
    """
    return {
        "stops": [stop._asdict() for stop in stops],
        "of_2017": list(of_2017),
        "margin": margin,
        "shown": shown,
        "usual": usual,
        "question": question,
    }


def two_blocks(data: dict[str, Any], *, key: str, on_press: Callable[[], None]) -> None:
    """Put them on the page; `on_press` is called once the session's entry of this key has as "press" the name of a
    change that is to be made, ALL, or CHART."""
    _mount(data=data, key=key, on_press_change=on_press)
