"""Changes to a layer since 2017, each to be dropped onto an axis of loss, where the losses of its trainings lie.

A combination that was not trained has no loss.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lab.kit.components import component

_mount = component("two_blocks", Path(__file__).parent)
ALL = "all"  # every change at once


class Stop(NamedTuple):
    """A change that can be made, or all of them.

    name    the switch, or ALL;  says: what is done, in plain words;  term: what it is called
    kind    the new way, as its drawing is called; "" of ALL
    losses  of the trainings with it, by seed; [] where they diverged, None where there were none
    clear   whether their mean lies further from that of 2017's block than luck goes
    buys    the cost that changes most; "" where none does
    """

    name: str
    says: str
    term: str
    kind: str
    losses: Sequence[float] | None
    clear: bool
    buys: str


def payload(
    stops: Sequence[Stop],
    of_2017: Sequence[float],
    luck: float,
    own: str,
    deep: Sequence[Stop],
    layers: tuple[int, int],
) -> dict[str, Any]:
    """What the browser draws.

    of_2017  the losses of the block with which each is compared, by seed;  luck: how far from their mean is luck
    own      the change that the visitor has built, ALL, or "" for none
    deep     what was trained once more in a deep stack, 2017's block first;  layers: of the models, and of that stack
    """
    return {
        "stops": [stop._asdict() for stop in stops],
        "of_2017": list(of_2017),
        "luck": luck,
        "own": own,
        "deep": [stop._asdict() for stop in deep],
        "layers": layers,
    }


def two_blocks(data: dict[str, Any], *, key: str) -> None:
    """Put them on the page."""
    _mount(data=data, key=key)
