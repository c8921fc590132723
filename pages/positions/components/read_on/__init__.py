"""Models that read on past their training length, a line each; a position is chosen in the figure itself."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lab.kit.components import component

_mount = component("read_on", Path(__file__).parent)


class Line(NamedTuple):
    """One model. shares: of right answers, a point for each step of positions; it may end before the others."""

    name: str
    shares: Sequence[float]


def read_on(lines: Sequence[Line], *, step: int, trained: int, chance: float, key: str) -> None:
    """Put them on the page; the position is in the address as pos_read_to.

    step     positions that share a point
    trained  tokens of a text in training
    chance   the share of right answers of who guesses
    """
    _mount(
        data={
            "lines": [{"name": name, "shares": list(shares)} for name, shares in lines],
            "step": step,
            "trained": trained,
            "chance": chance,
        },
        key=key,
    )
