"""A class votes before it sees the picture, so what it is told must not speak of one."""

import re

import pytest

from lab.kit.lessons import shelf
from lab.kit.lessons.lesson import Asked
from lab.kit.lessons.reader import read
from lab.kit.texts.markdown import TextError
from pages.classroom import plans
from tests.pages.classroom.test_asked import looks, stop

# What can only be pointed at.
POINTS = re.compile(
    r"lowest row|each row|first row|columns?\b|a cell says|its area|the chart|charts? at|small maps?|each map"
    r"|in which map|dotted|bold curve|thin one|(at|on) the (right|left)|^left:|in the picture each|the bars?:"
    r"|the table (on|follows)|above the|outlined|a thread is",
    re.IGNORECASE,
)
TEXT = """---
title: A test
minutes: 1
for: us
---
About it.

## One

[The view](/heads?layer=2&head=0&weights=trained+on+stories&text=mia+found+a+red+hat)

Say: Each row is a word that asks.
{lines}

### Predict

The lowest row: where does it look most?

- [x] hat
  Yes.
- [ ] red
  No.
"""


@pytest.mark.parametrize("name", shelf.ORDER)
def test_before_its_vote_a_class_is_told_nothing_that_needs_the_picture(name: str):
    lesson = shelf.lesson(name)
    predicted = {stop.predict.text for stop in lesson.stops if stop.predict} | {one.asks for one in lesson.stops}
    for step in plans.plan(name).steps:
        texts = [step.say, *([step.ask] if step.say or step.ask in predicted else [])]
        assert not [found[0] for text in texts if (found := POINTS.search(text))], step.heading


def test_the_lesson_itself_still_points_at_its_picture():
    """The counterfactual: without the version for a class, the words would speak of what is not there."""
    said = [stop.say for name in shelf.ORDER for stop in shelf.lesson(name).stops]
    assert sum(bool(POINTS.search(text)) for text in said) > 10


def of_class(lines: str):
    lesson = read(TEXT.format(lines=lines))
    return lesson.stops[0]


def test_a_class_is_told_and_asked_its_own_words_and_the_options_keep_their_order():
    plain = plans._of_stop(of_class(""))[0]
    own = plans._of_stop(of_class("Before: It reads *five* words.\nClass asks: Which word?"))[0]
    assert (plain.say, plain.ask) == ("Each row is a word that asks.", "The lowest row: where does it look most?")
    assert (own.say, own.ask) == ("It reads “five” words.", "Which word?")
    assert own._replace(say=plain.say, ask=plain.ask) == plain


def test_where_a_model_answers_the_class_is_asked_its_own_words_too():
    there = looks(query="5", head="3")._replace(before="Told.", asks="Press it.")
    (step,) = plans._of_stop(there)
    assert (step.kind, step.say, step.ask) == ("cells", "Told.", "Press it.")
    assert stop("heads", Asked("attention")).opening == "Said."


def test_an_empty_line_before_the_picture_is_a_fault():
    with pytest.raises(TextError, match="Before"):
        of_class("Before:")
