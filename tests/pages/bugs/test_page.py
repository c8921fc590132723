"""The museum as the server runs it: exhibits, instruments, a guess, the cure; and what is written about them."""

import re

import numpy as np
import pytest

from lab.kit import catalogue, teaching
from lab.kit.texts.markdown import TextError
from lab.kit.texts.questions import of_page
from pages.bugs import data
from pages.bugs.cases import CASES, INSTRUMENTS, Case, read_cases, read_instruments
from pages.bugs.glosses import GLOSSES
from pages.bugs.listing import MOST, PARTS, listing
from pages.bugs.panels import PANELS, pictures
from tests.inspection.bugs.shown import SHOWN_BY
from tests.pages import driver
from tests.pages.driver import choose, control, notices, payloads, press, words
from transformer.inspection.bugs import collection
from transformer.inspection.bugs.collection import EXHIBITS

FIRST, SECOND, *_, LAST = CASES


def shown(at: driver.AppTest) -> dict:
    """What the figure is told."""
    (sent,) = payloads(at)
    return sent


def test_the_first_exhibit_shows_its_fault_beside_a_healthy_model_and_says_nothing_of_its_cause() -> None:
    at = driver.visit("bugs")
    assert at.title[0].value == "What is wrong here?"
    assert notices(at) == ""
    assert control(at, "bugs_exhibit").value == FIRST
    assert control(at, "bugs_instrument").value == "Row sums"
    assert control(at, "bugs_line").disabled  # the cure comes after the guess
    assert CASES[FIRST].lesson not in words(at)
    sound, faulty = shown(at)["pictures"]
    assert sound["reads"] == "All 17 rows add up to 1."
    assert faulty["reads"] == "17 of 17 rows do not add up to 1."
    assert max(faulty["values"]) > 4
    np.testing.assert_allclose(sound["values"], 1, atol=1e-5)
    assert sound["top"] == faulty["top"] == pytest.approx(max(faulty["values"]), abs=1e-4)
    _, weights = shown(choose(at, bugs_instrument="Weights"))["pictures"]
    np.testing.assert_allclose(weights["values"], data.reading("softmax-axis", "Weights", False).values, atol=1e-5)


def test_a_guess_a_cure_and_the_next_exhibit() -> None:
    at = driver.visit("bugs", bugs_instrument="Weights")
    right = next(n for n, option in enumerate(of_page("bugs")["bugs-softmax-axis"].options) if option.right)
    at = press(at, f"bugs-softmax-axis-{right}")
    assert "**Right.**" in words(at)
    assert not control(at, "bugs_line").disabled
    assert not shown(at)["cured"]
    at = press(at, "try-bugs-softmax-axis")
    assert shown(at)["cured"]
    assert CASES[FIRST].lesson in words(at)
    at = choose(at, bugs_line="faulty")
    assert not shown(at)["cured"]
    assert f"1 of {len(CASES)}" in words(at)
    at = press(at, "bugs-next")
    assert control(at, "bugs_exhibit").value == SECOND
    assert control(at, "bugs_line").disabled
    assert control(at, "bugs_instrument").value == "Change a token", "each exhibit begins with what shows its fault"
    at = choose(at, bugs_exhibit=LAST)
    assert not [button for button in at.button if button.key == "bugs-next"]
    assert notices(at) == ""
    assert control(at, "bugs_line").value == "faulty"
    assert control(at, "bugs_instrument").value == "Precision"


@pytest.mark.parametrize("exhibit", EXHIBITS)
def test_what_an_exhibit_opens_on_shows_its_fault(exhibit: str) -> None:
    assert EXHIBITS[exhibit].clue in SHOWN_BY[exhibit]
    assert EXHIBITS[exhibit].clue in PANELS


@pytest.mark.parametrize("exhibit", EXHIBITS)
def test_each_line_of_a_listing_says_what_it_is_for_and_a_wrong_one_no_more_than_its_cure(exhibit: str) -> None:
    for line in listing(exhibit):
        assert line.gloss, line.text
        known = [GLOSSES[text] for text in (line.cure or "").splitlines() if text in GLOSSES]
        assert all(gloss == line.gloss for gloss in known)


def test_a_layer_is_listed_as_what_it_computes() -> None:
    assert [line.text for line in listing("no-residual")][1:] == [
        "update, weights = self.self_attn(self.norm1.before(x), mask=mask)",
        "mid = self.norm1.after(x, update)",
        "update = self.feed_forward(self.norm2.before(mid))",
        "x = self.norm2.after(mid, update)",
    ]


@pytest.mark.parametrize("exhibit", EXHIBITS)
def test_one_line_of_a_listing_is_wrong_and_its_cure_is_what_the_right_part_says(exhibit: str) -> None:
    lines = listing(exhibit)
    assert 3 <= len(lines) <= MOST
    (guilty,) = (line for line in lines if line.cure is not None)
    right, wrong = (teaching.source_of(PARTS, name)[0] for name in EXHIBITS[exhibit][:2])
    assert _flat(guilty.text) in _flat(wrong)
    assert guilty.text not in map(str.strip, right.splitlines())
    assert guilty.cure
    for line in guilty.cure.splitlines():
        assert _flat(line) in _flat(right)
        assert line not in map(str.strip, wrong.splitlines())
    gives_away = EXHIBITS[exhibit].wrong if "." not in EXHIBITS[exhibit].wrong else "no such name"
    assert not any(gives_away in line.text for line in lines)


def _flat(source: str) -> str:
    return "".join(source.split())


def test_a_link_opens_an_exhibit_cured_and_nonsense_is_named() -> None:
    at = driver.visit("bugs", bugs_exhibit="One pad, all NaN", bugs_instrument="Look for NaN", bugs_line="cured")
    assert notices(at) == ""
    assert shown(at)["cured"]
    sound, faulty = (np.array(picture["values"], float) for picture in shown(at)["pictures"])
    assert not sound.any()
    assert faulty.any()
    at = driver.visit("bugs", bugs_exhibit="<b>", bugs_instrument="Look for NaN", bugs_line="x")
    assert control(at, "bugs_exhibit").value == FIRST
    assert len(notices(at).splitlines()) == 3


@pytest.mark.wide
def test_what_a_test_has_found_is_another_sentence_where_nothing_is_wrong() -> None:
    """Each test that shows a fault says something else of the cured model. Trainings take a while and are left out."""
    slow = (collection.LOSS, collection.LOSSES)
    for exhibit, instruments in SHOWN_BY.items():
        for instrument in PANELS.keys() & set(instruments) - set(slow):
            faulty, cured = (PANELS[instrument].reads(data.reading(exhibit, instrument, one)) for one in (False, True))
            assert faulty != cured, (exhibit, instrument)


@pytest.mark.parametrize("instrument", PANELS)
def test_every_instrument_has_its_picture_and_its_sentence(instrument: str) -> None:
    """Of trainings, which take a while, the numbers are made up here; tests/inspection/bugs has the true ones."""
    if instrument in (collection.LOSS, collection.LOSSES):
        losses = np.array([[3.0, 1.0], [3.0, 2.0]])[: 1 + (instrument == collection.LOSSES)]
        readings = [data.Reading(losses, False)] * 2
    else:
        exhibit = next(name for name, e in EXHIBITS.items() if instrument in e.instruments)
        readings = [data.reading(exhibit, instrument, cured) for cured in (True, False)]
    for reading, drawn in zip(readings, pictures(instrument, readings), strict=True):
        assert re.search(r"\w+.*\.$", drawn["reads"])
        sizes = {"bars": ["labels"], "cells": ["rows", "columns"], "curves": ["names"]}[drawn["kind"]]
        assert tuple(len(drawn[name]) for name in sizes) == np.shape(drawn["values"])[: len(sizes)]
        assert drawn["kind"] == "bars" or np.shape(drawn["values"]) == reading.values.shape
        assert drawn["top"] >= np.nan_to_num(reading.values).max()


def test_of_bars_that_are_all_alike_in_a_healthy_model_the_few_that_differ_most_are_drawn() -> None:
    tokens, faulty = tuple("abcdefgh"), np.array([1, 3, 1.1, 0, 9, 1, 5, np.nan])
    drawn = pictures(collection.ROW_SUMS, [data.Reading(values, True, tokens) for values in (np.ones(8), faulty)])[1]
    assert (drawn["labels"], drawn["values"]) == (list("bcdegh"), [3, 1.1, 0, 9, 5, None])
    assert drawn["axes"].endswith("the 6 of 8 that differ most")
    assert drawn["reads"].endswith("of 8 rows do not add up to 1."), "of all"


def test_what_is_not_a_number_is_sent_as_none() -> None:
    sound, faulty = pictures(collection.WEIGHTS, [data.Reading(np.array([[x]]), True, ("a",)) for x in (0.5, np.nan)])
    assert (sound["values"], faulty["values"]) == ([[0.5]], [[None]])
    assert faulty["reads"] == "1 of 1 attention weights are not numbers (NaN)."


def test_of_how_many_cases_a_later_token_changes_an_output_is_said() -> None:
    values = np.array([[1.0, 0.5, 0.0], [0, 1, 0.2], [0, 0, 1]])
    reads = PANELS[collection.CHANGES].reads
    assert reads(data.Reading(values, True, ("a", "b", "c"))).startswith("In 2 of 3 cases, a later token")
    assert reads(data.Reading(np.eye(3), True, ("a", "b", "c"))) == "No later token changes an output."


# ---- what is written -----------------------------------------------------------------------------------------------


def test_every_exhibit_has_its_words_and_every_instrument_its_panel() -> None:
    assert [case.exhibit for case in CASES.values()] == list(EXHIBITS)
    assert set(PANELS) == set(INSTRUMENTS) <= {name for exhibit in EXHIBITS.values() for name in exhibit.instruments}
    assert len(CASES) == 23  # as the catalogue and the README say
    assert catalogue.page("bugs").help.startswith("Twenty-three models")


@pytest.mark.parametrize("title", CASES)
def test_a_case_asks_one_question_and_names_only_its_own_instruments(title: str) -> None:
    case = CASES[title]
    exhibit = EXHIBITS[case.exhibit]
    options = of_page("bugs")[f"bugs-{case.exhibit}"].options
    assert 3 <= len(options) <= 4
    quoted = re.findall("“(.+?)”", " ".join([case.story, case.lesson, *(option.reply for option in options)]))
    assert {name for name in quoted if name in PANELS} <= set(exhibit.instruments)
    for name in (exhibit.wrong, exhibit.right):
        assert teaching.source_of("transformer/inspection/bugs/parts.py", name)[0]


EXHIBIT = "# All\n\n## a-bug\n\nTitle: Odd\nStory: It went\nwrong.\nLesson: Look.\n"


@pytest.mark.parametrize(
    ("before", "after", "line", "fault"),
    [
        ("Story: ", "", 3, "An exhibit has one paragraph: “Title: …”, “Story: …” and “Lesson: …”"),
        ("Title: Odd", "Title:", 3, "An exhibit has one paragraph"),
        ("Lesson", "\nLesson", 3, "An exhibit has one paragraph"),
        ("## a-bug", "## A bug", 3, "Here stands a key"),
    ],
)
def test_what_is_wrong_with_an_exhibit_is_named_with_its_line(before: str, after: str, line: int, fault: str) -> None:
    assert read_cases(EXHIBIT) == {"Odd": Case("a-bug", "Odd", "It went wrong.", "Look.")}
    with pytest.raises(TextError) as found:
        read_cases(EXHIBIT.replace(before, after, 1))
    assert any(one.line == line and fault in one.sentence for one in found.value.faults), found.value.faults


def test_what_is_wrong_with_an_instrument_is_named_with_its_line() -> None:
    assert read_instruments("# All\n\n## Shapes\n\nCounts.\n\nHealthy: One.\n")["Shapes"] == ("Counts.", "One.")
    for text, line in (("## Shapes\n\nCounts.\n", 1), ("## Shapes\n\nCounts.\n\nOne.\n", 1), ("### Shapes\n", 1)):
        with pytest.raises(TextError) as found:
            read_instruments(text)
        assert [fault.line for fault in found.value.faults] == [line]
