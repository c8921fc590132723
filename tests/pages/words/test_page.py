"""The page of words: the browser is sent all of them, whatever the link names."""

import json
import math
import re
import zlib
from itertools import pairwise

import numpy as np
import pytest

from lab.kit import story
from lab.kit.glossary import attention_pictures, toy
from lab.kit.glossary import payload as glossary
from lab.kit.glossary.words import groups
from lab.kit.models.references import Shipped
from pages.words import data
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
    weights = head.stages["weights"][-1]
    shares = toy.shares_of(toy.STORY_SCORES)
    assert shares[:2] == pytest.approx([weights[first[0]], weights[second[0]]], abs=1e-3)


def test_what_is_stored_is_what_the_model_computes():
    stored, again = (list(leaves(one)) for one in (data.told(), data.computed()))
    assert len(stored) == len(again)
    for one, other in zip(stored, again, strict=True):
        assert one == (other if isinstance(other, str) else pytest.approx(other, abs=0.011))


def leaves(told):
    """All numbers and words of it, one after the other."""
    if not isinstance(told, dict | list | tuple):
        yield told
        return
    for one in told.values() if isinstance(told, dict) else told:
        yield from leaves(one)


def test_every_number_of_a_vector_counts():
    """The counterfactual: with few of its numbers “red” is near no colour, and the head finds neither toy."""
    width, per_head = (data.told()["widths"][name] for name in ("d_model", "d_k"))
    colours = [sum(is_one for _, is_one in near) for near in width["nearest"]]
    assert len(colours) == len(width["row"]) == 128
    assert (colours[3], colours[-1]) == (0, data.N_NEAREST)
    shares = per_head["shares"]
    assert len(shares) == len(per_head["row"]) == 32
    assert sum(shares[3]) < 0.2 < 0.9 < sum(shares[-1])
    assert shares[-1][0] == pytest.approx(data.told()["share"], abs=0.01)


def test_what_the_last_word_gets_is_the_mix_of_both_values():
    source, told = Shipped(story.WRITER).resolve(), data.told()
    layer, head = data.COPIER
    steps = inspection.steps.head_steps(source.single_stack, source.ids(told["tokens"]), head, layer)
    share, values = told["share"], np.array(told["values"])
    mix = share * values[0] + (1 - share) * values[1]
    assert mix == pytest.approx(steps.stages["output"][-1], abs=0.02 * np.abs(values).max())


def test_what_is_written_follows_the_weight_that_one_head_gives():
    """The counterfactual: the same change in any other head of the layer changes no word."""
    told = data.told()
    hat, ball = toy.STORY_KEYS
    assert (told["written"][0], told["written"][-1]) == (ball, hat)
    turns = [before != after for before, after in pairwise(told["written"])]
    assert turns.count(True) == 1, "one word, then the other"
    assert told["written"][round(told["share"] * (data.STEPS - 1))] == hat, "as the model writes it"
    source = Shipped(story.WRITER).resolve()
    ids, (layer, head) = source.ids(told["tokens"]), data.COPIER
    for other in {0, 1, 2, 3} - {head}:
        moved = inspection.steering.steer(source.single_stack, ids, layer, other, told["toys"], 2)
        assert [source.labels[token] for token in moved] == [hat, hat]


def test_every_head_is_sent_with_whom_it_looks_at():
    told = data.told()
    looks = np.array(told["looks"])
    assert looks.shape == (3, 4, told["asks"], len(told["tokens"]))
    assert looks.sum(-1) == pytest.approx(1, abs=0.01)
    for asker in range(told["asks"]):
        later = looks[:, :, asker, len(told["tokens"]) - told["asks"] + asker + 1 :]
        assert not later.any(), "nobody looks ahead"


def test_the_words_that_may_follow_are_the_likeliest_of_the_model():
    told = data.told()
    source = Shipped(story.WRITER).resolve()
    odds = inspection.steering.likeliest(source.single_stack, source.ids(source.cut(data.CUT)), len(source.labels))
    assert [source.labels[token] for token, _ in odds[: data.CHOICES]] == told["choices"]
    assert told["logits"] == pytest.approx([logit for _, logit in odds[: data.CHOICES]], abs=0.01)
    logits = np.array([logit for _, logit in odds])
    assert told["chance"] == pytest.approx(1 / np.exp(logits - logits[0]).sum(), abs=0.001)
    assert all(logit <= told["logits"][-1] + 0.01 for _, logit in odds[data.CHOICES :])
