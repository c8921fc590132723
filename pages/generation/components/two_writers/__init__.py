"""Two models write the same answers letter by letter: one trained with the causal mask, one without."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lab.kit.components import component

_mount = component("two_writers", Path(__file__).parent)


class Writer(NamedTuple):
    """How it was trained, its share of right tokens in training, and its share of right answers by itself.

    sees_ahead  whether no mask hid what comes after
    """

    name: str
    in_training: float
    by_itself: float
    sees_ahead: bool


def payload(writers: Sequence[Writer], samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the browser is sent.

    samples  {"reads", "right", "written": what each writer made of it}, texts of letters with a space between any two
    """
    letters = [
        {
            "reads": sample["reads"].split(),
            "right": sample["right"].split(),
            "written": [text.split() for text in sample["written"]],
        }
        for sample in samples
    ]
    return {"writers": [writer._asdict() for writer in writers], "samples": letters}


def two_writers(data: dict[str, Any], *, key: str) -> None:
    """Puts a payload on the page."""
    _mount(data=data, key=key)
