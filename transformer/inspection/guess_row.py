"""Guess the row: one query and three keys of small whole numbers, and how softmax shares the attention among them."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from transformer.core.checks import InputError

D_K = 4  # its root is 2; only puzzles with whole scores are taken
N_KEYS = 3
MAX_PERFECT = 0.03  # distance of a guess that is as good as bars can be set
MAX_SLIP = 0.06  # distance of a guess from the row of a slip that it can be put down to
MAX_SCORE = 4


Slip = Literal["even", "linear", "unscaled", "hardest", "backwards"]


@dataclass(frozen=True)
class Puzzle:
    """query (D_K,) and keys (N_KEYS, D_K), whole numbers; dots: q.k; scores: q.k / sqrt(d_k); truth: the weights."""

    query: tuple[int, ...]
    keys: tuple[tuple[int, ...], ...]
    dots: tuple[int, ...]
    scores: tuple[int, ...]
    truth: tuple[float, ...]


@dataclass(frozen=True)
class Verdict:
    """How good a guess is.

    distance  half the sum of |guess - truth|, the share on the wrong keys: 0 is perfect, 1 the worst
    slip      which step the guess leaves out: "" if none
    """

    distance: float
    slip: Slip | Literal["", "other"]


def puzzle(number: int) -> Puzzle:
    """The puzzle with this number, always the same: three different scores, none of them negative."""
    rng = random.Random(number)
    root = math.isqrt(D_K)
    while True:
        query = tuple(rng.randint(0, 2) for _ in range(D_K))
        keys = tuple(tuple(rng.randint(0, 2) for _ in range(D_K)) for _ in range(N_KEYS))
        dots = tuple(sum(a * b for a, b in zip(query, key, strict=True)) for key in keys)
        scores = tuple(dot // root for dot in dots)
        if all(dot % root == 0 for dot in dots) and len(set(scores)) == N_KEYS and max(scores) <= MAX_SCORE:
            break
    return Puzzle(query, keys, dots, scores, _softmax(scores))


def slips(puzzle: Puzzle) -> dict[Slip, tuple[float, ...]]:
    """The row that each common slip gives, (N_KEYS,)."""
    best = puzzle.scores.index(max(puzzle.scores))
    best_first = sorted(range(N_KEYS), key=lambda key: -puzzle.scores[key])
    backwards = [0.0] * N_KEYS
    for share, key in zip(sorted(puzzle.truth), best_first, strict=True):
        backwards[key] = share
    return {
        "even": (1 / N_KEYS,) * N_KEYS,
        "linear": tuple(score / sum(puzzle.scores) for score in puzzle.scores),
        "unscaled": _softmax(puzzle.dots),
        "hardest": tuple(float(key == best) for key in range(N_KEYS)),
        "backwards": tuple(backwards),
    }


def judge(puzzle: Puzzle, guess: tuple[float, ...]) -> Verdict:
    """How far a guess is from the truth, and which slip it looks like.

    guess (N_KEYS,): shares of at least 0 that add up to 1, as closely as bars can be set; InputError for others.
    """
    if len(guess) != N_KEYS or not all(0 <= share <= 1 for share in guess) or abs(sum(guess) - 1) > 0.02:
        raise InputError(f"a guess is {N_KEYS} shares that add up to 1")
    distance = _distance(guess, puzzle.truth)
    if distance <= MAX_PERFECT:
        return Verdict(distance, "")
    distances = {name: _distance(guess, row) for name, row in slips(puzzle).items()}
    nearest = min(distances, key=distances.__getitem__)
    return Verdict(distance, nearest if distances[nearest] < min(distance, MAX_SLIP) else "other")


def _softmax(scores: Sequence[int]) -> tuple[float, ...]:
    powers = [math.exp(score) for score in scores]
    return tuple(power / sum(powers) for power in powers)


def _distance(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(abs(x - y) for x, y in zip(a, b, strict=True)) / 2
