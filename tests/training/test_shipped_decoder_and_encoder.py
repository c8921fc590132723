"""The stories and the sentiment that are shipped: what their cards say is so, and anyone can make them again."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
import torch

from transformer.training import checkpoints, shipped, shipping, tasks
from transformer.training.scores import exactly_right
from transformer.training.settings import Settings


@pytest.mark.parametrize("name", ["stories", "tales", "sentiment"])
def test_the_file_is_what_the_plan_makes_and_is_small(name):
    checkpoint, plan = shipped.load(name), shipped.SHIPPED[name]
    steps = plan.settings.steps + sum(again.steps for again in plan.again)
    assert checkpoint.settings == replace(plan.settings, steps=steps)
    assert checkpoint.step == steps
    for size in ("d_model", "n_heads", "n_encoder_layers", "n_decoder_layers", "positions"):
        assert getattr(checkpoint.config, size) == getattr(plan.config, size)
    assert checkpoint.film is not None
    assert len(checkpoint.film) == plan.frames + sum(again.drill < 1 for again in plan.again) * plan.frames_again
    assert checkpoint.film.steps[-1] == steps
    assert shipped.file_of(name).stat().st_size < (6_000_000 if name == "stories" else 600_000)


@pytest.mark.slow
def test_sentiment_is_right_on_reviews_that_were_not_trained_on():
    checkpoint = shipped.load("sentiment")
    task = tasks.make("sentiment")
    tests = task.examples(400, Random(99), held_out=True)
    assert exactly_right(checkpoint.model(), task, tests) >= 0.95
    assert checkpoint.card["exactly right, written by itself"] >= 0.95


@pytest.mark.parametrize("name", tasks.TASKS)
def test_every_task_has_a_recipe_that_fits_it(name):
    settings = {"text": "a b c d e f g h i j " * 60} if tasks.TASKS[name].needs_text else {}
    task = tasks.make(name, **settings)
    assert task.draw(Random(0))
    assert 0 < tasks.recipe(name).seconds < (3600 if tasks.TASKS[name].takes_long else 120)


NAMES = shipped.available()


def measured_anew(checkpoint, n):
    return shipping.shown_the_answer(checkpoint, checkpoint.task.examples(n, Random(12345), held_out=True))


# The largest takes as long for its thousand as all others together.
@pytest.mark.few(4)
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.wide if n == "stories" else ()) for n in NAMES])
def test_a_card_says_what_is_measured_on_the_file(name: str) -> None:
    checkpoint = shipped.load(name)
    measured = measured_anew(checkpoint, shipping.N_TESTS)
    assert measured == {key: pytest.approx(checkpoint.card[key], abs=2e-4) for key in measured}


@pytest.mark.wide
def test_the_card_of_the_stories_is_that_of_its_file():
    """On a hundred examples of its thousand, as close to those of all as chance has it."""
    checkpoint = shipped.load("stories")
    measured = measured_anew(checkpoint, 100)
    for key in ("validation loss", "accuracy, token by token"):
        assert measured[key] == pytest.approx(checkpoint.card[key], rel=0.1)


@pytest.mark.parametrize("name", NAMES)
def test_the_readme_has_the_card_of_the_file(name: str) -> None:
    checkpoint = shipped.load(name)
    lines = shipped.FOLDER.joinpath("README.md").read_text().split(f"## {name}: ")[1].split("## ")[0].splitlines()
    assert [line for line in lines if line.startswith("| ") and "| |" not in line] == [
        f"| {key} | {value} |" for key, value in shipping._rows(checkpoint.card)
    ]


def test_a_file_is_measured_anew_and_nothing_else_in_it_changes(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(shipping, "N_TESTS", 30)
    (tmp_path / "copy.safetensors").write_bytes(shipped.file_of("copy").read_bytes())
    for module in (shipped, shipping):
        monkeypatch.setattr(module, "file_of", lambda name: tmp_path / f"{name}.safetensors")
    before = shipped.load("copy")
    card = shipping.measure("copy").card
    after = shipped.load("copy")
    assert card["held-out examples"] == 30
    assert card[shipping.SECONDS] == before.card[shipping.SECONDS]
    assert dict(after.card) == card
    for name in ("config", "settings", "step", "seconds", "losses", "turns"):
        assert getattr(after, name) == getattr(before, name)
    assert all(torch.equal(after.weights[key], weight) for key, weight in before.weights.items())
    assert after.film is not None
    assert before.film is not None
    assert all(np.array_equal(after.film.curves[c], v, equal_nan=True) for c, v in before.film.curves.items())


def test_a_card_without_the_time_of_its_training_says_so():
    told = shipping._rows({"training steps": 3, shipping.SECONDS: 1.5})
    assert list(told) == [("training steps", 3), (shipping.SECONDS, 1.5)]
    assert list(shipping._rows({"training steps": 3})) == [("training steps", 3), (shipping.SECONDS, "not recorded")]


def test_a_second_training_goes_on_with_the_weights_of_the_first(monkeypatch):
    """Steps, film and weights of both: its first step begins where the other ended, and not anew."""
    settings = Settings(steps=6, batch_size=4, n_examples=40, n_tests=4, every=2)
    once = shipped.Shipped("Copy", "copy", tasks.recipe("copy").config, settings, frames=4)
    twice = replace(once, again=(replace(settings, steps=4, seed=1),))
    monkeypatch.setattr(shipping, "card", lambda checkpoint, seconds: {"seconds": seconds})
    monkeypatch.setattr(shipping, "SHIPPED", {"once": once, "twice": twice})
    one, two = (shipping.train(name, report=lambda line: None) for name in ("once", "twice"))
    assert (one.step, two.step) == (6, 10)
    assert two.settings == replace(settings, steps=10)
    assert two.film is not None
    assert one.film is not None
    assert two.film.steps[: len(one.film)].tolist() == one.film.steps.tolist()
    assert two.film.steps[-1] == 10
    moved = sum(float((two.weights[name] - weights).abs().sum()) for name, weights in one.weights.items())
    fresh = checkpoints.load(checkpoints.save(one)).model_before().state_dict()
    anew = sum(float((two.weights[name] - fresh[name]).abs().sum()) for name in one.weights)
    assert 0 < moved < anew
