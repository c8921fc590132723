"""How far the vectors of a table moved, from the first step of a training to the last."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab.kit.models.references import Shipped
from pages.live import data, trainings
from tests.pages.live.live_page import TINY, notices, press, side, until, visit
from transformer.training.film import film_of
from transformer.training.trainer import Trainer, tables


def test_the_vectors_before_are_those_that_the_stored_film_began_with():
    checkpoint = Shipped("reverse").resolve().checkpoint
    start = Trainer(checkpoint.task, checkpoint.config, checkpoint.settings)
    begun = film_of(checkpoint.task, [], [start.snapshot(np.nan, np.nan, None)]).frames[0]["cross"][0]
    np.testing.assert_array_equal(begun, checkpoint.film.frames[0]["cross"][0])
    (_, before), _ = data.first_and_last_tables("shipped reverse", checkpoint)
    np.testing.assert_array_equal(before["tokens"], tables(start.model)["tokens"])


def test_how_far_the_rows_of_a_table_moved_is_said():
    checkpoint = Shipped("reverse").resolve().checkpoint
    before = Trainer(checkpoint.task, checkpoint.config, checkpoint.settings).model.encoder.embedding.weight.detach()
    after = checkpoint.model().encoder.embedding.weight.detach()
    share = float((after - before).norm(dim=1).mean() / before.norm(dim=1).mean())
    assert data.moved("shipped reverse", checkpoint) == {"tokens": pytest.approx(share, rel=1e-3)}
    assert share > 0.1
    assert f"by {share:.0%} of the length that they had at first" in captions(visit(live_learned="true"))


def test_a_learned_table_of_positions_moves_as_well():
    at = visit(**TINY, live_positions="learned", live_learned="true")
    until(press(at, "train"), "done")
    at.run()
    (training,) = trainings.trainings().by_place.values()
    shares = data.moved(f"{training.id} {training.job.step}", training.checkpoint())
    assert set(shares) == {"tokens", "positions"}
    for name, share in shares.items():
        assert share > 0
        assert f"one vector per {name[:-1]}." in captions(at)
        assert f"by {share:.0%} of the length" in captions(at)


def test_while_ones_own_training_runs_a_notice_says_that_the_model_shown_is_another(held):
    held(7)
    at = press(visit(**TINY, live_learned="true"), "train")
    while not side(at)["frames"]:
        at.run()
    assert notices(at) == (
        "Your training is still running, so you see a recorded model here. Pause it, or wait for its end, to see what "
        "it has learned."
    )
    assert "Reverse, as recorded" in captions(at)
    until(press(at, "pause"), "paused")
    at.run()
    assert notices(at) == ""
    assert "your training" in captions(at)
    assert "Reverse, as recorded" not in captions(at)


def captions(at: AppTest) -> str:
    assert not at.exception
    return "\n".join(text.value for text in at.caption).replace("\\", "")
