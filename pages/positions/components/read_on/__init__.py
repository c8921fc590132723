"""Models that read on past their training length, a lane each; one is chosen, and a length, in the figure itself."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from lab.kit.components import component, sent

_mount = component("read_on", Path(__file__).parent)


class Line(NamedTuple):
    """One model.

    name     on screen
    shares   of right answers, a point for each step of positions; it may end before the others
    finding  what the line does, in a sentence
    why      why it does, in one line
    opens    whether it has a figure of its own
    """

    name: str
    shares: Sequence[float]
    finding: str
    why: str
    opens: bool


def read_on(
    lines: Sequence[Line],
    *,
    step: int,
    trained: int,
    chance: float,
    finding: str,
    aside: str,
    task: str,
    on_open: Callable[[str], None],
    key: str,
) -> None:
    """Put them on the page; the length is in the address as pos_read_to, the model as pos_reader.

    step     positions that share a point
    trained  tokens of a text in training
    chance   the share of right answers of who guesses
    finding  what all lines come to, in a sentence
    aside    what surprises in it, in another
    task     what is asked of the models, and what a wall shows, in one line
    on_open  is called with the name of a model whose own figure is wanted
    """

    def opened() -> None:
        if name := sent(key, "open", str):
            on_open(name)

    _mount(
        data={
            "lines": [line._asdict() | {"shares": list(line.shares)} for line in lines],
            "step": step,
            "trained": trained,
            "chance": chance,
            "finding": finding,
            "aside": aside,
            "task": task,
        },
        key=key,
        on_open_change=opened,
    )
