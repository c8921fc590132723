"""What a model would say if it stopped early: of one token a large row per height, and of all tokens of the text their
heights in small. It runs in the browser; the chosen token is in the link."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lab.kit.components import component

_mount = component("lens_columns", Path(__file__).parent)


def payload(
    tokens: Sequence[str],
    heights: Sequence[str],
    said: Sequence[Sequence[str]],
    chances: np.ndarray,
    ranks: np.ndarray,
    odds: np.ndarray,
    echoes: np.ndarray,
    rivals: Sequence[Sequence[Sequence[str]]],
    close: np.ndarray,
    first: int = 0,
) -> dict:
    """What the browser is sent, a list per token, from the lowest height to the highest.

    said, chances  (T, P) the word that is ranked first, and its probability
    ranks, odds    (T, P) the rank of what the whole model says, and its probability
    echoes         (T, P) whether the word that is ranked first is the token that was just read
    rivals, close  (T, P, n) the words that come next, and their probabilities
    first          the number of the first token that is shown
    """
    T, P = len(tokens), len(heights)
    arrays = (chances, ranks, odds, echoes)
    if any(array.shape != (T, P) for array in arrays):
        raise ValueError(f"{T} tokens at {P} heights, but numbers of {[array.shape for array in arrays]}")
    return {
        "tokens": list(tokens),
        "heights": list(heights),
        "said": [list(words) for words in said],
        "chances": np.round(chances, 6).tolist(),
        "ranks": ranks.tolist(),
        "odds": np.round(odds, 6).tolist(),
        "echoes": echoes.tolist(),
        "rivals": [list(words) for words in rivals],
        "close": np.round(close, 6).tolist(),
        "first": first,
    }


def lens_columns(data: dict, *, key: str) -> None:
    """Put a payload on the page."""
    _mount(data=data, key=key)
