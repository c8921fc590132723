"""What the browser is told of a vocabulary too large to be sent: the likeliest tokens, and the sum of the rest."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer import generation

ROWS = 250  # a token with a share of 0.004 or more, which is seen on the line of the draw, is always among so many


@dataclass(frozen=True, eq=False)
class Ladder:
    """A distribution of the next token, worked out on the server for one set of knobs.

    size      of the vocabulary
    rows      (id, probability by the model, probability in the draw, what took it out) of the likeliest under the knobs
    rest      (how many others, the sum of their probabilities by the model, that in the draw)
    removed   how many tokens each filter took out, of all
    falls     for each random number the token whose slice it falls into, from where to where
    own       the model's own first
    """

    size: int
    rows: tuple[tuple[int, float, float, str], ...]
    rest: tuple[int, float, float]
    removed: dict[str, int]
    falls: "tuple[generation.slices.Drawn, ...]"
    own: int

    @property
    def ids(self) -> set[int]:
        """All tokens that are named."""
        return {self.own} | {row[0] for row in self.rows} | {fall.id for fall in self.falls}

    def json(self) -> dict[str, Any]:
        """As the browser takes it."""
        falls = [[fall.id, fall.low, fall.high] for fall in self.falls]
        return {
            "size": self.size,
            "rows": self.rows,
            "rest": self.rest,
            "removed": self.removed,
            "falls": falls,
            "own": self.own,
        }


def ladder(expected: "generation.Distribution", numbers: Sequence[float]) -> Ladder:
    """The Ladder of a distribution, with the slices that these random numbers fall into."""
    order = np.argsort(-expected.tempered, kind="stable")
    top, others = order[:ROWS], order[ROWS:]
    counts = np.bincount(expected.removed, minlength=len(generation.REMOVED_BY))
    return Ladder(
        size=len(order),
        rows=tuple(
            (int(id), float(expected.probs[id]), float(expected.final[id]), expected.removed_by(id)) for id in top
        ),
        rest=(len(others), float(expected.probs[others].sum()), float(expected.final[others].sum())),
        removed={name: int(n) for name, n in zip(generation.REMOVED_BY[1:], counts[1:], strict=True)},
        falls=tuple(generation.slices.fallen(expected.final, numbers)),
        own=int(expected.probs.argmax()),
    )
