"""Three mills: a word's vector goes into three matrices, and its query, key and value come out, number by number."""

import base64
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from lab.kit.components import component, sent

Made = Literal["query", "key", "value"]

_mount = component("three_mills", Path(__file__).parent)


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


class Swap(NamedTuple):
    """Another word in the place of one: its name, and the vector (D,) that the model then has there."""

    word: str
    x: np.ndarray


def three_mills(
    x: np.ndarray,
    mills: Mapping[Made, tuple[np.ndarray, np.ndarray]],
    *,
    words: Sequence[str],
    at: int,
    held: Made | None,
    finds: Finds | None,
    swap: Swap | None,
    of: str,
    trained: bool,
    key: str,
    on_turn: Callable[[int, Made | None], None],
) -> None:
    """Show x W + b = y for each mill; the products that make the number under the hand are drawn, and add up.

    x        (T, D) the vectors of the words; at: the word to begin with;  swap: another word in its place, if any
    mills    by what each makes: W (D, d_k) and b (d_k,)
    held     the strip that has a number in hand to begin with, the one that is worth most; None for none
    finds    what the queries find, None where nothing is said of that
    of       the head, whether it is trained or not;  trained: which of the two
    on_turn  is called with the word that is looked at, and the strip in hand
    """

    def told() -> None:
        turn = sent(key, "turn", list)
        if not turn or len(turn) != 2:
            return
        at, held = turn
        if type(at) is int and 0 <= at < len(words) and (held is None or held in mills):
            on_turn(at, held)

    data: dict[str, Any] = {"x": _packed(x), "words": list(words), "at": at, "held": held, "of": of, "trained": trained}
    data["mills"] = {made: {"w": _packed(w), "b": _packed(b)} for made, (w, b) in mills.items()}
    data["swap"] = swap and {"word": swap.word, "x": _packed(swap.x)}
    data["finds"] = finds and {
        "keys": list(finds.keys),
        "scores": [float(score) for score in finds.scores],
        "earned": _packed(finds.earned),
        "met": _packed(finds.met),
        "turned": finds.turned,
        "scale": finds.scale,
    }
    _mount(data=data, key=key, on_turn_change=told)


def _packed(numbers: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers, "<f4").tobytes()).decode()
