"""A model to take away: saved, brought back, trained on, and used on the other pages."""

import json
import struct
import time
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from pages.live import keep_model, trainings
from pages.live.register import Training
from tests.pages import driver
from tests.pages.driver import words
from tests.pages.live.live_page import SOON, TINY, buttons, notices, packet, press, until, visit
from transformer.core.config import TransformerConfig
from transformer.training import checkpoints, claims, tasks
from transformer.training.checkpoints import checkpoint_of
from transformer.training.settings import Settings
from transformer.training.trainer import Trainer


@pytest.mark.wide
def test_a_trained_model_can_be_saved_brought_back_and_trained_on(monkeypatch):
    monkeypatch.setattr(keep_model, "MORE_STEPS", (5, 10))
    at = until(press(visit(**TINY), "train"), "done")
    at.session_state["live_keep"] = True
    at.run()
    press(at, "use-A")
    mine = at.session_state["_kept_trained_model"]
    assert mine.step == 20
    assert mine.film.steps.tolist() == list(range(21))
    data = keep_model.saved(mine)
    back = checkpoints.load(data)
    for name, weight in mine.weights.items():
        np.testing.assert_array_equal(back.weights[name], weight)

    until(press(at, "on-A"), "done")
    assert packet(at).arrays["0.steps"][-1] == 20 + keep_model.MORE_STEPS[1]

    other = visit(live_keep="true")
    other.file_uploader(key="live_checkpoint").set_value(("mine.safetensors", data, "")).run()
    until(press(other, "on-brought"), "done")
    steps = packet(other).arrays["0.steps"]
    assert steps[:21].tolist() == list(range(21))
    assert steps[-1] == 20 + keep_model.MORE_STEPS[1]
    np.testing.assert_array_equal(packet(other).arrays["0.0.cross"][:21], mine.film.frames[0]["cross"])


def test_a_model_with_other_parts_stays_on_this_page():
    config = TransformerConfig(d_model=8, n_heads=2, n_encoder_layers=1, n_decoder_layers=1, n_experts=2)
    trainer = Trainer(tasks.make("copy"), config, Settings(steps=1, batch_size=2, n_examples=20, n_tests=10))
    at = visit(live_keep="true")
    data = checkpoints.save(checkpoint_of(trainer))
    at.file_uploader(key="live_checkpoint").set_value(("mine.safetensors", data, "")).run()
    assert at.button(key="use-brought").disabled
    assert checkpoints.load(data).config.n_experts == 2
    too_many = {**checkpoints._header(data), "config": {**checkpoints._header(data)["config"], "n_experts": 65}}
    with pytest.raises(ValueError, match="n_experts=65 must be a whole number up to 64"):
        claims.config_of(too_many["config"], trainer.task)


def test_after_use_it_the_page_says_what_is_in_use():
    text = "".join(Random(0).choices("ab ␣\n⏎", k=400))  # two pairs of characters look the same
    task = tasks.make("text", text=text, length=8)
    config = TransformerConfig(
        vocab_size=len(task.source), tgt_vocab_size=len(task.target), d_model=8, n_heads=2, n_decoder_layers=1
    )
    trainer = Trainer(task, config, Settings(steps=1, batch_size=2, n_examples=4, n_tests=2))
    at = visit(live_keep="true")
    data = checkpoints.save(checkpoint_of(trainer))
    at.file_uploader(key="live_checkpoint").set_value(("mine.safetensors", data, "")).run()
    assert "In use on the other pages" not in words(at)
    press(at, "use-brought")
    assert "In use on the other pages: Your own text, 0 steps." in words(at)
    other = driver.visit(
        "heads", session={"_kept_trained_model": at.session_state["_kept_trained_model"]}, weights="your own"
    )
    assert "there is no such model" not in notices(other)


@pytest.mark.parametrize("data", [b"", b"\x80\x04pickle", b"PK\x03\x04", b"x" * 100])
def test_a_bad_upload_gets_a_sentence(data):
    at = visit(live_keep="true")
    at.file_uploader(key="live_checkpoint").set_value(("mine.safetensors", data, "")).run()
    assert "not a checkpoint of Attention Lab" in notices(at)
    assert "on-brought" not in buttons(at)


def test_half_a_character_in_a_refused_value_is_shown_as_a_gap():
    header = json.dumps({"__metadata__": {"attention_lab": json.dumps({"version": "one \ud800"})}}).encode()
    at = visit(live_keep="true")
    data = struct.pack("<Q", len(header)) + header
    at.file_uploader(key="live_checkpoint").set_value(("mine.safetensors", data, "")).run()
    assert "it is of version one \ufffd, and this is version 1" in notices(at)


def test_a_model_that_is_too_large_to_train_on_is_refused():
    trainer = Trainer(
        tasks.make("copy", longest=64),
        TransformerConfig(d_model=32, n_heads=8, n_encoder_layers=8),
        Settings(n_examples=10, n_tests=10, batch_size=1024),
    )
    with pytest.raises(ValueError, match="too much memory"):
        trainings.train_on_upload(checkpoint_of(trainer), 10)


def test_a_model_of_very_many_examples_is_not_trained_on_here():
    config = TransformerConfig(d_model=8, n_heads=2, n_encoder_layers=1, n_decoder_layers=1)
    trainer = Trainer(tasks.make("copy"), config, Settings(steps=1, batch_size=2, n_examples=20, n_tests=10))
    many = replace(checkpoint_of(trainer), settings=replace(trainer.settings, n_examples=500_000))
    loaded = checkpoints.load(checkpoints.save(many))
    with pytest.raises(ValueError, match="too much memory"):
        trainings.train_on_upload(loaded, 10)


@pytest.mark.wide
def test_training_on_from_a_pause_leaves_nothing_behind_in_the_queue(mine, held):
    held(60)
    at = press(visit(**TINY | {"live_steps": "3000", "live_keep": "true"}), "train")
    for _ in range(3):  # two that stayed behind would be refused a third
        job = mine.by_place["A"].job
        end = time.monotonic() + SOON
        while not job.snapshots:
            assert time.monotonic() < end
            time.sleep(0.01)
        job.pause()
        assert job.wait(SOON)
        held(job.step + 60)
        at = press(at.run(), "on-A")
        assert "still running" not in notices(at)
        assert mine.by_place["A"].job is not job
        assert not job.is_alive


@pytest.mark.wide
def test_each_model_that_is_kept_is_trained_on_at_its_own_place(monkeypatch):
    """B has come to its end, A still learns: what stands there is B's."""
    at = press(visit(**TINY | {"live_compare": "1 head | 4 heads", "live_d_model": "16"}), "train")
    at = until(at, "done", "done")
    at.session_state["live_keep"] = True
    whole = Training.rests.fget
    monkeypatch.setattr(
        Training, "rests", property(lambda self: whole(self) and not self.plan.label.startswith("1 head"))
    )
    at.run()
    assert {"on-B", "use-B"} <= buttons(at)
    assert not {"on-A", "use-A"} & buttons(at)
    press(at, "use-B")
    assert at.session_state["_kept_trained_model"].config.n_heads == 4
