"""Questions in Markdown files: what is read, what is refused, and how many there are."""

import pytest

from lab.kit.texts import questions
from lab.kit.texts.markdown import TextError
from lab.kit.texts.questions import Option, Question, n_asked, of_page, read

GOOD = """# For whoever opens this

It is not shown.

## why-far

How far
is {place}?

- [x] One step, $\\frac{a}{b}$
  Every word
  meets every other.
- [ ] Two
  That is what {place} would need.
"""


def test_questions_are_read_by_their_keys():
    assert read(GOOD) == {
        "why-far": Question(
            "How far is {place}?",
            (
                Option("One step, $\\frac{a}{b}$", "Every word meets every other.", True),
                Option("Two", "That is what {place} would need.", False),
            ),
        )
    }


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("- [x]", "- [ ]", 5, "No option is right"),
        ("- [ ]", "- [x]", 13, "Two options are marked"),
        ("- [ ] Two", "- Two", 13, "An option begins with"),
        ("  That is what {place} would need.", "", 13, "has no reply"),
        ("How far\nis {place}?\n", "", 5, "Below its key"),
        ("How far", "See www.example.com", 7, "no links"),
        ("Every word", "<b>Every</b> word", 11, "no links"),
        ("## why-far", "## Why far", 5, "Here stands a key"),
        ("## why-far", "### why-far", 5, "A section begins with"),
    ],
)
def test_every_fault_names_its_line(old: str, new: str, line: int, words: str):
    assert old in GOOD
    with pytest.raises(TextError) as error:
        read(GOOD.replace(old, new, 1))
    assert any(fault.line == line and words in fault.sentence for fault in error.value.faults), str(error.value)


def test_places_are_filled_by_name_and_formulas_have_none():
    question = read(GOOD)["why-far"]
    assert question.places == {"place"}
    assert question.filled(place="Rome").text == "How far is Rome?"
    assert question.filled(place="Rome").options[1].reply == "That is what Rome would need."
    for words in ({}, {"place": "Rome", "time": "now"}):
        with pytest.raises(ValueError, match="has places for"):
            question.filled(**words)


def test_a_page_is_read_once_and_a_fault_names_its_file(tmp_path, monkeypatch):
    monkeypatch.setattr(questions, "_ROOT", tmp_path)
    file = tmp_path / "pages" / "tried" / "questions.md"
    file.parent.mkdir(parents=True)
    file.write_text(GOOD.replace("[x]", "[ ]"), encoding="utf-8")
    with pytest.raises(TextError) as error:
        of_page("tried")
    assert error.value.__notes__ == ["in tried/questions.md"]
    file.write_text(GOOD, encoding="utf-8")
    assert of_page("tried") is of_page("tried")
    (tmp_path / "README.md").write_text("```\n" + GOOD + "```\n", encoding="utf-8")
    assert n_asked("pages/tried/*.md") == 1
    assert n_asked("*.md") == 0, "what is code is no question"
    assert of_page("elsewhere") == {}
    assert n_asked("pages/elsewhere/*.md") == 0
    of_page.cache_clear()
    n_asked.cache_clear()
