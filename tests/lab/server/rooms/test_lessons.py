"""Lessons under a short address, on every shelf that rooms are kept on."""

import re

import pytest

from lab.kit.lessons import shelf
from lab.kit.texts.markdown import TextError
from lab.server.rooms import lessons as kept
from lab.server.rooms.lessons import MARK, PER_VISITOR, Lessons
from lab.server.rooms.rooms import LETTERS, NoRoomError
from lab.server.rooms.shelf import AwayError, Memory
from tests.lab.server.rooms.test_shelf import Clock

TEXT = shelf.source("heads")
ANNA, BEN = "A" * 43, "B" * 43


def test_a_lesson_is_found_by_its_code_and_the_same_text_has_the_same(new_shelf):
    lessons = Lessons(new_shelf())
    code = lessons.keep(ANNA, TEXT)
    assert re.fullmatch(rf"\{MARK}[{LETTERS}]{{8}}", code)
    assert lessons.look(code) == TEXT
    assert lessons.keep(ANNA, TEXT) == code
    other = lessons.keep(BEN, TEXT)
    assert other != code, "nobody takes another's code away"
    assert lessons.look(code) == lessons.look(other) == TEXT
    assert lessons.look(f"{MARK}BBBBBBBB") is None


def test_of_one_browser_so_many_are_kept(new_shelf):
    lessons = Lessons(new_shelf(max_rooms=100))
    codes = [lessons.keep(ANNA, TEXT + f"\n{n}".encode()) for n in range(40)]
    there = [code for code in codes if lessons.look(code)]
    assert 2 <= len(there) <= PER_VISITOR
    assert codes[-1] in there


def test_a_full_shelf_refuses_in_a_sentence_and_forgets_nobodys_lesson(new_shelf):
    lessons = Lessons(new_shelf(max_rooms=2, idle=86400.0))
    codes = [lessons.keep(f"{n:043}", TEXT) for n in range(2)]
    with pytest.raises(NoRoomError, match="The long link works"):
        lessons.keep(ANNA, TEXT)
    assert all(lessons.look(code) == TEXT for code in codes)


def test_a_lesson_is_kept_for_its_time_and_no_longer():
    clock = Clock()
    lessons = Lessons(Memory(clock, age=3 * kept.DAY, idle=3 * kept.DAY))
    code = lessons.keep(ANNA, TEXT)
    clock.now += 2.9 * kept.DAY
    assert lessons.look(code) == TEXT
    clock.now += 0.2 * kept.DAY
    assert lessons.look(code) is None


def test_an_address_with_a_code_is_the_lesson_or_a_sentence(monkeypatch):
    lessons = Lessons(Memory())
    monkeypatch.setattr(shelf, "lessons", lambda: lessons)
    code = lessons.keep(ANNA, TEXT)
    assert shelf.lesson(code) == shelf.shipped()["heads"]
    with pytest.raises(TextError, match="Ask who shared it for a new address"):
        shelf.lesson(".BBBBBBBB")
    for wrong in (".", "..", f"{code}X", ".<b>", code.lower()):
        with pytest.raises(TextError, match="no lesson of this name"):
            shelf.lesson(wrong)

    def away(code: str) -> bytes:
        raise AwayError("Rooms cannot be reached.")

    monkeypatch.setattr(lessons, "look", away)
    with pytest.raises(TextError, match=r"Rooms cannot be reached\."):
        shelf.lesson(code)
