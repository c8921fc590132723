"""A power law through measured losses: L(x) = a x^-b + c, as in Kaplan et al. 2020 and Hoffmann et al. 2022."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Law(NamedTuple):
    """L(x) = a x^-b + c. `floor` is c, what remains however large x grows."""

    a: float
    b: float
    floor: float

    def at(self, x: np.ndarray | float) -> np.ndarray:
        """L at every x > 0."""
        return self.a * np.asarray(x, float) ** -self.b + self.floor


class Fit(NamedTuple):
    """A law through measured means.

    worst  the largest distance of a measured mean from the law, as a share of what the mean has above the floor
    """

    law: Law
    worst: float


def power_law(x: Sequence[float] | np.ndarray, losses: Sequence[float] | np.ndarray, floor: float) -> Law:
    """The least-squares line of log(L - c) over log x, with c known. Raises ValueError where a loss is not above c."""
    excess = np.asarray(losses, float) - floor
    if excess.min() <= 0:
        raise ValueError("a loss at or below the floor has no logarithm")
    slope, intercept = np.polyfit(np.log(np.asarray(x, float)), np.log(excess), 1)
    return Law(float(np.exp(intercept)), float(-slope), floor)


def fitted(runs: Sequence[tuple[float, Sequence[float]]], floor: float) -> Fit:
    """The law through the means of runs (x, losses by seed). Without error bars: a few seeds give none."""
    x = np.array([size for size, _ in runs], float)
    means = np.array([np.mean(losses) for _, losses in runs])
    law = power_law(x, means, floor)
    return Fit(law, float(np.max(np.abs(law.at(x) - means) / (means - floor))))
