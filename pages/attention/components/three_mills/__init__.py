"""Three mills: three matrices make queries, keys and values of words, and a hand lays a query on the keys."""

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lab.kit.components import component
from transformer import inspection

_mount = component("three_mills", Path(__file__).parent)


class Asked(NamedTuple):
    """A text in which one word asks: that word, the vectors x (T, D) and values (T, d_v) of all, and how its query fits
    their keys."""

    word: str
    x: np.ndarray
    values: np.ndarray
    fit: "inspection.projections.Fit"


def three_mills(asked: Sequence[Asked], *, words: Sequence[str], at: int, key: str) -> None:
    """Show how words become queries, keys and values; the query of word `at` can be laid on every key.

    asked  the text as it is and, where there is one, with another word in that place
    """
    data = {"words": list(words), "at": at, "asked": [_told(one) for one in asked]}
    _mount(data=data, key=key)


def _told(one: Asked) -> dict[str, object]:
    fit = one.fit
    lists = {"scores": fit.scores.tolist(), "weights": fit.weights.tolist(), "open": fit.mask.tolist()}
    packed = {"x": one.x, "values": one.values, "q": fit.q, "keys": fit.keys}
    return {"word": one.word, **lists, **{name: _packed(numbers) for name, numbers in packed.items()}}


def _packed(numbers: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers, "<f4").tobytes()).decode()
