"""The models of pictures: their cards tell the truth on fresh pictures, and a small training runs from end to end."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from transformer.training import vision
from transformer.training.tasks import shapes
from transformer.training.tasks.shapes import QUESTIONS

N = 300
FRESH = shapes.draw(N, np.random.default_rng(99_999))
# The least that a model must get right of each question, on its card.
LEAST = {
    "shapes": {"shape": 0.85, "colour": 0.99, "count": 0.9, "place": 0.95},
    "shapes-no-positions": {"shape": 0.4, "colour": 0.99, "count": 0.35},
    "shapes-large-patches": {"shape": 0.6, "colour": 0.99, "count": 0.6, "place": 0.9},
    "shapes-mean": {"shape": 0.7, "colour": 0.99, "count": 0.8, "place": 0.9},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", vision.PLANS)
def test_a_card_says_what_the_model_does_on_fresh_pictures(name: str):
    trained = vision.load(name)
    assert trained.reads == vision.PLANS[name].reads
    assert trained.model.config == vision.PLANS[name].config
    for condition, seed in (("", None), (", patches shuffled", 3)):
        shares = vision.accuracies(trained, FRESH, seed)
        for question, share in shares.items():
            told = float(trained.card[f"{question} right{condition}"])
            spread = math.sqrt(max(told * (1 - told), 0.02) * (1 / N + 1 / float(trained.card["fresh pictures"])))
            assert abs(share - told) < 4 * spread, (question, condition)
    for question, least in LEAST[name].items():
        assert float(trained.card[f"{question} right"]) >= least


def test_only_with_positions_is_a_place_known_and_shuffling_takes_it_away():
    with_, without = (vision.load(name).card for name in ("shapes", "shapes-no-positions"))
    assert float(without["place right"]) < 0.4  # guessing is right one time in four
    assert float(with_["place right, patches shuffled"]) < 0.4
    for question in QUESTIONS:
        assert without[f"{question} right"] == pytest.approx(without[f"{question} right, patches shuffled"], abs=0.002)


@pytest.mark.slow
def test_without_positions_only_a_full_picture_gives_its_place_away():
    trained = vision.load("shapes-no-positions")
    full, sparse = (
        vision.accuracies(trained, shapes.draw(N, np.random.default_rng(1), {"count": count}, size))["place"]
        for count, size in (("four", "large"), ("two", "small"))
    )
    assert full > 0.45 > 0.4 > sparse  # guessing: 0.25


def test_a_small_training_runs_and_comes_back_from_its_file(monkeypatch: pytest.MonkeyPatch):
    plan = replace(vision.PLANS["shapes-large-patches"], steps=6, n_pictures=40, batch_size=8, reads="mean")
    monkeypatch.setitem(vision.PLANS, "small", plan)
    monkeypatch.setattr(vision, "measured", lambda trained: {"place right": 0.5})
    lines: list[str] = []
    trained = vision.train("small", report=lines.append)
    assert trained.card["training steps"] == 6
    assert not trained.model.training
    again = vision.loaded(vision.saved(trained), "small")
    assert (again.reads, again.card) == ("mean", trained.card)
    images = torch.randn(2, 3, 24, 24, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(again.model(images).logits, trained.model(images).logits)
    with pytest.raises(KeyError):
        vision.load("no such model")


def test_the_loss_is_the_sum_of_the_questions_and_answers_are_the_likeliest():
    logits = torch.randn(3, 16, generator=torch.Generator().manual_seed(0))
    answers = torch.tensor([[0, 1, 2, 3], [3, 3, 0, 0], [1, 0, 1, 0]])
    by_hand = sum(F.cross_entropy(logits[:, 4 * n : 4 * n + 4], answers[:, n]) for n in range(4))
    torch.testing.assert_close(vision.loss_of(logits, answers), by_hand)
    assert vision.chosen_answers(logits)[1].tolist() == [int(logits[1, 4 * n : 4 * n + 4].argmax()) for n in range(4)]
    rows = torch.arange(24.0).reshape(1, 4, 6)
    assert vision.answer_logits(rows, "class")[0].tolist() == [0, 1, 2, 3, 4, 5]
    assert vision.answer_logits(rows, "mean")[0].tolist() == [12, 13, 14, 15, 16, 17]
