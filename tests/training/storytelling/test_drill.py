"""The drill: every answer was told before what asks for it, and no name or pair is told that is kept for the test."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from transformer.training.tasks.storytelling import drill, words
from transformer.training.tasks.storytelling.examples import LONGEST, is_story
from transformer.training.tasks.storytelling.pools import is_made_up, is_reserved
from transformer.training.tasks.storytelling.tokens import cut, tokeniser

SEEDS = st.integers(0, 2**32)


def said_in(example):
    return cut(tokeniser().decode(example.target))


@given(seed=SEEDS)
def test_every_question_of_a_row_has_the_answer_that_was_told(seed):
    example = drill.row(Random(seed))
    said = said_in(example)
    deeds = {}
    while len(said) > 5 and (said[0] in words.PERSONS or is_made_up(said[0])) and said[2] == "a":
        person, _, _, colour, thing, _ = said[:6]
        deeds[thing], said = (person, colour), said[6:]
    assert 2 <= len(deeds) <= 3
    assert not any(is_reserved(f"{colour} {thing}") for thing, (_, colour) in deeds.items())
    questions = " ".join(said).replace(" it was ", " ").split(" . ")
    n = 0
    for asked, answer in (question.removesuffix(" .").split(" ? ") for question in questions):
        thing = next(word for word in asked.split() if word in deeds)
        assert answer == deeds[thing][asked.startswith(("which", "what"))]
        n += 1
    assert n == drill.N_ASKED
    assert len({i for i, _ in example.alignment}) >= n


@given(seed=SEEDS)
def test_a_drilled_story_is_told_by_the_grammar_and_asks_against_the_order(seed):
    example = drill.story(Random(seed))
    assert len(example.target) <= LONGEST
    assert is_story(example.target), "renamed people are told of as any others"
    said = " ".join(said_in(example))
    assert any(asks in said for asks in ("who was ", "who liked ", *(f"who {past} the " for past in words.PASTS)))


@given(seed=SEEDS)
def test_names_that_are_kept_for_the_test_are_not_drilled_and_answers_are_those_told(seed):
    example = drill.draw(Random(seed))
    assert not any(is_made_up(word) and is_reserved(word) for word in said_in(example))
    for i, j in example.alignment:
        assert example.target[i] == example.target[j]


def test_renamed_people_keep_to_themselves():
    people = words.PERSONS[:40]
    called = drill.renamed(people, Random(0), taken=people)
    assert list(called) == list(people)
    assert len(set(called.values())) == 40
    new = [name for old, name in called.items() if name != old]
    assert 0.15 < len(new) / 40 < 0.6
    assert all(map(is_made_up, new))
