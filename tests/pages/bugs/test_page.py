"""The museum as the server runs it: exhibits, instruments, a guess, the cure; and what is written about them."""

import re

import numpy as np
import pytest

from lab.kit import catalogue, teaching
from lab.kit.texts.markdown import TextError
from lab.kit.texts.questions import of_page
from pages.bugs import data, figures
from pages.bugs.cases import CASES, INSTRUMENTS, Case, read_cases, read_instruments
from pages.bugs.glosses import GLOSSES
from pages.bugs.listing import PARTS, listing
from pages.bugs.museum import CLOSED
from pages.bugs.panels import PANELS
from tests.inspection.bugs.shown import SHOWN_BY
from tests.pages import driver
from tests.pages.driver import chart, choose, control, notices, payloads, press, words
from transformer.inspection.bugs import collection
from transformer.inspection.bugs.collection import EXHIBITS

FIRST, SECOND, *_, LAST = CASES


def test_the_first_exhibit_shows_its_symptom_at_once_and_says_nothing_of_its_cause() -> None:
    at = driver.visit("bugs")
    assert at.title[0].value == "What is wrong here?"
    assert notices(at) == ""
    assert control(at, "bugs_exhibit").value == FIRST
    assert control(at, "bugs_instrument").value == CLOSED
    assert control(at, "bugs_line").disabled  # the cure comes after the guess
    assert not at.code
    assert "17 of 17" not in words(at), "no clue is open before one is asked for"
    assert not [button for button in at.button if button.key == "bugs-compare"]
    at = choose(at, bugs_instrument="Row sums")
    assert "**17 of 17** rows do not add up to 1." in words(at)
    assert "on this code" in words(at)
    scale = chart(at)["layout"]["yaxis"]["range"]
    assert max(chart(at)["data"][0]["y"]) > 4
    at = press(at, "bugs-compare")
    assert "All **17** rows add up to 1." in words(at)
    assert "on a healthy model" in words(at)
    np.testing.assert_allclose(chart(at)["data"][0]["y"], 1, atol=1e-5)
    assert chart(at)["layout"]["yaxis"]["range"] == scale
    assert "on this code" in words(press(at, "bugs-compare"))
    at = choose(driver.visit("bugs"), bugs_instrument="Weights")
    assert "on this code" in words(at)
    weights = chart(at)["data"][0]["z"]
    np.testing.assert_allclose(weights, data.reading("softmax-axis", "Weights", False).values)


def test_a_guess_a_cure_and_the_next_exhibit() -> None:
    at = driver.visit("bugs", bugs_instrument="Row sums")
    assert "**17 of 17** rows do not" in words(at)
    right = next(n for n, option in enumerate(of_page("bugs")["bugs-softmax-axis"].options) if option.right)
    at = press(at, f"bugs-softmax-axis-{right}")
    assert "**Right.**" in words(at)
    assert not control(at, "bugs_line").disabled
    assert control(at, "bugs_line").value == "faulty"
    at = press(at, "try-bugs-softmax-axis")
    assert control(at, "bugs_line").value == "cured"
    assert not control(at, "bugs_line").disabled
    assert "All **17** rows add up to 1." in words(at)
    assert not [button for button in at.button if button.key == "bugs-compare"], "the cured code is a healthy model"
    assert CASES[FIRST].lesson in words(at)
    faulty, cured = (code.value for code in at.code)
    assert "softmax(dim=-2)" in faulty
    assert "softmax(dim=-1)" in cured
    at = choose(at, bugs_line="faulty")
    assert "**17 of 17** rows do not" in words(at)
    assert f"1 of {len(CASES)}" in words(at)
    at = press(at, "bugs-next")
    assert control(at, "bugs_exhibit").value == SECOND
    assert control(at, "bugs_line").disabled
    assert control(at, "bugs_instrument").value == CLOSED, "each exhibit begins without a clue"
    assert not at.code
    at = choose(at, bugs_exhibit=LAST)
    assert not [button for button in at.button if button.key == "bugs-next"]
    assert notices(at) == ""
    assert control(at, "bugs_line").disabled
    assert control(at, "bugs_line").value == "faulty"
    assert control(at, "bugs_instrument").value == CLOSED


@pytest.mark.parametrize("exhibit", EXHIBITS)
def test_each_line_of_a_listing_says_what_it_is_for_and_a_wrong_one_no_more_than_its_cure(exhibit: str) -> None:
    for line in listing(exhibit):
        assert bool(line.gloss) != line.is_head, line.text
        known = [GLOSSES[text] for text in (line.cure or "").splitlines() if text in GLOSSES]
        assert all(gloss == line.gloss for gloss in known)


def test_a_layer_is_listed_as_what_it_computes() -> None:
    assert [line.text for line in listing("no-residual")][2:] == [
        "def forward(self, x, mask):",
        "update, weights = self.self_attn(self.norm1.before(x), mask=mask)",
        "mid = self.norm1.after(x, update)",
        "update = self.feed_forward(self.norm2.before(mid))",
        "x = self.norm2.after(mid, update)",
        "return x, weights",
    ]


@pytest.mark.parametrize("exhibit", EXHIBITS)
def test_one_line_of_a_listing_is_wrong_and_its_cure_is_what_the_right_part_says(exhibit: str) -> None:
    lines = listing(exhibit)
    assert 3 <= sum(not line.is_head for line in lines) <= 10
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


def test_the_lines_say_nothing_before_the_wrong_one_is_found() -> None:
    _, sent = payloads(driver.visit("bugs"))
    assert not sent["open"]
    assert {line["cure"] for line in sent["code"]} == {None}
    symptom, cured = payloads(driver.visit("bugs", bugs_line="cured"))
    assert symptom["cured"]
    assert [line["text"][-7:] for line in cured["code"] if line["cure"]] == ["dim=-2)"]
    assert [line["cure"][-7:] for line in cured["code"] if line["cure"]] == ["dim=-1)"]


def test_the_bars_of_the_cure_stand_on_the_scale_of_the_fault() -> None:
    faulty, cured = (
        chart(driver.visit("bugs", bugs_instrument="Row sums", bugs_line=line)) for line in ("faulty", "cured")
    )
    assert max(faulty["data"][0]["y"]) > 4
    assert faulty["layout"]["yaxis"]["range"] == cured["layout"]["yaxis"]["range"]
    np.testing.assert_allclose(cured["data"][0]["y"], 1, atol=1e-5)


def test_a_link_opens_an_exhibit_cured_and_nonsense_is_named() -> None:
    at = driver.visit("bugs", bugs_exhibit="One pad, all NaN", bugs_instrument="Look for NaN", bugs_line="cured")
    assert notices(at) == ""
    assert not np.any(chart(at)["data"][0]["z"])
    at = driver.visit("bugs", bugs_exhibit="<b>", bugs_instrument="Look for NaN", bugs_line="x")
    assert control(at, "bugs_exhibit").value == FIRST
    assert len(notices(at).splitlines()) == 3


@pytest.mark.wide
def test_what_a_test_has_found_is_another_sentence_where_nothing_is_wrong() -> None:
    """Each test that shows a fault says something else of the cured model. Trainings take a while and are left out."""
    slow = (collection.LOSS, collection.LOSSES, collection.WRITING)
    for exhibit, instruments in SHOWN_BY.items():
        for instrument in set(instruments) - set(slow):
            faulty, cured = (PANELS[instrument].reads(data.reading(exhibit, instrument, one)) for one in (False, True))
            assert faulty != cured, (exhibit, instrument)


@pytest.mark.parametrize("instrument", PANELS)
def test_every_instrument_has_its_picture_and_its_sentence(instrument: str) -> None:
    """Of trainings, which take a while, the numbers are made up here; tests/inspection/bugs has the true ones."""
    if instrument in (collection.LOSS, collection.LOSSES):
        reading = data.Reading(
            np.array([[3.0, 1.0], [3.0, 2.0]])[: 1 + (instrument == collection.LOSSES)], False, False
        )
    elif instrument == collection.WRITING:
        reading = data.Reading(np.array([1.0, 0.0]), True, False, ("c", "d", "e", "<pad>"), ("e", "f"))
    else:
        exhibit = next(name for name, e in EXHIBITS.items() if instrument in e.instruments)
        reading = data.reading(exhibit, instrument, False)
    panel = PANELS[instrument]
    assert re.search(r"\*\*.+\*\*", panel.reads(reading))
    assert (panel.figure is None) != (panel.table is None)
    if panel.figure:
        panel.figure(reading).to_json()
    elif panel.table:
        assert "|--" in panel.table(reading)
        assert "<pad>" not in panel.table(reading)


def test_the_height_of_healthy_bars_is_written_beside_them_and_never_over_one() -> None:
    for healthy in (0, 1):
        drawn = figures.bars(np.array([3.0, 0.2]), ["a", "b"], titles=("", ""), healthy=healthy)
        (note,) = drawn.layout.annotations
        assert (note.text, note.y) == (f"healthy: {healthy}", healthy)
        assert (note.xref, note.x, note.xanchor) == ("paper", 1, "left")
        assert drawn.layout.margin.r > 60
        assert drawn.layout.shapes[0].label.text is None


@pytest.mark.parametrize("n", [2, 12, 16, 17])
def test_of_many_rows_every_other_one_is_named_and_always_the_last(n: int) -> None:
    names = [f"word {at}" for at in range(n)]
    drawn = figures.map_of(np.eye(n), names, names, titles=("", ""), value="x", is_weight=True, stairs=True)
    rows = drawn.layout.yaxis
    assert list(rows.ticktext) == [names[at] for at in rows.tickvals]
    assert rows.tickvals[-1] == n - 1
    assert set(np.diff(rows.tickvals)) == {1 if n <= 12 else 2}
    assert len(drawn.layout.xaxis.tickvals) == n


def test_of_how_many_cases_a_later_token_changes_an_output_is_said() -> None:
    values = np.array([[1.0, 0.5, 0.0], [0, 1, 0.2], [0, 0, 1]])
    reads = PANELS[collection.CHANGES].reads
    assert reads(data.Reading(values, True, True, ("a", "b", "c"))).startswith("In **2 of 3** cases, a later token")
    assert reads(data.Reading(np.eye(3), True, True, ("a", "b", "c"))) == "**No** later token changes an output."


def test_what_is_not_a_number_is_drawn_as_that() -> None:
    drawn = figures.map_of(
        np.array([[1.0, np.nan]]), ["a"], ["a", "b"], titles=("", ""), value="x", is_weight=True, stairs=False
    )
    assert [trace.text for trace in drawn.data if trace.text] == [("NaN",)]
    bars = figures.bars(np.array([np.nan, 2.0]), ["a", "b"], titles=("", ""))
    assert list(bars.data[0].y) == [0, 2]
    assert list(bars.data[1].x) == [0]


def test_the_stairs_are_the_edge_of_the_lower_triangle() -> None:
    drawn = figures.map_of(np.eye(2), ["a", "b"], ["a", "b"], titles=("", ""), value="x", is_weight=True, stairs=True)
    edge = drawn.data[1]
    assert list(zip(edge.x, edge.y, strict=True)) == [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (1.5, 0.5), (1.5, 1.5)]


# ---- what is written -----------------------------------------------------------------------------------------------


def test_every_exhibit_has_its_words_and_every_instrument_its_panel() -> None:
    assert [case.exhibit for case in CASES.values()] == list(EXHIBITS)
    assert set(PANELS) == set(INSTRUMENTS) == {name for exhibit in EXHIBITS.values() for name in exhibit.instruments}
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
