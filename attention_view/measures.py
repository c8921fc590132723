"""What a head does, in a number; as `transformer.inspection.heads` has it, for those who have their weights only."""

import numpy as np


def measures(weights: np.ndarray) -> dict[str, np.ndarray]:
    """Scores of every head, averaged over its queries; rows of zeros are left out.

    weights (H, T, S) -> arrays (H,):
    entropy   in bits: -sum w log2 w; 0 looks at one key, log2(S) at all alike
    distance  in tokens: sum w |i - j|, with the queries as the last T of S positions
    previous  weight on the token just before the query
    first     weight on the first key
    """
    _, T, S = weights.shape
    query = np.arange(S - T, S) if T <= S else np.arange(T)
    looks = weights.any(-1)  # (H, T)
    logs = np.log2(weights, out=np.zeros_like(weights), where=weights > 0)  # 0 log 0 = 0
    distances = np.abs(np.arange(S)[None, :] - query[:, None]).astype(weights.dtype)
    before = np.flatnonzero((query >= 1) & (query <= S))
    return {
        "entropy": _mean(-np.einsum("hts,hts->ht", weights, logs), looks),
        "distance": _mean(np.einsum("hts,ts->ht", weights, distances), looks),
        "previous": _mean(weights[:, before, query[before] - 1], looks[:, before]),
        "first": _mean(weights[:, :, 0], looks),
    }


def chance(mask: np.ndarray) -> dict[str, float]:
    """The same scores of a head that looks alike at all that the mask (T, S) allows."""
    allowed = mask.astype(float)
    n = allowed.sum(-1, keepdims=True)
    uniform = np.divide(allowed, n, out=np.zeros_like(allowed), where=n > 0)
    return {name: float(score[0]) for name, score in measures(uniform[None]).items()}


def _mean(rows: np.ndarray, keep: np.ndarray) -> np.ndarray:
    n = keep.sum(-1)
    return np.divide((rows * keep).sum(-1), n, out=np.zeros(n.shape), where=n > 0)
