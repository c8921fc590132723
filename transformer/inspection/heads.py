"""What a head does, in a number: its entropy, how far it looks, and how often at two favourite places."""

import numpy as np

SCORES = ("entropy", "distance", "previous", "first")


def head_scores(weights: np.ndarray) -> dict[str, np.ndarray]:
    """Scores of every head, averaged over its queries; rows with nothing allowed (all zeros) are left out.

    weights (..., T, S) -> arrays (...):
    entropy   in bits: -sum w log2 w. 0 looks at one key, log2(S) at all alike.
    distance  in tokens: sum w |i - j|, with the queries as the last T of S positions.
    previous  weight on the token just before the query; the first query of all has none, and is left out.
    first     weight on the first key.
    """
    weights = np.asarray(weights)
    T, S = weights.shape[-2:]
    query = np.arange(S - T, S) if T <= S else np.arange(T)
    distances = np.abs(np.arange(S)[None, :] - query[:, None]).astype(weights.dtype)  # (T, S)
    looks = weights.sum(-1) > 0  # (..., T)

    # 0 log 0 = 0: a blocked or vanished cell says nothing.
    logs = np.log2(weights, out=np.zeros_like(weights), where=weights > 0)
    entropy = -np.einsum("...ts,...ts->...t", weights, logs)
    distance = np.einsum("...ts,ts->...t", weights, distances)
    rows = np.flatnonzero((query >= 1) & (query - 1 < S))
    previous = weights[..., rows, query[rows] - 1]
    return {
        "entropy": _mean(entropy, looks),
        "distance": _mean(distance, looks),
        "previous": _mean(previous, looks[..., rows]),
        "first": _mean(weights[..., 0], looks) if S else np.zeros(weights.shape[:-2]),
    }


def chance(T: int, S: int, mask: np.ndarray | None = None) -> dict[str, float]:
    """The same scores of a head that looks at every allowed key alike: what a head must differ from to say anything."""
    allowed = np.ones((T, S)) if mask is None else np.broadcast_to(mask, (T, S)).astype(float)
    n_allowed = allowed.sum(-1, keepdims=True)
    uniform = np.divide(allowed, n_allowed, out=np.zeros_like(allowed), where=n_allowed > 0)
    return {name: float(score) for name, score in head_scores(uniform).items()}


def _mean(rows: np.ndarray, keep: np.ndarray) -> np.ndarray:
    """Mean over the last axis of the rows to keep; 0 where none is kept."""
    n = keep.sum(-1)
    return np.divide((rows * keep).sum(-1), n, out=np.zeros(n.shape), where=n > 0)
