"""A session of its own for every test of the live page, and trainings that wait."""

import uuid
from threading import Event

import pytest

from lab.server.jobs import Job
from lab.server.snapshots import Snapshots
from lab.server.trainings import Queue
from pages.live import register, trainings
from tests.pages.live.live_page import SOON
from tests.training.here import Here
from transformer.training.stretches import Stretch, run_stretch
from transformer.training.trainer import Trainer


@pytest.fixture(autouse=True)
def mine(monkeypatch, tmp_path):
    """The trainings of this test's visitor, who has all of its visits open side by side."""
    mine = register.Trainings(uuid.uuid4().hex, Snapshots(tmp_path / "snapshots"))
    monkeypatch.setattr(trainings, "trainings", lambda: mine)
    yield mine
    mine.stop(mine.jobs)


@pytest.fixture
def held(monkeypatch):
    """held(n): from now on a training stands still at step n, until it is paused or stopped, or let go on."""
    let_go, run = Event(), Trainer.run

    def hold(n: int) -> Event:
        def run_held(trainer, go_on):
            return run(trainer, lambda: go_on() and (trainer.step < n or let_go.wait(0.05)))

        monkeypatch.setattr(Trainer, "run", run_held)
        return let_go

    yield hold
    let_go.set()


@pytest.fixture
def line(monkeypatch):
    """A queue with one place, and how to fill it with work of others that ends when it is told to."""
    line, end = Queue(1, Here, run=lambda *args, **more: run(*args, **more)), Event()
    monkeypatch.setattr(register, "queue", lambda: line)

    def run(name, step, start, **_):
        if start == b"others":
            end.wait(SOON)
            return Stretch(step=1, is_done=True)
        return run_stretch(name, step, start, **_)

    def fill(n):
        return [line.submit(Job(f"other {i}", b"others", 1)) for i in range(n)]

    yield fill
    end.set()
    line.close()
