"""Bets on the next token: the score is proper, and the model's own bet is what the model says."""

import math
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from transformer.core.model import DecoderModel
from transformer.inspection import betting
from transformer.inspection.log_score import bits, slip
from transformer.training import shipped
from transformer.training.text import BOS

shares = st.lists(st.integers(1, 1000), min_size=4, max_size=4).map(lambda n: np.array(n) / sum(n))


@pytest.mark.parametrize(("share", "cost"), [(1.0, 0.0), (0.5, 1.0), (0.25, 2.0), (2**-10, 10.0), (0.0, math.inf)])
def test_a_bet_costs_minus_its_binary_logarithm(share: float, cost: float):
    assert bits(share) == cost


@given(shares, shares)
def test_nothing_is_cheaper_than_what_one_believes(q: np.ndarray, p: np.ndarray):
    """In closed form: the expected cost of betting p is the entropy of q plus the divergence of p from q."""
    expected = sum(q_i * bits(p_i) for q_i, p_i in zip(q, p, strict=True))
    entropy = -(q * np.log2(q)).sum()
    assert expected == pytest.approx(entropy + (q * np.log2(q / p)).sum())
    assert expected >= entropy - 1e-12


@pytest.mark.parametrize(
    ("bet", "model", "kind"),
    [
        ((0.5, 0.25, 0.25), (0.52, 0.4, 0.08), "close"),
        ((0.34, 0.33, 0.33), (0.9, 0.05, 0.05), "even"),
        ((0.34, 0.33, 0.33), (0.45, 0.4, 0.15), "even"),
        ((0.4, 0.3, 0.3), (0.8, 0.1, 0.1), "careful"),
        ((0.1, 0.8, 0.1), (0.9, 0.05, 0.05), "elsewhere"),
        ((0.1, 0.45, 0.45), (0.4, 0.3, 0.3), "unseen"),
        ((0.45, 0.45, 0.1), (0.7, 0.2, 0.1), "unseen"),
        ((0.9, 0.05, 0.05), (0.5, 0.25, 0.25), "surer"),
        ((0.3, 0.4, 0.3), (0.1, 0.8, 0.1), "luckier"),
        ((0.45, 0.45, 0.1), (0.2, 0.7, 0.1), "luckier"),
        ((0.34, 0.33, 0.33), (0.1, 0.8, 0.1), "luckier"),
    ],
)
def test_what_sets_a_bet_apart_from_the_models(bet: tuple[float, ...], model: tuple[float, ...], kind: str):
    assert slip(bet, model, 0) == kind


def test_the_models_bets_are_its_probabilities_of_a_story_that_it_has_not_read():
    checkpoint = shipped.load("stories")
    model, task = checkpoint.model(), checkpoint.task
    assert isinstance(model, DecoderModel)
    rng = Random(2)
    example = next(filter(task.held_out, (task.draw(rng) for _ in range(1000))))
    assert task.held_out(example)
    text = (BOS, *example.target)
    sources = {at + 1: first + 1 for at, first in example.alignment}
    nameable = {id for id in range(model.config.vocab_size) if task.target.label(id).isalpha()}
    rounds = betting.rounds(model, text, sources, range(8, len(text)), 6, nameable)
    places = [len(round.given) for round in rounds]
    assert len(places) == 6
    assert places == sorted(set(places))
    assert min(places) >= 8
    copied = [round for round in rounds if round.look]
    assert len(copied) >= 3
    for round in rounds:
        assert round.given == text[: len(round.given)]
        assert text[len(round.given)] == round.truth
        with torch.inference_mode():
            output = model(torch.tensor([round.given]))  # the beginning alone
        p = output.logits[0, -1].double().softmax(-1)
        np.testing.assert_allclose(round.model[:-1], p[list(round.named)], atol=1e-5)
        assert sum(round.model) == pytest.approx(1)
        likeliest = [id for id in p.argsort(descending=True).tolist() if id in nameable]
        assert set(round.named) == set(likeliest[:5])
        named = round.named[round.outcome] if round.outcome < 5 else None
        assert named == round.truth or (named is None and round.truth not in round.named)
        if round.look:
            weights = np.stack([layer[0, :, -1].numpy() for layer in output.attention.decoder])  # (L, H, S)
            assert round.look.weight == pytest.approx(weights[..., round.look.key].max(), abs=1e-5)
            assert weights[round.look.layer, round.look.head, round.look.key] == weights[..., round.look.key].max()
            assert round.look.key == sources[len(round.given)]
