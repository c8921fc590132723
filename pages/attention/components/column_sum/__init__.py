"""How one number of a query, key or value is made: a vector beside a matrix, and one column's products added up."""

import base64
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from lab.kit.components import component, sent

_mount = component("column_sum", Path(__file__).parent)


class Finds(NamedTuple):
    """What queries find.

    keys    (T,) the word that each finds, or None
    scores  (T,) with which it finds it;  earned: (T, d_k) what each number of the query adds to that score
    met     (T, d_k) the number of the key that it is multiplied with;  turned: whether the distance of the two words
            has turned that key;  scale: what the product is divided by
    """

    keys: Sequence[int | None]
    scores: np.ndarray
    earned: np.ndarray
    met: np.ndarray
    turned: bool
    scale: float


def column_sum(
    x: np.ndarray,
    w: np.ndarray,
    b: np.ndarray,
    *,
    words: Sequence[str],
    at: int,
    made: Literal["query", "key", "value"],
    feature: int,
    finds: Finds | None,
    of: str,
    trained: bool,
    key: str,
    on_word: Callable[[int], None],
) -> None:
    """Show x W + b = y; the column under the hand is multiplied with x, number by number, and added up.

    x        (T, D) the vectors of the words; at: the word to begin with
    w, b     (D, d_k), (d_k,) what makes their queries, keys or values of them
    feature  the column to begin with;  finds: what the queries find, None where nothing is said of that
    of       the head, whether it is trained or not;  trained: which of the two
    on_word  is called with the number of a word that is pressed
    """

    def told() -> None:
        n = sent(key, "word", int)
        if n is not None and n >= 0:
            on_word(n)

    data = {name: _packed(numbers) for name, numbers in (("x", x), ("w", w), ("b", b))}
    more: dict[str, Any] = {"words": list(words), "at": at, "made": made, "feature": feature, "finds": None}
    more |= {"of": of, "trained": trained}
    if finds:
        more["finds"] = {
            "keys": list(finds.keys),
            "scores": [float(score) for score in finds.scores],
            "earned": _packed(finds.earned),
            "met": _packed(finds.met),
            "turned": finds.turned,
            "scale": finds.scale,
        }
    _mount(data={**data, **more}, key=key, on_word_change=told)


def _packed(numbers: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers, "<f4").tobytes()).decode()
