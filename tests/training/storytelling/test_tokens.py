"""The byte pairs of the stories: no text is unknown, and a word is the same tokens wherever it stands."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.kit import story
from transformer.training.byte_pairs import FIRST_BYTE
from transformer.training.tasks.storytelling import tokens
from transformer.training.tasks.storytelling.grammar import tell
from transformer.training.tasks.storytelling.task import OF_COLOUR, stories
from transformer.training.tasks.storytelling.tokens import N_TOKENS, cut, joined, tokeniser
from transformer.training.tasks.tales import AGAIN, OWNER
from transformer.training.text import UNKNOWN


@given(text=st.text(max_size=60))
def test_no_text_is_unknown(text):
    ids = tokeniser().encode(text)
    assert UNKNOWN not in ids
    assert all(0 <= id < len(tokeniser()) for id in ids)
    assert cut(tokeniser().decode(ids)) == cut(text)


@given(seed=st.integers(0, 2**32))
def test_a_story_comes_back_word_for_word(seed):
    words = [told.word for told in tell(Random(seed))]
    text = joined(words)
    assert tokeniser().decode(tokeniser().encode(text)) == text
    assert cut(text) == words
    assert tokeniser().encode(text) == [id for word in words for id in tokeniser().of_word(word)]


def test_the_story_of_the_pages_has_a_token_per_word():
    assert [tokeniser().label(id) for id in tokeniser().encode(story.TEXT)] == cut(story.TEXT)


def test_labels_are_distinct_and_say_what_goes_on_within_a_word():
    labels = [tokeniser().label(id) for id in range(N_TOKENS)]
    assert len(set(labels)) == len(labels) == len(tokeniser())
    name = [tokeniser().label(id) for id in tokeniser().encode("Hermione")]
    assert not name[0].startswith("##")
    assert all(label.startswith("##") for label in name[1:])
    assert "".join(label.removeprefix("##") for label in name) == "hermione"


def test_a_byte_that_is_no_sign_of_its_own_does_not_look_like_a_number():
    assert [tokeniser().label(id) for id in tokeniser().encode("é 1")] == ["␣", "‹c3›", "‹a9›", "␣", "##1"]


def test_signs_that_no_story_has_are_named_once_and_as_they_were_typed():
    assert tokeniser().unmet("Миа нашла") == ["М", "и", "а", "н", "ш", "л"]
    assert tokeniser().unmet("<b>1 1</b>") == ["<", ">", "1", "/"]
    assert tokeniser().unmet("I ❤️ ते, 👨\u200d👧 \ufe0f") == ["❤️", "ते", "👨\u200d👧"], "none without ink"
    rng = Random(7)
    told = " ".join(told.word for _ in range(300) for told in tell(rng))
    assert tokeniser().unmet(told) == [], "what the stories have is met"


@pytest.mark.wide
@pytest.mark.slow
@pytest.mark.parametrize(("stories", "alike"), [(1200, 0.9), (12_000, 0.95)])
def test_the_file_holds_what_is_learned(stories, alike, monkeypatch):
    """But for a few tokens: weights know those of the file, and since it was learned some questions are other ones.

    A tenth of the stories tell seldom tokens otherwise.
    """
    monkeypatch.setattr(tokens, "N_LEARNED", stories)
    monkeypatch.setattr(tokens, "N_LISTED", stories * tokens.N_LISTED // 12_000)
    now, kept = ({t.bytes(id) for id in range(FIRST_BYTE, len(t))} for t in (tokens.learn(), tokeniser()))
    assert len(now & kept) > alike * len(kept)


@given(seed=st.integers(0, 2**32))
def test_what_is_looked_up_is_aligned_to_the_same_word(seed):
    task = stories()
    example = task.draw(Random(seed))
    assert len(example.target) <= task.longest
    assert task.is_right(example.target)
    for query, key in example.alignment:
        assert key < query


def test_a_pronoun_comes_from_its_owner_and_a_fact_from_where_it_was_told():
    """Another name in its place is no owner, and another fact is not told again."""
    labels = cut("mia found a hat. she took the hat")
    assert stories().relations(labels) == {OF_COLOUR: [], OWNER: [(4, 0)], AGAIN: [(7, 3)]}
    assert stories().relations(cut("tom found a hat. she took the cup")) == {OF_COLOUR: [], OWNER: [], AGAIN: []}


def test_a_colour_that_is_named_again_finds_the_thing_behind_it():
    text = "mia found a {} hat . tom found a blue ball . mia took the red"
    assert stories().relations(cut(text.format("red")))[OF_COLOUR] == [(15, 4)]
    assert stories().relations(cut(text.format("green")))[OF_COLOUR] == [], "no red thing was told"
    assert stories().relations(cut(text.format("red").replace("red hat", "red")))[OF_COLOUR] == [], "nor is one named"
