"""A sentence in the middle, its translation by the whole model above it and without a part of it below, each joined to
it by the threads of its cross-attention."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lab.kit.components import component

_mount = component("without_part", Path(__file__).parent)


def payload(
    source: Sequence[str],
    whole: tuple[Sequence[str], np.ndarray],
    ablated: tuple[Sequence[str], np.ndarray],
    *,
    part: str,
    layer: int,
    carries: bool = True,
) -> dict:
    """What the browser is sent. Raises ValueError unless the weights fit the words.

    whole, ablated  what the whole model writes, what it writes without a part, and the weights (T, S) of both
    part            what is left out, as in "without the memory"; "" for nothing
    layer           the threads are the mean of this layer's heads
    carries         False: what comes through the threads of the ablated model is nothing
    """
    for words, weights in (whole, ablated):
        if weights.shape != (len(words), len(source)):
            raise ValueError(f"{weights.shape} weights cannot join {len(words)} and {len(source)} words")
    return {
        "source": list(source),
        "sides": [
            {"words": list(words), "weights": [[round(w, 4) for w in row] for row in weights.tolist()]}
            for words, weights in (whole, ablated)
        ],
        "part": part,
        "layer": layer,
        "carries": carries,
    }


def without_part(data: dict, *, key: str) -> None:
    """Puts a payload on the page."""
    _mount(data=data, key=key)
