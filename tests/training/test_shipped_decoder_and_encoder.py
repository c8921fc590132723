"""The stories and the sentiment that are shipped: what their cards say is so, and anyone can make them again."""

from random import Random

import pytest

from transformer.training import shipped, shipping, tasks
from transformer.training.scores import exactly_right


@pytest.mark.parametrize("name", ["stories", "sentiment"])
def test_the_file_is_what_the_plan_makes_and_is_small(name):
    checkpoint, plan = shipped.load(name), shipped.SHIPPED[name]
    assert checkpoint.settings == plan.settings
    assert checkpoint.step == plan.settings.steps
    for size in ("d_model", "n_heads", "n_encoder_layers", "n_decoder_layers", "positions"):
        assert getattr(checkpoint.config, size) == getattr(plan.config, size)
    assert checkpoint.film is not None
    assert len(checkpoint.film) == plan.frames
    assert shipped.file_of(name).stat().st_size < 600_000


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
    assert 0 < tasks.recipe(name).seconds < 120


def test_a_card_without_the_time_of_its_training_says_so():
    told = shipping._rows({"training steps": 3, shipping.SECONDS: 1.5})
    assert list(told) == [("training steps", 3), (shipping.SECONDS, 1.5)]
    assert list(shipping._rows({"training steps": 3})) == [("training steps", 3), (shipping.SECONDS, "not recorded")]
