"""A session of its own for every test of the live page, and trainings that wait."""

import uuid
from threading import Event

import pytest

from pages.live import trainings
from pages.shared import training_queue
from tests.pages.live.live_page import SOON
from transformer.training.trainer import Trainer


@pytest.fixture(autouse=True)
def mine(monkeypatch):
    """The trainings of this test's session: those of AppTest are all one to Streamlit's caches."""
    mine, owner = trainings.Trainings(), uuid.uuid4().hex
    monkeypatch.setattr(trainings, "trainings", lambda: mine)
    monkeypatch.setattr(trainings, "owner", lambda: owner)
    yield mine
    training_queue.queue().leave(owner)


@pytest.fixture
def held(monkeypatch):
    """held(n): from now on a training stands still after n steps, until it is paused or stopped, or let go on."""
    let_go, run = Event(), Trainer.run

    def hold(n: int) -> Event:
        def run_held(trainer, go_on):
            last = trainer.step + n

            def may_go_on():
                while trainer.step >= last and not let_go.wait(0.01):
                    if not go_on():
                        return False
                return go_on()

            return run(trainer, may_go_on)

        monkeypatch.setattr(Trainer, "run", run_held)
        return let_go

    yield hold
    let_go.set()


@pytest.fixture
def line(monkeypatch):
    """A queue with one place, and how to fill it with work of others that ends when it is told to."""
    line, end = training_queue.Queue(1), Event()
    monkeypatch.setattr(trainings, "queue", lambda: line)

    class Work:
        step = 0

        def run(self, go_on):
            end.wait(SOON)
            yield from ()

    def fill(n):
        return [line.submit(f"other {i}", Work, 1) for i in range(n)]

    yield fill
    end.set()
    line.close()
