"""Whether a stranger's numbers are attention weights, and whether q and k are those that made them."""

import numpy as np

from attention_view.stored import BadTensors

MAX_OFF = 0.01  # how far the sum of a row may be from 1: bfloat16 keeps eight bits, so each weight is off by up to 0.4%


def check_weights(weights: np.ndarray, name: str) -> None:
    """Raise BadTensors unless every row of the weights (L, H, T, S) adds up to 1, or is all zeros: blocked."""
    for layer, heads in enumerate(weights):
        for head, cells in enumerate(heads):  # a head at a time: the whole would be in memory twice
            fault = _fault(cells.astype("<f4", copy=False))
            if fault:
                raise BadTensors(f"{name}, layer {layer}, head {head}: {fault}")


def _fault(rows: np.ndarray) -> str:
    """What keeps the rows (T, S) of one head from being attention weights; "" if nothing."""
    low, high = float(rows.min()), float(rows.max())
    if not np.isfinite([low, high]).all():
        return "a value is no number (NaN or infinity); look for the operation that made it, and save again"
    if low < 0:
        return f"a weight is {low:.3g}, below 0; these look like scores, so save what softmax makes of them"
    sums = rows.sum(-1, dtype="<f8")
    off = np.where(sums == 0, 0, np.abs(sums - 1))
    if off.max() <= MAX_OFF:
        return ""
    row = int(off.argmax())
    is_turned = rows.shape[0] == rows.shape[1] and np.abs(rows.sum(-2, dtype="<f8") - 1).max() <= MAX_OFF
    advice = (
        "its columns do, so swap the last two axes"
        if is_turned
        else "save what comes out of softmax, with dropout switched off (model.eval())"
    )
    return f"row {row} adds up to {sums[row]:.3g}, not to 1; {advice}"


def largest_difference(
    weights: np.ndarray, q: np.ndarray, k: np.ndarray, scale: float, mask: np.ndarray | None
) -> float:
    """The largest |weights - softmax(q kᵀ / scale)| in rows that are not blocked; infinity where there is no softmax.

    weights (L, H, T, S), q (L, H, T, d_k), k (L, Hkv, S, d_k), mask (T, S), (L, T, S) or None
    """
    most, shared_by = 0.0, q.shape[1] // k.shape[1]
    with np.errstate(over="ignore", invalid="ignore"):
        for layer, heads in enumerate(weights):
            for head, cells in enumerate(heads):
                rows = cells.astype("<f4", copy=False)
                looks = rows.sum(-1) > 0
                scores = q[layer, head, looks].astype("<f4") @ k[layer, head // shared_by].astype("<f4").T / scale
                if mask is not None:
                    allowed = mask[layer] if mask.ndim == 3 else mask
                    scores[~allowed[looks]] = -np.inf
                shares = np.exp(scores - scores.max(-1, keepdims=True))
                shares /= shares.sum(-1, keepdims=True)
                off = np.abs(shares - rows[looks]).max(initial=0)
                most = max(most, float(off)) if np.isfinite(off) else np.inf
    return most


def mask_of(weights: np.ndarray) -> tuple[np.ndarray, bool]:
    """(mask (T, S), is_causal): what no head of any layer ever looks at, if that is the future, padding, or both."""
    T, S = weights.shape[2:]
    seen = np.zeros((T, S), bool)
    for heads in weights:
        seen |= (heads > 0).any(0)
    past = np.tri(T, S, S - T, dtype=bool)
    is_causal = 1 < T <= S and not seen[~past].any()
    return (past if is_causal else np.ones((T, S), bool)) & seen.any(0), is_causal
