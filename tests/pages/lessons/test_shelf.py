"""The page of lessons: which one has the first screen."""

import pytest

from lab.kit.figures import display
from lab.kit.lessons import shelf
from lab.kit.texts.inline import html
from tests.pages.driver import notices, payloads, visit

OWN = """---
title: Two words
minutes: 4
for: my class
---
A head, and where it looks.

## Where it looks
[All heads](/heads?layer=2)
Say: Each row is a word that asks.
{}
## And then
[All heads](/heads?layer=1)
Say: Once more.
"""
GUESS = """### Predict
What is a row?
- [x] A word that asks
  Yes, a query.
- [ ] A layer
  A layer has many rows.
"""


def cards(at) -> list[str]:
    """The lessons on the page, one after another, each as its HTML."""
    bodies = [one.proto.body for one in at.get("html")]
    return [body for body in bodies if body.startswith(('<div class="lesson-open"', '<div class="lesson-head"'))]


@pytest.mark.parametrize("guess", ["", GUESS])
def test_the_lesson_that_a_link_brings_has_the_first_screen_to_itself(guess: str):
    code = shelf.packed(OWN.format(guess))
    at = visit("lessons", lesson=code)
    assert at.title[0].value == "Two words"
    first, *others = cards(at)
    assert "lesson-open" in first
    assert "Each row is a word that asks." in first
    assert f"lesson={code}&amp;stop=1" in first
    assert ("A word that asks</a>" in first) == bool(guess)
    assert "And then" in first
    assert not any("lesson-open" in other for other in others), "no other lesson asks anything here"
    assert len(others) == len(shelf.ORDER)


@pytest.mark.parametrize("name", ["positions", "own"])
def test_above_its_first_guess_stands_what_can_be_understood_before_the_view_is_seen(name: str):
    own = shelf.packed(OWN.format(GUESS).replace("Say: Each", "Before: Nothing is *seen* yet.\nSay: Each"))
    stop = shelf.lesson(own if name == "own" else name).stops[0]
    assert stop.before
    first, *_ = cards(visit("lessons", lesson=own if name == "own" else name))
    assert f'<p class="lesson-told">{html(stop.before)}</p>' in first
    assert html(stop.say) not in first


def test_without_one_and_with_a_link_that_is_cut_short_the_first_lesson_begins():
    for link in (None, shelf.packed(OWN.format(""))[:-9]):
        at = visit("lessons", lesson=link)
        assert bool(notices(at)) == bool(link)
        assert at.title[0].value == "Where do I begin?"
        first, *_ = cards(at)
        assert "lesson-film" in first
        assert "lesson=attention&amp;stop=1" in first
        assert len([data for data in payloads(at) if isinstance(data, dict) and "ways" in data]) == 1


def test_its_title_and_what_it_is_about_bring_no_markup_of_their_own():
    """Neither a formula, nor an emoji, nor an icon; its own marks are read, as on the card."""
    text = OWN.format("").replace("Two words", "Costs $5 or $10 :smile:", 1)
    about = "From $5 to $10 :material/home:, with *words* and `a$b$`."
    text = text.replace("A head, and where it looks.", about).replace("## Where it", "## A $1 or $2 look at where it")
    code = shelf.packed(text)
    at = visit("lessons", lesson=code)
    assert at.title[0].value == r"Costs \$5 or \$10 \:smile\:"
    said = r"From \$5 to \$10 \:material\/home\:\, with *words* and ` a$b$ `\."
    assert said in [one.value for one in at.markdown]
    at = visit("heads", lesson=code, stop=1, layer=2)
    assert at.title[0].value == r"A \$1 or \$2 look at where it looks"


def test_one_of_the_house_stands_there_once():
    at = visit("lessons", lesson="heads")
    assert at.title[0].value == display.marked(shelf.lesson("heads").title)
    assert len(cards(at)) == len(shelf.ORDER)
