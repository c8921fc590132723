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
    """A law, and its error bars.

    b_range  where 90 of 100 laws have their exponent, each fitted to runs drawn with replacement (a bootstrap)
    band     (2, X) where 90 of 100 of these laws run, at the x that were asked for
    worst    the largest distance of a measured mean from the law, as a share of what the mean has above the floor
    """

    law: Law
    b_range: tuple[float, float]
    band: np.ndarray
    worst: float


def power_law(x: Sequence[float] | np.ndarray, losses: Sequence[float] | np.ndarray, floor: float) -> Law:
    """The least-squares line of log(L - c) over log x, with c known. Raises ValueError where a loss is not above c."""
    excess = np.asarray(losses, float) - floor
    if excess.min() <= 0:
        raise ValueError("a loss at or below the floor has no logarithm")
    slope, intercept = np.polyfit(np.log(np.asarray(x, float)), np.log(excess), 1)
    return Law(float(np.exp(intercept)), float(-slope), floor)


def fitted(runs: Sequence[tuple[float, Sequence[float]]], floor: float, at: np.ndarray, seed: int = 0) -> Fit:
    """The law through the means of runs (x, losses by seed), with error bars from 1000 bootstraps.

    Each bootstrap draws as many runs of every x as there are, with replacement, and fits their means.
    """
    x = np.array([size for size, _ in runs], float)
    means = np.array([np.mean(losses) for _, losses in runs])
    law = power_law(x, means, floor)
    rng, n = np.random.default_rng(seed), 1000
    drawn = np.stack([rng.choice(np.asarray(losses, float), (n, len(losses))).mean(1) for _, losses in runs], axis=1)
    slopes, intercepts = np.polyfit(np.log(x), np.log(np.maximum(drawn - floor, 1e-9)).T, 1)
    curves = np.exp(intercepts)[:, None] * np.asarray(at, float) ** slopes[:, None] + floor  # (n, X)
    low, high = np.quantile(-slopes, [0.05, 0.95])
    worst = float(np.max(np.abs(law.at(x) - means) / (means - floor)))
    return Fit(law, (float(low), float(high)), np.quantile(curves, [0.05, 0.95], axis=0), worst)
