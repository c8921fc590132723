"""The page of words: the browser is sent all of them, whatever the link names."""

import json
import math
import re
import zlib

import pytest

from lab.kit import story
from lab.kit.glossary import attention_pictures, toy
from lab.kit.glossary import payload as glossary
from lab.kit.glossary.words import groups
from lab.kit.models.references import Shipped
from pages.words.components import word_list
from tests.pages.driver import notices, payload, visit
from transformer import core, inspection


def test_the_shares_of_the_softmax_add_up_to_1_as_they_are_written():
    written = re.findall(r"\b0\.\d\d\b", str(attention_pictures.softmax()))
    assert len(written) == 3
    assert sum(int(share[2:]) for share in written) == 100


def test_the_browser_is_sent_every_word_in_its_group():
    at = visit("words", word="no such word")
    assert at.title[0].value == "What does this word mean?"
    assert notices(at) == ""
    sent = json.loads(zlib.decompress(payload(at)))["groups"]
    assert {group["title"]: [word["name"] for word in group["words"]] for group in sent} == {
        title: [word.name for word in words] for title, words in groups().items()
    }
    (query,) = [word for group in sent for word in group["words"] if word["name"] == "query"]
    assert ["token", "token"] in query["sentence"]
    assert query["href"] == "attention?att_way=Step+by+step"


def test_words_are_found_by_what_a_beginner_types():
    """The search looks in what a word is, what else it is called, and what it answers."""
    words = {word["name"]: word for group in glossary.groups() for word in group["words"]}
    for asked in ("sqrt", "√d", "square root", "scale"):
        assert asked in words["score"]["asked"]
    assert "⟨start⟩" in words["special token"]["also"]


def test_the_scores_of_the_story_are_those_of_the_model():
    """Of its last word, in the head that pages open with; the two keys are those that it looks at most."""
    source = Shipped(story.WRITER).resolve()
    tokens = source.cut(story.TEXT)
    mask = core.masks.causal(len(tokens))
    head = inspection.steps.head_steps(source.single_stack, source.ids(tokens), 0, 2, mask)
    scores = dict(zip(enumerate(tokens), head.stages["scaled"][-1], strict=True))
    first, second, *others = sorted(scores, key=lambda at: -scores[at])
    assert (first[1], second[1]) == toy.STORY_KEYS
    assert tokens[-1] == toy.STORY_ASKS
    rest = math.log(sum(math.exp(scores[at]) for at in others))
    assert pytest.approx((scores[first], scores[second], rest), abs=1e-3) == toy.STORY_SCORES
    assert pytest.approx(scores[first] * word_list.ROOT) == head.stages["scores"][-1][first[0]]
    weights = head.stages["weights"][-1]
    shares = toy.shares_of(toy.STORY_SCORES)
    assert shares[:2] == pytest.approx([weights[first[0]], weights[second[0]]], abs=1e-3)


def test_the_story_is_sent_as_the_model_reads_it():
    told = json.loads(zlib.decompress(word_list.words()))["story"]
    read = [word for line in told["lines"] for word in line]
    source = Shipped(story.WRITER).resolve()
    assert [token for token in source.cut(story.TEXT) if not token.startswith("⟨")] == read
    assert set(told["keys"]) < set(told["lines"][0])
