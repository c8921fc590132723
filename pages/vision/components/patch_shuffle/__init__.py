"""A picture as it is and with its patches shuffled, and what models answer to both. It runs in the browser."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from attention_view.payload import as_bytes
from lab.kit.components import component

_mount = component("patch_shuffle", Path(__file__).parent)


class Question(NamedTuple):
    """Probabilities of the answers before the shuffle and after it; right: the number of the true answer, or None."""

    question: str
    answers: tuple[str, ...]
    before: tuple[float, ...]
    shares: tuple[float, ...]
    right: int | None = None


def pack(before: np.ndarray, after: np.ndarray, models: Mapping[str, Sequence[Question]]) -> bytes:
    """The bytes that the browser draws: both pictures (side, side, 3) uint8, and the answers by model."""
    rows = [{"title": title, "questions": [q._asdict() for q in asked]} for title, asked in models.items()]
    return as_bytes({"models": rows}, {"before": before, "after": after})


def patch_shuffle(packed: bytes, *, key: str) -> None:
    """Put it on the page."""
    _mount(data=packed, key=key)
