"""A changed word: a sentence, in which one word stands for another, between the translations of both, each joined to
it by the threads of its cross-attention. What is written differently stands out.
"""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lab.kit.components import component

_mount = component("changed_word", Path(__file__).parent)


class Side(NamedTuple):
    """One of the two sentences: what is written for it, the weights (T, S) of its threads, the places of words that the
    other translation has not, and what has to be said first of this one; "" where it is right."""

    written: Sequence[str]
    weights: np.ndarray
    changed: Collection[int]
    fault: str = ""


def payload(
    source: Sequence[str],
    place: int,
    word: str,
    a: Side,
    b: Side,
    cosines: np.ndarray,
    *,
    pairs: Collection[tuple[int, int]],
    head_name: str,
    others: Sequence[Sequence[str]],
    next: tuple[int, str] | None,
) -> dict:
    """What the browser is sent. Raises ValueError unless weights and cosines fit the words.

    source     the words of A; in B, `word` stands at `place`
    cosines    (S,) of the vectors of each word in the memories of both
    pairs      places of changed words, in A and in B, that stand for each other
    head_name  whose weights these are, as in "layer 1, mean"
    others     for each word of the source, what can stand in its place
    next       the place of the word that the button changes, and the word that it becomes; None for no button
    """
    for side in (a, b):
        if side.weights.shape != (len(side.written), len(source)):
            raise ValueError(f"{side.weights.shape} weights cannot join {len(side.written)} and {len(source)} words")
    if cosines.shape != (len(source),):
        raise ValueError(f"{cosines.shape} cosines are not one for each of {len(source)} words")
    return {
        "source": list(source),
        "place": place,
        "word": word,
        "sides": [
            {
                "words": list(side.written),
                "weights": [[round(w, 4) for w in row] for row in side.weights.tolist()],
                "changed": sorted(side.changed),
                "fault": side.fault,
            }
            for side in (a, b)
        ],
        "pairs": [list(pair) for pair in pairs],
        "cosines": [round(x, 4) for x in cosines.tolist()],
        "head": head_name,
        "others": [list(words) for words in others],
        "next": next,
    }


def changed_word(data: dict, *, key: str, on_press: Callable[[], None]) -> None:
    """Puts a payload on the page; `on_press` is called once st.session_state[key]["press"] says "place:word"."""
    _mount(data=data, key=key, on_press_change=on_press)
