"""Guess the row: one query and three keys of small whole numbers, whose weights are exact fractions.

Scores are counted in units of ln 2: one point more doubles a share. A score of m units is then ln(2^m), the logarithm
of a whole number, and softmax gives 2^m / (sum of all 2^m).
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from transformer.checks import InputError
from transformer.inspection.steps import steps

D_K = 4  # sqrt(4) = 2 keeps halves at most, and whole ones are chosen
N_KEYS = 3
PERFECT = 0.03  # a guess this near is as good as bars can say
ALIKE = 0.06  # a guess this near to what a slip gives looks like that slip


@dataclass(frozen=True)
class Puzzle:
    """query (D_K,), keys (N_KEYS, D_K): whole numbers; dots q.k; points q.k / sqrt(d_k); truth the weights."""

    query: tuple[int, ...]
    keys: tuple[tuple[int, ...], ...]
    dots: tuple[int, ...]
    points: tuple[int, ...]
    truth: tuple[Fraction, ...]


@dataclass(frozen=True)
class Verdict:
    """distance: half the sum of |guess - truth|, the share that lies on the wrong key; 0 is perfect, 1 the worst.

    slip names the step that a guess like this one leaves out: "" (none), "even", "linear", "unscaled", "hardest",
    "backwards" or "other".
    """

    distance: float
    slip: str


def puzzle(number: int) -> Puzzle:
    """The puzzle of this number, always the same: three different scores, none of them negative."""
    rng = random.Random(number)
    root = math.isqrt(D_K)
    while True:
        query = tuple(rng.randint(0, 2) for _ in range(D_K))
        keys = tuple(tuple(rng.randint(0, 2) for _ in range(D_K)) for _ in range(N_KEYS))
        dots = tuple(sum(a * b for a, b in zip(query, key, strict=True)) for key in keys)
        points = tuple(dot // root for dot in dots)
        if all(dot % root == 0 for dot in dots) and len(set(points)) == N_KEYS and max(points) <= 4:
            break
    shares = [2**m for m in points]
    return Puzzle(query, keys, dots, points, tuple(Fraction(share, sum(shares)) for share in shares))


def weights_of(puzzle: Puzzle) -> np.ndarray:
    """(N_KEYS,) The same weights from the model's own attention, with the query counted in units of ln 2."""
    query = np.array([puzzle.query]) * math.log(2)
    keys = np.array(puzzle.keys, dtype=float)
    return steps(query, keys, keys).stages["weights"][0]


def slips(puzzle: Puzzle) -> dict[str, tuple[float, ...]]:
    """The rows that the usual slips give: what a guess is compared with."""
    total, unscaled = sum(puzzle.points), [2**dot for dot in puzzle.dots]
    best = puzzle.points.index(max(puzzle.points))
    low_first = sorted(puzzle.truth)
    order = sorted(range(N_KEYS), key=lambda key: -puzzle.points[key])
    backwards = [0.0] * N_KEYS
    for share, key in zip(low_first, order, strict=True):
        backwards[key] = float(share)
    return {
        "even": (1 / N_KEYS,) * N_KEYS,
        "linear": tuple(m / total for m in puzzle.points),
        "unscaled": tuple(share / sum(unscaled) for share in unscaled),
        "hardest": tuple(float(key == best) for key in range(N_KEYS)),
        "backwards": tuple(backwards),
    }


def judge(puzzle: Puzzle, guess: tuple[float, ...]) -> Verdict:
    """How far a guess is from the truth, and which slip it looks like.

    guess (N_KEYS,): shares of at least 0 that sum to 1, within what a bar can be set to; otherwise ValueError.
    """
    if len(guess) != N_KEYS or not all(0 <= share <= 1 for share in guess) or abs(sum(guess) - 1) > 0.02:
        raise InputError(f"a guess is {N_KEYS} shares that add up to 1")
    distance = _distance(guess, puzzle.truth)
    if distance <= PERFECT:
        return Verdict(distance, "")
    near = {name: _distance(guess, row) for name, row in slips(puzzle).items()}
    nearest = min(near, key=near.__getitem__)
    return Verdict(distance, nearest if near[nearest] < min(distance, ALIKE) else "other")


def _distance(a: Sequence[float], b: Sequence[float | Fraction]) -> float:
    return float(sum(abs(x - y) for x, y in zip(a, b, strict=True)) / 2)
