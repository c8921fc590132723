"""The film on the page: the recorded ones, the loop beside it, and a training's own."""

from dataclasses import replace

import numpy as np
import pytest

from pages.live import film
from pages.shared import teaching
from tests.pages.live.live_page import TINY, buttons, notices, packet, press, side, until, visit, widget
from transformer.training import shipped, tasks
from transformer.training.film import film_of
from transformer.training.trainer import Trainer


def test_it_opens_on_a_recorded_film():
    at = visit()
    header, arrays = packet(at)
    (one,) = header["sides"]
    stored = shipped.load("reverse").film
    assert one["state"] == "recorded"
    assert one["said"].startswith("a recorded film")
    assert arrays["0.steps"].tolist() == stored.steps.tolist()
    for p, probe in enumerate(stored.frames):
        for kind, maps in probe.items():
            np.testing.assert_array_equal(arrays[f"0.{p}.{kind}"], maps)
    assert notices(at) == ""
    assert {"pause", "stop", "continue"}.isdisjoint(buttons(at))


def test_every_stored_film_can_be_seen():
    at = visit()
    for title, name in film.recorded_films().items():
        widget(at, "live_film").set_value(title)
        assert side(at.run())["id"] == f"shipped {name}"


def test_the_film_follows_the_task():
    at = visit(live_task="Sort")
    assert side(at)["id"] == "shipped sort"
    widget(at, "live_task").set_value("English to French")
    assert side(at.run())["id"] == "shipped translator"
    widget(at, "live_task").set_value("Addition")  # of which there is none
    assert side(at.run())["id"] == "shipped reverse"


def test_the_film_on_the_page_is_the_training_itself():
    """The same settings in a trainer of our own give the very same frames and curves."""
    done = until(press(visit(**TINY), "train"), "done")
    config = replace(tasks.recipe("copy").config, d_model=8, n_heads=2, d_ff=32, n_encoder_layers=1, n_decoder_layers=1)
    training = replace(tasks.recipe("copy").settings, steps=20, batch_size=8, n_examples=100, warmup=2, every=1)
    trainer = Trainer(tasks.make("copy", longest=8), config, training)
    truth = film_of(trainer.task, list(trainer.parts), list(trainer.run()))
    header, arrays = packet(done)
    assert arrays["0.steps"].tolist() == list(range(21))
    for p, probe in enumerate(truth.frames):
        for kind, maps in probe.items():
            np.testing.assert_array_equal(arrays[f"0.{p}.{kind}"], maps)
    for c, name in enumerate(header["curves"]):
        if name != "seconds":
            np.testing.assert_array_equal(arrays["0.curves"][:, c], truth.curves[name].astype("f4"))
    assert header["sides"][0]["guess"] == pytest.approx(np.log(len(trainer.task.target)))
    assert not header["alive"]
    assert {"pause", "stop", "continue"}.isdisjoint(buttons(done))
    assert widget(done, "live_film").value == film.YOURS
    assert side(done)["said"].startswith("20 steps in")


def test_every_value_beside_the_loop_finds_its_line():
    lines, place = film._loop()
    names = [name for _, name in lines if name]
    assert sorted(names) == sorted(film.LOOP_VALUES.values())
    source, line = teaching.source_of(film.LOOP, "Trainer._learn")
    assert "\n".join(text for text, _ in lines) == source
    assert f"line {line}" in place
    header, _ = packet(visit())
    known = {"step", *header["curves"], *header["sides"][0]["values"]}
    assert set(names) <= known


def test_perplexity_of_a_guess_is_the_vocabulary():
    header, _ = packet(visit())
    assert np.exp(header["sides"][0]["guess"]) == pytest.approx(len(tasks.make("reverse").target))
