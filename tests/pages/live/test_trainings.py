"""Trainings of one visitor: what replaces what, what survives a process, and what can be taken up from bytes."""

import os
import signal
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lab.server import caching
from lab.server import trainings as queues
from lab.server.jobs import Refused
from lab.server.trainings import Queue
from pages.live import register, trainings
from pages.live.controls import CONTROLS
from pages.live.values import Values, plan_of
from tests.pages.live.live_page import TINY, notices, packet, press, side, until, visit
from tests.waiting import SOON, until_holds
from transformer.core.checks import InputError
from transformer.training import tasks
from transformer.training.checkpoints import checkpoint_of
from transformer.training.film import film_of
from transformer.training.places import Process
from transformer.training.plan import Plan, make_trainer
from transformer.training.trainer import Trainer


def plan(steps: int, **more: Any) -> Plan:
    values: dict[str, Any] = {name: next(iter(control.options)) for name, control in CONTROLS.items()}
    values |= {"task": "Copy", "d_model": 8, "heads": 1, "d_ff": 16, "longest": 6, "examples": 100, "batch": 8}
    made = plan_of(Values(**values | more))
    return made._replace(settings=replace(made.settings, steps=steps, warmup=1, every=2))


def assert_same(film, truth, rtol: float = 0.0) -> None:
    assert film.steps.tolist() == truth.steps.tolist()
    for name in set(truth.curves) - {"seconds"}:
        np.testing.assert_allclose(film.curves[name], truth.curves[name], rtol, 0)
    for one, other in zip(film.frames, truth.frames, strict=True):
        for kind in one:
            np.testing.assert_array_equal(one[kind], other[kind])


def whole(plan: Plan):
    trainer = make_trainer(plan)
    return film_of(trainer.task, list(trainer.parts), list(trainer.run()))


# ---- the old ends only when the new is accepted ----------------------------------------------------------------------


def test_a_refused_training_leaves_the_one_before_alone(mine, held, line, monkeypatch):
    held(4)
    at = press(visit(**TINY | {"live_steps": "3000"}), "train")
    (before,) = mine.jobs
    until_holds(lambda: before.snapshots)
    line(1)  # somebody else waits
    monkeypatch.setattr(queues, "MAX_WAITING", 1)
    at = press(at.run(), "train")
    assert "Try again in a few minutes" in notices(at)
    assert mine.jobs == [before]
    assert (before.state, before._request) == ("running", "")


def test_a_refused_second_side_leaves_the_one_before_alone(mine, held, line, monkeypatch):
    held(4)
    press(visit(**TINY | {"live_steps": "3000"}), "train")
    (before,) = mine.jobs
    monkeypatch.setattr(queues, "MAX_WAITING", 1)
    with pytest.raises(Refused):
        trainings.train({"A": plan(20), "B": plan(20)})
    assert mine.jobs == [before]
    assert (before.state, before._request) == ("running", "")
    others = [job for job in before.queue._jobs if job is not before]
    assert all(job._request == "stop" for job in others)  # the first side, which had been accepted


def test_an_upload_that_is_too_large_leaves_the_one_before_alone(mine, held):
    held(4)
    press(visit(**TINY | {"live_steps": "3000"}), "train")
    (before,) = mine.jobs
    large = Trainer(tasks.make("copy", longest=64), plan(5).config, plan(5).settings)
    monster = replace(checkpoint_of(large), settings=replace(plan(5).settings, batch_size=1024))
    wide = replace(monster, config=replace(monster.config, n_heads=8, n_encoder_layers=24))
    with pytest.raises(InputError, match="too much memory"):
        trainings.train_on_upload(wide, 10)
    assert mine.jobs == [before]
    assert (before.state, before._request) == ("running", "")


# ---- a visitor's model stays the visitor's ---------------------------------------------------------------------------


@pytest.mark.wide
def test_a_visitors_model_is_kept_with_the_visitor_alone(mine):
    until(press(visit(**TINY), "train"), "done")
    (training,) = mine.by_place.values()
    model = training.checkpoint()
    assert training.checkpoint() is model  # read once
    caches = caching._BUDGET.caches.values()
    results = [entry.result for cache in caches for entry in cache.entries.values()]
    assert not any(result.done() and result.result() is model for result in results)


# ---- from disk -------------------------------------------------------------------------------------------------------


def test_a_training_is_taken_up_from_disk_and_gives_the_same_film(mine, held):
    long = plan(12)
    truth = whole(long)
    let_go = held(7)
    trainings.train({"A": long._replace(label="as it was")})
    (training,) = mine.by_place.values()
    until_holds(lambda: training.job.step == 6)
    mine.rest()
    let_go.set()
    found = register.Trainings(mine.owner, mine.store).found()
    (again,) = found.by_place.values()
    assert (again.plan.label, again.job.step, again.plan.settings.steps) == ("as it was", 7, 12)
    found.resume(found.jobs)
    assert again.job.wait(SOON)
    assert again.job.state == "done"
    assert_same(again.film(), truth, 1e-4)  # a file keeps five digits of a curve


# ---- real processes --------------------------------------------------------------------------------------------------


@pytest.mark.wide
def test_a_process_is_killed_and_the_page_says_so_and_the_film_is_the_same(mine, monkeypatch):
    place = Process()
    queue = Queue(1, lambda: place)
    monkeypatch.setattr(register, "queue", lambda: queue)
    monkeypatch.setattr(queues, "SECONDS", 0.1)
    at = press(visit(**TINY | {"live_steps": "3000"}), "train")
    (job,) = mine.jobs
    until_holds(lambda: job.step >= 60)
    os.kill(place.id or 0, signal.SIGKILL)
    until_holds(lambda: job.note)
    step = job.step
    until_holds(lambda: job.step > step)
    at = at.run()
    assert "The process that trained it ended. It goes on from step" in notices(at)
    job.pause()
    assert job.wait(SOON)
    (training,) = mine.by_place.values()
    checkpoint = training.checkpoint()
    film = training.film()
    steps = film.steps[-1]
    same = checkpoint.settings
    trainer = Trainer(checkpoint.task, checkpoint.config, same)
    truth = []
    for snapshot in trainer.run():
        truth.append(snapshot)
        if snapshot.step == steps:
            break
    assert_same(film, film_of(trainer.task, list(trainer.parts), truth))
    assert side(at.run())["state"] == "paused"
    assert packet(at).arrays["0.steps"].tolist() == film.steps.tolist()
    job.stop()
    queue.close()
    until_holds(lambda: place.id is None)
