"""Beam search against no search at all. That it is Hugging Face's stands in test_hugging_face."""

import math

import numpy as np
import pytest
import torch

from tests.generation import oracles
from tests.generation.oracles import BOS, EOS, V, decoder, every_text, translator
from transformer.core.config import POSITION_SCHEMES
from transformer.generation import beam_search, begin, generate

PROMPT, SOURCE = [5, 6, 7, 8], [9, 3, 4, 11, 5, 6]
kinds = pytest.mark.parametrize("kind", ["decoder", "translator"])


def start(kind, seed=1, **settings):
    cached = settings.pop("cached", True)
    if kind == "decoder":
        return begin(decoder(seed, **settings), PROMPT, cached=cached)
    return begin(translator(seed, **settings), [BOS], SOURCE, cached=cached)


def directly(state):
    """log-probabilities of the next token by a fresh run of the whole model."""
    model, memo = state.model, {}

    @torch.no_grad()
    def log_probs(ids):
        if ids not in memo:
            text = torch.tensor([state.ids + ids])
            output = model(text) if state.source is None else model(torch.tensor([SOURCE]), text)
            memo[ids] = output.logits[0, -1].log_softmax(-1).tolist()
        return memo[ids]

    return log_probs


@pytest.mark.slow
@kinds
@pytest.mark.grid(1)
@pytest.mark.parametrize(("alpha", "seed"), [(0.0, 0), (1.0, 1), (2.0, 2)])
def test_a_beam_wide_enough_finds_the_best_of_all_texts(kind, alpha, seed, monkeypatch):
    size = 5
    monkeypatch.setattr(oracles, "V", size)
    state = start(kind, seed, vocab_size=12)  # SOURCE and PROMPT are other tokens of it
    model = state.model
    with torch.no_grad():  # only the first `size` tokens can be written
        model.output.linear.bias[size:] = -1e4
        model.output.linear.bias[0] = 0
    max_new = 4
    texts = every_text(directly(state), max_new, EOS)
    assert len(texts) == sum(4**n for n in range(4)) + 4**4
    ranked = sorted(((score / len(ids) ** alpha, ids) for ids, score in texts), reverse=True)
    found = beam_search(state, size**max_new, max_new=max_new, eos=EOS, length_penalty=alpha, early_stopping="never")
    found = [h for h in found.best if h.score > -1e3]  # the other tokens are possible, but only just
    assert [h.ids for h in found] == [ids for _, ids in ranked]
    np.testing.assert_allclose([h.final for h in found], [final for final, _ in ranked], rtol=0, atol=1e-10)


@pytest.mark.few(6)
@kinds
@pytest.mark.parametrize("positions", POSITION_SCHEMES)
def test_scores_are_those_of_the_texts_themselves(kind, positions):
    """Every node of the tree, kept or not, against a fresh run without cache and without batch."""
    state = start(kind, positions=positions, n_kv_heads=2)
    log_probs = directly(state)
    paths: list[dict[int, tuple[tuple[int, ...], float]]] = [{-1: ((), 0.0)}]
    found = beam_search(state, 3, max_new=6, eos=EOS)
    for nodes in found.steps:
        here: dict[int, tuple[tuple[int, ...], float]] = {}
        for i, node in enumerate(nodes):
            ids, score = paths[-1][node.parent]
            assert node.log_p == pytest.approx(log_probs(ids)[node.id], abs=1e-10)
            assert node.score == pytest.approx(score + node.log_p, abs=1e-10)
            here[i] = ((*ids, node.id), node.score)
        paths.append(here)
    for text in found.best:
        assert paths[len(text.ids)][text.path[-1]] == (text.ids, text.score)
        assert text.final == pytest.approx(text.score / len(text.ids))


@kinds
def test_the_tree(kind):
    width, max_new = 3, 6
    found = beam_search(start(kind), width, max_new=max_new, eos=EOS)
    assert found.steps[0][0].parent == -1
    for t, nodes in enumerate(found.steps, start=1):
        assert len(nodes) == min(2 * width, V if t == 1 else 10**6)
        assert [n.score for n in nodes] == sorted((n.score for n in nodes), reverse=True)
        fates = [n.fate for n in nodes]
        assert fates.count("kept") == (0 if t == max_new else width)
        for rank, node in enumerate(nodes):
            ended = node.fate in ("finished", "cut")
            assert (node.final is not None) == ended
            assert (node.fate == "finished") <= (node.id == EOS and rank < width)
            assert (node.fate == "cut") <= (t == max_new and node.id != EOS and rank < width)
            assert (node.fate == "kept") <= (node.id != EOS)
            if t > 1:
                assert found.steps[t - 2][node.parent].fate == "kept"
    for text in found.best:
        nodes = [step[i] for step, i in zip(found.steps, text.path, strict=False)]
        assert tuple(n.id for n in nodes) == text.ids
        assert nodes[-1].final == text.final
        assert nodes[-1].fate == ("finished" if text.finished else "cut")
    assert [h.final for h in found.best] == sorted((h.final for h in found.best), reverse=True)


@kinds
@pytest.mark.parametrize("seed", range(3))
def test_a_beam_of_one_is_greedy(kind, seed):
    state = start(kind, seed)
    greedy = [step.id for step in generate(state, max_new=8, eos=EOS)]
    assert list(beam_search(state, 1, max_new=8, eos=EOS, early_stopping=True).best[0].ids) == greedy


@kinds
def test_with_and_without_a_cache_it_is_the_same(kind):
    fast, slow = (
        beam_search(start(kind, cached=cached), 4, max_new=7, eos=EOS, repetition_penalty=1.2)
        for cached in (True, False)
    )
    assert [h.ids for h in fast.best] == [h.ids for h in slow.best]
    assert [[n[:2] for n in nodes] for nodes in fast.steps] == [[n[:2] for n in nodes] for nodes in slow.steps]


def test_it_changes_no_state():
    state = start("decoder")
    logits = state.logits.clone()
    first, second = (beam_search(state, 3, max_new=5, eos=EOS) for _ in range(2))
    assert first == second
    assert state.reading.cache.length == len(PROMPT)
    assert torch.equal(state.logits, logits)


def test_without_eos_all_are_cut():
    found = beam_search(start("decoder"), 3, max_new=4)
    assert [len(h.ids) for h in found.best] == [4, 4, 4]
    assert not any(h.finished for h in found.best)


def test_a_beam_wider_than_the_vocabulary():
    found = beam_search(start("decoder"), 20, max_new=2, eos=EOS)
    assert len(found.steps[0]) == V
    assert len(found.best) == 20


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"width": 0}, "width=0"),
        ({"width": 2.0}, r"width=2\.0"),
        ({"max_new": 0}, "max_new=0"),
        ({"max_new": 62}, "at most 61 tokens"),
        ({"length_penalty": math.nan}, "length_penalty=nan"),
        ({"length_penalty": math.inf}, "length_penalty=inf"),
        ({"length_penalty": 11}, "length_penalty=11"),
        ({"repetition_penalty": 0}, "repetition_penalty=0"),
        ({"early_stopping": 1}, "early_stopping=1"),
        ({"early_stopping": "soon"}, "early_stopping='soon'"),
    ],
)
def test_settings_that_cannot_be_meant(settings, message):
    with pytest.raises(ValueError, match=message):
        beam_search(start("decoder"), **{"width": 2, "max_new": 3} | settings)
