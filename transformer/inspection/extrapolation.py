"""How far a position scheme carries past the lengths that a model was trained on."""

from dataclasses import dataclass

import numpy as np
import torch

from transformer.core.positions import AlibiPositions, LearnedPositions, RotaryPositions, relative_buckets, sinusoids
from transformer.inspection.positions import refusal


@dataclass(frozen=True, eq=False)
class Extrapolation:
    """What each scheme gives the model up to `length`, where training saw texts of `trained` tokens.

    sinusoidal   (length,)  the slowest full pair's sine, by position
    learned      (length,)  one feature of the table, NaN where it has no row
    rotary       (length,)  the rotation of the slowest pair in radians, by position
    relative     (length,)  the T5 bucket of a key that many places back, by distance
    alibi        (length,)  the bias of the first head, by distance
    message      the error of the learned table for the longer text; "" if it fits
    saturates    the distance from which every key shares T5's last bucket
    unseen       how many of T5's buckets behind no training text could reach
    """

    trained: int
    length: int
    sinusoidal: np.ndarray
    learned: np.ndarray
    rotary: np.ndarray
    relative: np.ndarray
    alibi: np.ndarray
    message: str
    saturates: int
    unseen: int


def extrapolate(
    trained: int,
    length: int,
    *,
    d_model: int = 64,
    n_heads: int = 4,
    n_buckets: int = 32,
    max_distance: int = 128,
    base: float = 10_000.0,
    seed: int = 0,
) -> Extrapolation:
    """Positions and distances 0 .. length - 1 as every scheme's own code computes them; exact, and without training.

    Whether a trained model can use them is another question.
    """
    d_k = d_model // n_heads
    pair = d_model // 2 - 1
    table = LearnedPositions(trained, d_model, torch.Generator().manual_seed(seed))
    rows = np.full(length, np.nan)
    # The model rotates a unit arrow (1, 0) in every pair; the slowest pair's angle is read off the last one.
    arrow = torch.zeros(1, 1, length, d_k, dtype=torch.float64)
    arrow[..., 0::2] = 1
    with torch.inference_mode():
        rows[: min(trained, length)] = table.weight[:length, 0].numpy()
        rotated, _ = RotaryPositions(d_k, base).double().rotate(arrow, arrow)
        x, y = rotated[0, 0, :, -2].numpy(), rotated[0, 0, :, -1].numpy()
        buckets = relative_buckets(-torch.arange(max(length, max_distance + 1)), n_buckets, max_distance, True).numpy()
        bias = AlibiPositions(n_heads).double().bias(1, length)[0, 0].flip(0).numpy()
    last = n_buckets // 2 - 1
    return Extrapolation(
        trained,
        length,
        sinusoids(length, d_model, base).numpy()[:, 2 * pair],
        rows,
        np.unwrap(np.arctan2(y, x)),
        buckets[:length],
        bias,
        refusal(table, length) if length > trained else "",
        int(np.flatnonzero(buckets == last)[0]),
        int(last - buckets[: min(trained, len(buckets))].max()),
    )
