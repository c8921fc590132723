"""What a scene needs of one pass of a model: the whole of it on one canvas, and each number a zoom away.

`Pass` holds what was recorded, and the browser is sent a part of it: q, k and v exactly, from which it works out the
products, scores and attention weights; the rest as steps of colour, of which it makes pictures.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MOST_BANDS = 64  # of a token's vector in a picture: of several numbers the strongest is seen


@dataclass(frozen=True, eq=False)
class Pass:
    """One pass over T tokens, through L layers of H heads; q and k as they met, turned by positions where these do so.

    q        (L, H, T, d_k)
    k, v     (L, Hkv, T, d_k)
    weights  (L, H, T, T), the attention weights that were recorded
    scale    what scores were divided by
    causal   whether no token may look at a later one
    stream   (L + 1, T, D): before each layer, and after the last
    hidden   (L, T, F): the units of the feed-forward networks, after the bend
    """

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    weights: np.ndarray
    scale: float
    causal: bool
    stream: np.ndarray
    hidden: np.ndarray


def header_of(tokens: tuple[str, ...], run: Pass) -> dict[str, object]:
    """What the browser is told beside the arrays."""
    L, H = run.q.shape[:2]
    return {"tokens": list(tokens), "layers": L, "heads": H, "scale": run.scale, "causal": run.causal}


def vectors_of(run: Pass) -> dict[str, np.ndarray]:
    """q, k and v, exactly: of these the browser works out whatever it shows inside of a head."""
    return {name: getattr(run, name).astype("<f4") for name in "qkv"}


def pictures_of(runs: Sequence[Pass]) -> dict[str, np.ndarray]:
    """What is seen from afar, of several passes of as many tokens, in steps of colour: the stream, the hidden units and
    the attention weights."""
    return {
        "stream": np.stack([signed_steps(strongest(run.stream, MOST_BANDS)) for run in runs]),
        "hidden": np.stack([steps(strongest(run.hidden, MOST_BANDS)) for run in runs]),
        "maps": np.stack([np.rint(255 * run.weights).astype("u1") for run in runs]),
    }


def steps(x: np.ndarray) -> np.ndarray:
    """Numbers from 0 as uint8, in steps of the largest of each first axis; what is below 0 becomes 0."""
    largest = x.max(axis=tuple(range(1, x.ndim)), keepdims=True)
    return np.rint(255 * np.clip(x / np.where(largest > 0, largest, 1), 0, 1)).astype("u1")


def signed_steps(x: np.ndarray) -> np.ndarray:
    """Numbers of any sign as uint8: 128 is 0, and 1 and 255 are the farthest from it of each first axis."""
    largest = np.abs(x).max(axis=tuple(range(1, x.ndim)), keepdims=True)
    return (128 + np.rint(127 * x / np.where(largest > 0, largest, 1))).astype("u1")


def strongest(x: np.ndarray, n: int) -> np.ndarray:
    """At most n numbers along the last axis: of each group of neighbours the one that is farthest from 0."""
    size = -(-x.shape[-1] // n)
    groups = -(-x.shape[-1] // size)
    padded = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, groups * size - x.shape[-1])])
    grouped = padded.reshape(*x.shape[:-1], groups, size)
    return np.take_along_axis(grouped, np.abs(grouped).argmax(-1, keepdims=True), -1)[..., 0]
