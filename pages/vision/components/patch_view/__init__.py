"""A picture in patches, and where each of them looks: every head small, one large. It runs in the browser.

A patch is chosen by a click, a touch or the arrow keys; so is the class token. No choice needs the server.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from attention_view.payload import as_bytes
from lab.kit.components import component

_mount = component("patch_view", Path(__file__).parent)


class Group(NamedTuple):
    """A question with the probabilities of its answers; right: the number of the true one, None where nobody knows."""

    question: str
    answers: tuple[str, ...]
    shares: tuple[float, ...]
    right: int | None = None


def pack(
    pixels: np.ndarray,
    weights: np.ndarray,
    rollout: np.ndarray,
    *,
    first: Sequence[str],
    groups: Sequence[Group],
    opens: tuple[int, int],
    reads: str,
) -> bytes:
    """The bytes that the browser draws.

    pixels   (side, side, 3) uint8
    weights  (L, H, T, T); rollout (L, T, T)
    first    names of the tokens before the patches
    opens    layer and head that are large at first, counted from 0
    reads    where the answer is read, in words
    """
    T = weights.shape[-1]
    across = round((T - len(first)) ** 0.5)
    header = {
        "across": across,
        "first": list(first),
        "opens": list(opens),
        "reads": reads,
        "groups": [group._asdict() for group in groups],
    }
    arrays = {"pixels": pixels, "weights": weights.astype("<f4"), "rollout": rollout.astype("<f4")}
    return as_bytes(header, arrays)


def patch_view(packed: bytes, *, key: str) -> None:
    """Put it on the page; token, layer and head are in the address as vision_at, vision_layer and vision_head."""
    _mount(data=packed, key=key)
