"""What a lesson shows before a view is seen, and on the way from one stop to the next."""

import json
import re
from html import escape
from typing import Any

import pytest

from lab.frame.lessons import answered
from lab.frame.lessons.worksheet import worksheet
from lab.kit.lessons import shelf
from lab.kit.lessons.reader import read
from lab.kit.lessons.shelf import Place
from lab.kit.texts.markdown import TextError
from pages.classroom import plans
from pages.lessons.scorm import scorm
from tests.pages.driver import press, values, visit
from tests.pages.lessons.test_lead import SMALL, html, stops
from tests.pages.lessons.test_scorm import files

OF_PICTURES = re.compile(
    r"\b(areas?|bars?|cells?|charts?|curves?|hatched|lowest|maps?|outlined|strips?|threads?|(at|on) the right)\b", re.I
)


def test_a_guess_speaks_of_nothing_that_is_not_seen_yet():
    for place, stop in stops():
        if stop.predict:
            asked = f"{stop.opening} {stop.predict.text} {' '.join(option.text for option in stop.predict.options)}"
            assert OF_PICTURES.findall(asked) == [], (place, asked)


def test_a_guess_has_a_sentence_of_its_own_where_that_of_the_stop_speaks_of_the_picture():
    text = SMALL.replace("Say: Say", "Before: Nothing is seen *yet*.\nSay: Say")
    session: dict[str, Any] = {}
    at = visit("attention", session=session, lesson=shelf.packed(text), stop=1, att_way="Guess")
    assert "Nothing is seen <i>yet</i>." in html(at)
    assert "Say <i>this</i>" not in html(at)
    at.text_area(key="lesson-written").set_value("x").run()
    at = press(at, "lesson-guess-0")
    assert "Nothing is seen" not in html(at)
    assert "Say <i>this</i>" in html(at)


def test_in_a_class_and_on_paper_the_same_sentence_stands_above_the_guess():
    text = SMALL.replace("Say: Say", "Before: Nothing is seen *yet*.\nSay: Say")
    lesson = read(text)
    assert plans._of_stop(lesson.stops[0])[0].say == "Nothing is seen “yet”."
    blank, solved = (worksheet(lesson, is_teachers=teachers) for teachers in (False, True))
    own, say = "<p>Nothing is seen <i>yet</i>.</p>", "Say <i>this</i> &amp; that."
    assert (own in blank, say in blank) == (True, False)
    assert (own in solved, solved.count(say)) == (True, 1), "the teacher knows what they read next"
    assert solved.index(own) < solved.index("Guess it.") < solved.index(say)
    usual = worksheet(read(SMALL), is_teachers=True)
    assert usual.count(say) == 1, "where both are one, it is said once"
    sent = files(scorm(lesson, "https://lab.example/"))["lesson.js"].decode()
    facts = json.loads(sent.removeprefix("globalThis.LESSON = ").removesuffix(";\n"))["stops"][0]
    assert (facts["opening"], facts["say"]) == ("Nothing is seen “yet”.", "Say “this” & that.")


@pytest.mark.parametrize("label", ["Before", "Class asks"])
def test_what_belongs_to_a_prediction_is_refused_without_one(label: str):
    text = SMALL.replace("Say: Say", f"{label}: Nothing yet.\nSay: Say")
    read(text)
    with pytest.raises(TextError, match=f"“{label}:”.*### Predict"):
        read(text.replace("### Predict\nGuess it.\n", ""))


def test_on_the_way_from_stop_to_stop_one_run_draws_no_control_so_that_the_browser_forgets_them_all():
    code = shelf.packed(SMALL)
    at = visit("attention", session={answered.GUESSES: {Place(code, 1): ""}}, lesson=code, stop=1, att_way="Guess")
    assert "att_way" in values(at)
    at.query_params["stop"], at.query_params["att_way"] = "2", "Mix"
    at = at.run()
    assert "att_way" not in values(at)
    assert re.findall('data-lesson-go="([^"]+)"', html(at)) == [escape(Place(code, 2).address)]
    at.query_params["att_way"] = "Mix"  # as the script puts the address in place once more
    assert values(at.run())["att_way"] == "Mix"
