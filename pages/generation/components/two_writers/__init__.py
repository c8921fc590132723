"""Two models read and write the same tales: one trained with the causal mask, one without."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from lab.kit.components import component

_mount = component("two_writers", Path(__file__).parent)


class Writer(NamedTuple):
    """How it was trained, its share of right words in training, its share of right tales by itself, and how often it
    predicts whichever word is put in the next word's place.

    sees_ahead  whether no mask hid what comes after
    """

    name: str
    in_training: float
    right: float
    copied: float
    sees_ahead: bool


class Sample(Protocol):
    """A tale, how many of its words come before the next one, and what one writer says and writes there."""

    @property
    def words(self) -> tuple[str, ...]: ...

    @property
    def n_read(self) -> int: ...

    @property
    def says(self) -> dict[str, str]: ...

    @property
    def written(self) -> tuple[str, ...]: ...


def payload(writers: Sequence[Writer], samples: Sequence[Sequence[Sample]]) -> dict[str, Any]:
    """What the browser is sent; of each tale there is one sample per writer."""
    tales = [
        {
            "words": list(of_each[0].words),
            "n_read": of_each[0].n_read,
            "says": [sample.says for sample in of_each],
            "written": [list(sample.written) for sample in of_each],
        }
        for of_each in samples
    ]
    return {"writers": [writer._asdict() for writer in writers], "samples": tales}


def two_writers(data: dict[str, Any], *, key: str) -> None:
    """Puts a payload on the page."""
    _mount(data=data, key=key)
