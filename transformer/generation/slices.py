"""A draw that can be shown: the line from 0 to 1 is cut into slices as long as the probabilities, and a random number
falls into one of them.

The same draw as any other by the same probabilities, but here one sees which number fell, and beside what.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from transformer.core.checks import InputError


class Drawn(NamedTuple):
    """The token whose slice, from `low` to `high`, the number `u` fell into."""

    id: int
    u: float
    low: float
    high: float


def number(seed: int, place: int) -> float:
    """The random number from 0 to 1 for this seed at this position of a text: uniform, and always the same."""
    generator = torch.Generator().manual_seed(seed * 1_000_003 + place)
    return float(torch.rand((), generator=generator, dtype=torch.float64))


def drawn(final: np.ndarray, u: float) -> Drawn:
    """The token that the number u falls on; see `fallen`."""
    return fallen(final, (u,))[0]


def fallen(final: np.ndarray, numbers: Sequence[float]) -> list[Drawn]:
    """final (V,): probabilities that sum to 1. The largest has the first slice; of two equal ones, the lower id.

    Where each of the numbers falls.
    """
    for u in numbers:
        if not 0 <= u < 1:
            raise InputError(f"u={u!r} must be at least 0 and below 1")
    order = np.argsort(-final, kind="stable")[: np.count_nonzero(final)]
    ends = np.cumsum(final[order])
    ends[-1] = 1.0  # what rounding left over
    places = np.searchsorted(ends, numbers, side="right")
    return [
        Drawn(int(order[n]), u, float(ends[n - 1]) if n else 0.0, float(ends[n]))
        for n, u in zip(places, numbers, strict=True)
    ]
