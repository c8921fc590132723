"""What a room asks: questions one after another, each with the model's own answer; and which answers there are to each.

A phone sends numbers and nothing else. A word that a student chooses is the number of a word that the room offers, so
that no text of a student's reaches the server, and none can reach the projector.
"""

import json
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

MAX_STEPS = 40
MAX_LABELS = 2000  # words that one question can offer
MAX_BYTES = 120_000  # of a plan
MAX_POINTS = 16  # of a curve
MAX_SIDE = 18  # tokens of a map: cells of more are too small for a finger
MASKED = -1.0  # instead of a weight, in the model's map
KINDS = ("options", "cells", "word", "number", "curve", "map", "talk", "test")
CHOSEN = ("options", "cells", "word", "test")  # kinds whose answer is the number of a label
BEFORE, AFTER = PARTS = ("before", "after")  # of a test
FORMS = 2  # of a test: half the class gets one before and the other after


class PlanError(ValueError):
    """A plan that no room takes; its text is one sentence for whoever made it."""


class Step(NamedTuple):
    """One question.

    kind     options: one of a few; cells: one of the words of a row; word: one of a vocabulary; number: one between low
             and high; curve: a number between low and high over each label; map: a cell, a label's row and
             another's column; talk: nothing is sent; test: one of a few,
             in two forms, and the heading names the idea
    heading  in a few words, and `ask` in one or two sentences
    labels   of the options, cells and words, or of the points of a curve
    truth    the model's own answer: a weight per label, the number, the values of the curve, or the rows of the map
             one after another, with MASKED where nothing can be seen; () where it has none
    replies  what is said of each label, or of the whole if there is one; shown with the truth
    say      what is told before the question; "" for nothing
    view     the address of the view in which the model's answer is seen, below the app's; "" for none
    part     of a test: BEFORE or AFTER
    twin     of a test: the question, the labels and the truth of its second form
    asks     of cells: the number of the word that looks, if it is one of them, or -1
    """

    kind: str
    heading: str
    ask: str
    labels: tuple[str, ...] = ()
    truth: tuple[float, ...] = ()
    replies: tuple[str, ...] = ()
    view: str = ""
    low: float = 0.0
    high: float = 1.0
    unit: str = ""
    say: str = ""
    part: str = ""
    twin: tuple = ()
    asks: int = -1

    def of_form(self, form: int) -> "Step":
        """What a seat of this form, 0 or 1, is asked by a test: options, and no word on which is right."""
        return self.in_form(form)._replace(kind="options", truth=(), replies=(), twin=())

    def in_form(self, form: int) -> "Step":
        """The test as a seat of this form has it, with what is right."""
        form = form if self.part == BEFORE else 1 - form
        return self._replace(ask=self.twin[0], labels=self.twin[1], truth=self.twin[2]) if form else self

    def is_right(self, form: int, kept: str) -> bool:
        """Whether a seat of this form has answered a test rightly."""
        return self.in_form(form).truth[int(kept)] == 1

    def checked(self, value: Any) -> str | None:
        """An answer as it is kept, or None for what is none: a browser may send anything."""
        if self.kind in CHOSEN:
            return str(value) if type(value) is int and 0 <= value < len(self.labels) else None
        if self.kind == "map":
            return ",".join(map(str, value)) if self._is_cell(value) else None
        if self.kind == "number":
            return repr(round(value, 6)) if self._is_within(value) else None
        if self.kind != "curve" or not isinstance(value, list) or len(value) != len(self.labels):
            return None
        if not all(map(self._is_within, value)):
            return None
        return ",".join(str(round(100 * (one - self.low) / (self.high - self.low))) for one in value)

    def _is_cell(self, value: Any) -> bool:
        n = len(self.labels)
        if (
            not isinstance(value, list)
            or len(value) != 2
            or not all(type(one) is int and 0 <= one < n for one in value)
        ):
            return False
        return not self.truth or self.truth[value[0] * n + value[1]] != MASKED

    @property
    def is_masked(self) -> bool:
        """Whether cells of the map are masked."""
        return MASKED in self.truth

    def _is_within(self, value: Any) -> bool:
        return type(value) in (int, float) and self.low <= value <= self.high  # True is no number

    def says_most(self, value: Any) -> bool:
        """Whether an answer, as it is read, is the label or the cell to which the truth gives most."""
        best = self.truth.index(max(self.truth))
        return value == (list(divmod(best, len(self.labels))) if self.kind == "map" else best)

    def read(self, kept: str) -> int | float | list[float] | list[int]:
        """A kept answer as numbers."""
        if self.kind == "map":
            return [int(part) for part in kept.split(",")]
        if self.kind == "curve":
            return [self.low + int(part) / 100 * (self.high - self.low) for part in kept.split(",")]
        return float(kept) if self.kind == "number" else int(kept)


class Plan(NamedTuple):
    """All that a room asks, in order, under a title."""

    title: str
    steps: tuple[Step, ...]

    def packed(self) -> str:
        """As a text for a shelf. Raises PlanError for a plan that is too large or at odds with itself."""
        if not 1 <= len(self.steps) <= MAX_STEPS:
            raise PlanError(f"A room asks 1 to {MAX_STEPS} questions; here are {len(self.steps)}.")
        for number, step in enumerate(self.steps, 1):
            if fault := _fault(step):
                raise PlanError(f"Question {number} {fault}.")
        text = json.dumps([self.title, [list(step) for step in self.steps]], ensure_ascii=False, allow_nan=False)
        if len(text.encode()) > MAX_BYTES:
            raise PlanError(f"These questions take more than the {MAX_BYTES:,} bytes that a room holds.")
        return text


@lru_cache(maxsize=64)  # a plan never changes, and every phone asks for it
def unpacked(text: str) -> Plan:
    """The plan of such a text."""
    title, steps = json.loads(text)
    # A room that was opened before questions had their last part is read without it.
    return Plan(title, tuple(Step(*map(_frozen, one)) for one in steps))


def _frozen(part: Any) -> Any:
    return tuple(map(_frozen, part)) if isinstance(part, list) else part


def _fault(step: Step) -> str:
    """What is wrong with a question, as the end of a sentence; "" for nothing."""
    if step.kind not in KINDS:
        return "is of no kind that a room knows"
    wanted = len(step.labels) if step.kind in (*CHOSEN, "curve") else 1 if step.kind == "number" else 0
    if step.kind == "map":
        wanted = len(step.labels) ** 2
        if not 2 <= len(step.labels) <= MAX_SIDE:
            return f"asks for a map of {len(step.labels)} tokens; there can be 2 to {MAX_SIDE}"
    if step.kind in (*CHOSEN, "curve") and not 2 <= len(step.labels) <= MAX_LABELS:
        return f"has {len(step.labels)} answers to choose from; there can be 2 to {MAX_LABELS}"
    if step.kind == "test" and not _is_test(step):
        return "has no second form that fits the first"
    if step.kind == "curve" and len(step.labels) > MAX_POINTS:
        return f"asks for a curve of {len(step.labels)} points; there can be {MAX_POINTS}"
    if len(step.truth) not in (0, wanted) or not all(map(math.isfinite, step.truth)):
        return "has an answer of the model that does not fit"
    return "" if step.low < step.high else "has no range of numbers to choose from"


def _is_test(step: Step) -> bool:
    """Whether both forms of a test have as many options, one of them right: answers are numbers of options."""
    if step.part not in PARTS or len(step.twin) != 3:
        return False
    _, labels, truth = step.twin
    return len(labels) == len(truth) == len(step.labels) and sorted(truth) == sorted(step.truth) and sum(truth) == 1


def histogram(values: Sequence[float], low: float, high: float, n: int) -> list[int]:
    """How many values fall into each of n equal parts of the range; the upper end belongs to the last."""
    counts = [0] * n
    for value in values:
        counts[min(n - 1, int((value - low) / (high - low) * n))] += 1
    return counts
