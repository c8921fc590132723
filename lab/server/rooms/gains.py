"""What a class has gained between two tests, idea by idea, with an interval; and nothing about anybody in it.

Every student answers one form of a question before the lesson and the other form after it, half of them in one order
and half in the other. The gains of the two halves are averaged with equal weight, so that a form that is easier cancels
out, however many students each half has.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from lab.server.rooms.spreadsheet import written

Z = 1.959964  # of a standard normal: 95% lie within


class Pair(NamedTuple):
    """One student's two answers to one idea: which form came first, and whether each was right."""

    form: int
    before: bool
    after: bool


class Gain(NamedTuple):
    """n students who answered both: the share that was right before and after, the gain, and its 95% interval."""

    idea: str
    n: int
    before: float
    after: float
    gain: float
    low: float
    high: float


def gains(tested: Mapping[str, Sequence[Pair]]) -> list[Gain]:
    """A row per idea that somebody has answered twice, in order."""
    return [gain(idea, pairs) for idea, pairs in tested.items() if pairs]


def gain(idea: str, pairs: Sequence[Pair]) -> Gain:
    """The gain of one idea. Raises ValueError without students.

    The interval is the adjusted Wald interval for paired shares (Agresti and Min 2005): half a student is added to each
    of the four kinds of pairs, a quarter in each half of the class. Where one half is empty, the other stands alone.
    """
    halves = [[pair for pair in pairs if pair.form == form] for form in sorted({pair.form for pair in pairs})]
    if not halves:
        raise ValueError("nobody has answered both questions")
    share = 1 / len(halves)
    before, after = (share * sum(sum(pair[place] for pair in half) / len(half) for half in halves) for place in (1, 2))
    middles, variances = zip(*(_adjusted(half, share / 2) for half in halves), strict=True)
    middle, error = share * sum(middles), share * sqrt(sum(variances))
    low, high = max(-1.0, middle - Z * error), min(1.0, middle + Z * error)
    return Gain(idea, len(pairs), before, after, after - before, low, high)


def _adjusted(pairs: Sequence[Pair], added: float) -> tuple[float, float]:
    """The difference of the shares with so much of a student added to each of four kinds of pairs; its variance."""
    gained = sum(pair.after and not pair.before for pair in pairs) + added
    lost = sum(pair.before and not pair.after for pair in pairs) + added
    n = len(pairs) + 4 * added
    difference = (gained - lost) / n
    return difference, ((gained + lost) / n - difference**2) / n


def as_csv(rows: Sequence[Gain], about: Mapping[str, str] | None = None) -> str:
    """The sheet for a spreadsheet: shares from 0 to 1. about: what stands in each line before, such as the room."""
    about = about or {}
    head = ("idea", "students", "right before", "right after", "gain", "gain at least (95%)", "gain at most (95%)")
    lines = [(*about.values(), row.idea, row.n, *(f"{share:.3f}" for share in row[2:])) for row in rows]
    return written((*about, *head), lines)
