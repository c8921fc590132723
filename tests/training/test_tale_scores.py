"""What the grammar of tales says of a text, and the scores that stand beside a model of them."""

import math
from itertools import product
from random import Random
from typing import Any

import pytest
import torch

from transformer.core.config import TransformerConfig
from transformer.training import grammar_scores, tasks
from transformer.training.batches import build
from transformer.training.grammar_scores import cross_entropy, ranked_first
from transformer.training.tasks import tales
from transformer.training.tasks.tales import AGAIN, OWNER, WORDS, log_probability, relations


@pytest.fixture(scope="module")
def task():
    return tasks.make("tales")


def words(example):
    return [WORDS.vocabulary[id] for id in example.target]


def ids(kinds):
    return [[WORDS.vocabulary.id(word) for word in kind] for kind in kinds]


def test_every_fact_of_a_plot_adds_up_to_the_plot():
    """Over all fillings, sensible or not: its chance, .6, 1/3 for how many sentences, 1/12 for which."""
    opening, end = tales.FOUND[0][2], tales.FOUND[2][2]
    total = 0.0
    for hero, colour, thing, he in product((*tales.BOYS, *tales.GIRLS), tales.COLOURS, tales.THINGS, ("he", "she")):
        text = f"{opening} {end}"
        for slot, word in (("{hero}", hero), ("{colour}", colour), ("{thing}", thing), ("{he}", he)):
            text = text.replace(slot, word)
        total += math.exp(log_probability(text.split()))
    assert total == pytest.approx(0.6 / 3 / 12)


@pytest.mark.slow
def test_it_is_as_often_drawn_as_it_is_probable(task):
    """By the first sentence: every one of them has its share of the mass."""
    rng = Random(0)
    drawn = [words(task.draw(rng)) for _ in range(4000)]
    present = sum("present" in tale for tale in drawn) / 4000
    assert present == pytest.approx(0.6 / 3, abs=0.02)
    # 1/p averaged over draws is the number of tales there are, whatever the draw: here of one kind, by hand.
    kind = [s for s in drawn if "present" in s and "box" in s and s.count(".") == 2]
    many = sum(math.exp(-log_probability(tale)) for tale in kind) / len(drawn)
    assert many == pytest.approx(12 * 6 * 7, rel=0.25)


@pytest.mark.parametrize(
    "text",
    [
        "tom found a red ball in the park . in the evening ben took the red ball home .",
        "tom found a red ball in the park . in the evening tom took the blue ball home .",
        "tom found a red ball in the park . she was very happy . in the evening tom took the red ball home .",
        "tom found a red ball in the park . he was very sad . in the evening tom took the red ball home .",
        "tom found a red ball in the park . then he went to the barn and played with the ball .",
        "tom found a red ball in the park . he told ben about the ball . in the evening tom took the red ball home .",
        "tom found a red ball in the park .",
        "",
    ],
)
def test_tales_that_do_not_hold_together_are_never_told(text):
    assert log_probability(text.split()) == -math.inf


def test_all_that_is_drawn_is_told(task):
    rng = Random(1)
    assert all(log_probability(words(task.draw(rng))) > -math.inf for _ in range(300))


class _Knows(torch.nn.Module):
    """A decoder that gives every wanted token of these tales nearly everything, and the rest by its id."""

    def __init__(self, told):
        super().__init__()
        self.table = {tuple([1, *e.target][: n + 1]): [*e.target, 2][n] for e in told for n in range(len(e.target) + 1)}
        self.p = torch.nn.Parameter(torch.zeros(1))

    def logits(self, ids):
        out = torch.zeros(*ids.shape, len(WORDS))
        for b, row in enumerate(ids.tolist()):
            for t in range(len(row)):
                token = self.table.get(tuple(row[: t + 1]))
                if token is not None:
                    out[b, t, token] = 30.0
        return out


def model_that_knows(*examples) -> Any:
    return _Knows(examples)


def test_a_model_that_knows_a_story_has_every_pronoun_and_fact_right(task, monkeypatch):
    monkeypatch.setattr(
        grammar_scores, "forward_batch", lambda model, batch: type("Output", (), {"logits": model.logits(batch.text)})
    )
    for test in task.examples(20, Random(0), held_out=True):  # one by one: two may begin alike
        knows = model_that_knows(test)
        assert ranked_first(knows, [test], ids(tales.FACTS), repeated=True) == 1
        assert cross_entropy(knows, [test]) == pytest.approx(0, abs=1e-6)
        if {"he", "she"} & set(words(test)):
            assert ranked_first(knows, [test], ids(tales.PRONOUNS)) == 1


def test_told_again_means_only_what_was_told_before(task, monkeypatch):
    monkeypatch.setattr(
        grammar_scores, "forward_batch", lambda model, batch: type("Output", (), {"logits": model.logits(batch.text)})
    )
    for test in task.examples(10, Random(1), held_out=True):
        knows = model_that_knows(test)  # what it says first is wrong, what it repeats is right
        again = {place for place, _ in test.alignment}
        knows.table = {key: id if len(key) - 1 in again else 3 for key, id in knows.table.items()}
        assert ranked_first(knows, [test], ids(tales.FACTS), repeated=True) == 1
        assert ranked_first(knows, [test], ids(tales.FACTS)) < 1


@pytest.mark.slow
def test_an_untrained_model_is_near_chance(task):
    config = TransformerConfig(d_model=16, n_heads=2, vocab_size=len(WORDS), n_decoder_layers=1)
    model = build("decoder", config, torch.Generator().manual_seed(0)).eval()
    tests = task.examples(100, Random(0), held_out=True)
    found = tales.scores(model, tests, n_written=20)
    assert found["of these, tales that the grammar tells"] == 0
    assert 0.2 < found["right pronouns"] < 0.8
    assert found["perplexity, a word"] > 40
    assert 1.3 < found["perplexity of the grammar itself"] < 1.8


@pytest.mark.wide
@pytest.mark.slow
def test_the_shipped_model_tells_tales():
    from transformer.training import shipped

    card = shipped.load("tales").card
    assert card["perplexity, a word"] < 1.02 * card["perplexity of the grammar itself"]
    assert card["of these, tales that the grammar tells"] > 0.95
    assert card["right pronouns"] > 0.98
    again = tales.scores(
        shipped.load("tales").model(), tasks.make("tales").examples(200, Random(3), held_out=True), 100
    )
    assert again["of these, tales that the grammar tells"] > 0.9
    assert again["right pronouns"] > 0.97


def test_relations_say_where_the_next_word_comes_from():
    text = "tom lost a key . he told anna about the key . she gave him the key"
    words = text.split()
    pairs = relations(words)
    assert pairs[OWNER] == [(4, 0), (11, 7), (13, 0)], "he, she, him: asked for one word before"
    assert pairs[AGAIN] == [(9, 3), (15, 3), (15, 10)]
    assert relations(["the", "he"]) == {OWNER: [], AGAIN: []}
