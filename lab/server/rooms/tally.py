"""All that a class has answered, as one table for a spreadsheet: counts per question, and nothing about anybody in it.

A row per answer that could be given, or was: how many gave it, of how many, and what the model or the right answer is.
Of words, and of the cells of a map, those that somebody chose and the model's own. Of a curve, a row per point, with
the middle of the class.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from lab.server.rooms.plan import FORMS, Step
from lab.server.rooms.rooms import Room, Rooms, form_of
from lab.server.rooms.spreadsheet import written

ABOUT = ("lesson", "date", "room")
ROUNDS = ("first", "second")


class Row(NamedTuple):
    """A line of the table.

    number, heading, asked  the question: its number, from 1, and its words
    kind                    as plan.py has it
    vote                    which vote of it: first or second; of a test: before or after the lesson
    answer                  an option, a word, a cell, a number, or a point of a curve
    count, of               how many gave this answer, and how many answered
    model                   what the model gives it: a weight, a probability, its own value, or 1 for what is right
    low, middle, high       of a point of a curve: the lowest, the median and the highest of the class
    """

    number: int
    heading: str
    asked: str
    kind: str
    vote: str
    answer: str
    count: int
    of: int
    model: float | None = None
    low: float | None = None
    middle: float | None = None
    high: float | None = None


_COUNTS = ("count", "answered", "model", "lowest", "median", "highest")
HEAD = ("question", "heading", "asked", "kind", "vote", "answer", *_COUNTS)


def tally(rooms: Rooms, room: Room) -> list[Row]:
    """All questions of a room that somebody has answered, in order."""
    rows: list[Row] = []
    for at, step in enumerate(room.plan.steps):
        for n in range(room.state.rounds[at] + 1):
            kept = rooms.shelf.answers(room.code, room.slot(at, n))
            if step.kind == "test":
                for form in range(FORMS):
                    of_form = {seat: value for seat, value in kept.items() if form_of(seat) == form}
                    rows += _rows(at + 1, step.in_form(form), step.part, of_form)
            else:
                rows += _rows(at + 1, step, ROUNDS[n], kept)
    return rows


def _rows(number: int, step: Step, vote: str, kept: Mapping[str, str]) -> Iterator[Row]:
    values: list[Any] = [step.read(value) for value in kept.values()]
    about = (number, step.heading, step.ask, step.kind, vote)
    of = len(values)
    if not values:
        return
    if step.kind == "curve":
        for n, (label, points) in enumerate(zip(step.labels, zip(*values, strict=True), strict=True)):
            few = (round(value, 6) for value in (min(points), median(points), max(points)))
            yield Row(*about, label, of, of, _at(step.truth, n), *few)
        return
    if step.kind == "number":
        for value, count in sorted(Counter(values).items()):
            yield Row(*about, f"{value:g}{step.unit}", count, of, _at(step.truth, 0))
        return
    side = len(step.labels)
    chosen = Counter(row * side + column for row, column in values) if step.kind == "map" else Counter(values)
    best = max(range(len(step.truth)), key=step.truth.__getitem__, default=None)
    places = {*chosen, *([] if best is None else [best])} if step.kind in ("map", "word") else range(side)
    for place in sorted(places, key=lambda place: (-chosen[place], place)) if step.kind == "word" else sorted(places):
        label = " → ".join(step.labels[n] for n in divmod(place, side)) if step.kind == "map" else step.labels[place]
        yield Row(*about, label, chosen[place], of, _at(step.truth, place))


def _at(truth: Sequence[float], n: int) -> float | None:
    return truth[n] if truth else None


def as_csv(rows: Iterable[Row], about: Sequence[str]) -> str:
    """The table; about: the lesson, the date and the room, which stand in each line."""
    return written((*ABOUT, *HEAD), [(*about, *row) for row in rows])
