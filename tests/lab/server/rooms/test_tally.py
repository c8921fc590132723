"""All that a class has answered, as a table: each kind counted by hand, and nobody in it."""

import csv

import pytest

from lab.server.rooms.plan import PARTS, Plan, Step
from lab.server.rooms.rooms import Rooms, form_of
from lab.server.rooms.shelf import Memory
from lab.server.rooms.tally import ABOUT, HEAD, as_csv, tally
from tests.lab.server.rooms.test_rooms import STUDENTS, TEACHER, Class

TESTED = Step("test", "Masks", "Which a?", ("a", "b"), (1.0, 0.0), part=PARTS[0], twin=("Which b?", ("b", "c"), (0, 1)))


def lines(lesson: Class, number: int) -> list[tuple]:
    """(vote, answer, count, of, model, low, middle, high) of a question."""
    return [row[4:] for row in tally(lesson.rooms, lesson.room) if row.number == number]


def test_every_kind_is_counted_beside_what_the_model_says(new_shelf):
    lesson = Class(new_shelf())
    for at, values in enumerate(([0, 1, 1], [0.5, 0.25, 0.5], [[0, 5, 10], [0, 0, 10], [10, 10, 10]], [2, 2, 1])):
        lesson.turn(at=at)
        for student, value in enumerate(values):
            assert lesson.answer(student, value) == ""
    lesson.turn(at=5)
    assert lesson.answer(0, [1, 0]) == ""
    none = (None, None, None)
    assert lines(lesson, 1) == [("first", "left", 1, 3, 0, *none), ("first", "right", 2, 3, 1, *none)]
    assert lines(lesson, 2) == [("first", "0.25", 1, 3, 0.25, *none), ("first", "0.5", 2, 3, 0.25, *none)]
    assert lines(lesson, 3) == [
        ("first", "1", 3, 3, 0, 0, 0, 10),
        ("first", "2", 3, 3, 5, 0, 5, 10),
        ("first", "3", 3, 3, 10, 10, 10, 10),
    ]
    assert [line[1:4] for line in lines(lesson, 4)] == [(".", 2, 3), ("he", 1, 3), ("she", 0, 3)], "the model's own too"
    assert lines(lesson, 5) == [], "of what is only talked about nothing is sent"
    assert [line[1:5] for line in lines(lesson, 6)] == [("a → a", 0, 1, 0.9), ("b → a", 1, 1, 0.4)]


def test_a_second_vote_stands_beside_the_first():
    lesson = Class(Memory())
    lesson.answer(0, 0)
    lesson.turn(again=True)
    lesson.answer(0, 1)
    assert [line[:3] for line in lines(lesson, 1)] == [
        ("first", "left", 1),
        ("first", "right", 0),
        ("second", "left", 0),
        ("second", "right", 1),
    ]


def test_of_a_test_each_form_is_a_question_of_its_own():
    lesson = Class(Memory(), n_students=12, plan=Plan("T", (TESTED,)))
    for student in range(12):
        assert lesson.answer(student, 0) == ""
    rows = tally(lesson.rooms, lesson.room)
    assert [(row.asked, row.vote, row.answer, row.model) for row in rows] == [
        ("Which a?", "before", "a", 1),
        ("Which a?", "before", "b", 0),
        ("Which b?", "before", "b", 0),
        ("Which b?", "before", "c", 1),
    ]
    kept = lesson.rooms.shelf.answers(lesson.code, "0.0")
    assert rows[0].count == sum(form_of(seat) == 0 for seat in kept)
    assert rows[0].count + rows[2].count == 12


def test_nothing_is_in_it_of_who_answered():
    """The same answers by others, in another order, are the same table; no key and no seat stands in it."""
    texts = []
    for order in ((0, 1, 2), (2, 0, 1)):
        lesson = Class(Memory())
        for student, value in zip(order, (0, 1, 1), strict=True):
            lesson.answer(student, value)
        texts.append(as_csv(tally(lesson.rooms, lesson.room), ("T", "2026-11-26", "KRTM")))
        seats = lesson.rooms.shelf.answers(lesson.code, "0.0")
        assert not [one for one in (TEACHER, *STUDENTS, *seats) if one in texts[-1]]
    assert texts[0] == texts[1]


def test_each_line_says_which_class_it_was_and_no_text_begins_a_formula():
    rooms = Rooms(Memory())
    step = Step("options", "=1+1", 'A "quoted", question', ("@cmd", "-0.5"), (0.0, 1.0))
    rooms.open(TEACHER, Plan("T", (step,)))
    room = rooms.owned(TEACHER)
    assert room is not None
    rooms.sit(room, STUDENTS[0])
    rooms.answer(room, STUDENTS[0], 0, 0, 1)
    sheet = as_csv(tally(rooms, room), ("+T", "2026-11-26", room.code))
    head, *rows = csv.reader(sheet.removeprefix("\ufeff").splitlines())
    assert head == [*ABOUT, *HEAD]
    for row in rows:
        assert row[:3] == ["'+T", "2026-11-26", room.code]
        assert row[4:6] == ["'=1+1", 'A "quoted", question']
        assert len(row) == len(head)
    assert [row[8] for row in rows] == ["'@cmd", "-0.5"], "a number stays one"


@pytest.mark.parametrize("n", [0, 1])
def test_a_question_that_nobody_has_answered_has_no_lines(n: int):
    lesson = Class(Memory())
    for student in range(n):
        lesson.answer(student, 0)
    assert len(tally(lesson.rooms, lesson.room)) == 2 * n
