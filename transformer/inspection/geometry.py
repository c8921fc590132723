"""Vectors as points: the plane that shows most of them, and how far they point the same way."""

from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor


class Plane(NamedTuple):
    """Points on the plane that keeps most of their variance, by their first two principal components.

    places  (N, 2) the points on it, their mean at 0
    axes    (D, 2) its two directions; a column is 0 where the points have fewer dimensions
    shares  (2,) the share of the variance along each
    """

    places: np.ndarray
    axes: np.ndarray
    shares: np.ndarray


def principal_plane(points: np.ndarray) -> Plane:
    """The plane that keeps most of the variance of the points (N, D), in float64. Points all alike are shown whole."""
    centred = points.astype(np.float64) - points.mean(0, dtype=np.float64)
    _, sizes, directions = np.linalg.svd(centred, full_matrices=False)
    axes, shares = np.zeros((points.shape[1], 2)), np.zeros(2)
    n = min(2, len(directions))
    axes[:, :n] = directions[:n].T
    total = float(np.square(sizes).sum())
    shares[:n] = np.square(sizes[:n]) / total if total > 0 else (1.0, 0.0)[:n]
    return Plane(centred @ axes, axes, shares)


def cosines(rows: np.ndarray) -> np.ndarray:
    """cos(a, b) = a.b / (|a| |b|) of every two rows (N, D) -> (N, N), in float64; 0 where a row is zero."""
    rows = np.asarray(rows, np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return units @ units.T


def mean_cosine(x: Tensor) -> float:
    """The mean cosine between two different rows of x (T, D): 1 where all point the same way, 1 for a single row.

    A vector of length 0 has no direction; it counts as 0.
    """
    T = len(x)
    if T < 2:
        return 1.0
    # Scaled by the largest number first: the squares of a stream that has shrunk to 1e-30 would vanish.
    x = x.double() / x.abs().amax(-1, keepdim=True).clamp(min=torch.finfo(torch.float32).tiny)
    unit = F.normalize(x, dim=-1)
    return float((unit.sum(0).square().sum() - unit.square().sum()) / (T * (T - 1)))
