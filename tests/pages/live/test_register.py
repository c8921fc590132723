"""The trainings of visitors: whose they are, what is on disk of them, and what is found again."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from lab.server.jobs import Refused
from lab.server.snapshots import Snapshots
from lab.server.trainings import Queue
from pages.live import register
from pages.live.register import Order, Register, Training, Trainings
from tests.training.here import Here
from tests.waiting import SOON, until_holds
from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.training.checkpoints import load
from transformer.training.plan import Plan, make_trainer
from transformer.training.settings import Knobs, Settings, Turn
from transformer.training.stages import most_stages
from transformer.training.stretches import Stretch, run_stretch

SETTINGS = Settings(steps=20, batch_size=4, n_examples=20, n_tests=8, every=1)
PLAN = Plan("copy", {}, TransformerConfig(d_model=8, n_heads=2, n_encoder_layers=1, n_decoder_layers=1), SETTINGS)
OWNER = "a" * 43


class Line:
    """A queue whose stretches take one step each, and stop at the step `last` until they may go on."""

    def __init__(self) -> None:
        self.last, self.may_go_on, self.clock = 1000, threading.Event(), 0.0
        self.queue = Queue(2, Here, clock=lambda: self.clock, run=self._run)

    def _run(self, run: str, step: int, start, *, seconds: float, **more):
        if step >= self.last:
            self.may_go_on.wait(0.02)
            return Stretch(step=step)
        return run_stretch(run, step, start, seconds=1e-9, **more)


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    line = Line()
    monkeypatch.setattr(register, "queue", lambda: line.queue)
    monkeypatch.setattr(register, "KEEP_EVERY", 0.0)
    yield line
    line.queue.close()


@pytest.fixture
def store(tmp_path: Path) -> Snapshots:
    return Snapshots(tmp_path / "kept")


def begun(store: Snapshots, *places: str) -> Trainings:
    mine = Trainings(OWNER, store).found()
    mine.start({place: Order(PLAN._replace(label=f"training {place}")) for place in places or ("A",)})
    return mine


def found(store: Snapshots, owner: str = OWNER) -> Trainings:
    """What a server that was started anew finds."""
    return Trainings(owner, store).found()


def kept_step(store: Snapshots) -> int:
    data = store.find(OWNER, "live A")
    return load(data).step if data else -1


@pytest.mark.wide
def test_a_training_that_was_cut_off_is_found_at_its_last_state(line, store):
    line.last = 12
    first = begun(store)
    until_holds(lambda: kept_step(store) == 12)
    again = found(store)
    (training,) = again.by_place.values()
    assert training.job.state == "paused"
    assert again.notices == ["Found again at step 12; it was cut off there. “Continue” goes on from there."]
    assert (training.plan.label, training.job.step, training.job.steps) == ("training A", 12, 20)
    film = training.film()
    assert film.steps.tolist() == list(range(13))
    assert training.vocabulary > 3
    first.stop(first.jobs)  # the server that was cut off would not do that; here it has to make room
    line.last = 1000
    again.resume(again.jobs)
    assert training.job.wait(SOON)
    assert training.job.state == "done", training.job.error
    assert again.notices == []
    assert training.film().steps.tolist() == list(range(21))


@pytest.mark.wide
def test_what_goes_on_ends_where_it_would_have_ended(line, store):
    whole = begun(store)
    assert whole.jobs[0].wait(SOON)
    expected = whole.by_place["A"].checkpoint()
    line.last = 12
    cut_off = begun(store)
    until_holds(lambda: kept_step(store) == 12)
    again = found(store)
    cut_off.by_place["A"].let_go()
    line.last = 1000
    again.resume(again.jobs)
    again.jobs[0].wait(SOON)
    weights = again.by_place["A"].checkpoint().weights
    assert all((weights[name] == weight).all() for name, weight in expected.weights.items())


@pytest.mark.wide
def test_a_knob_that_was_turned_at_rest_is_found_turned(line, store):
    line.last = 12
    first = Trainings(OWNER, store).found()
    first.start({"A": Order(PLAN)})
    training = first.by_place["A"]
    until_holds(lambda: kept_step(store) == 12)
    training.job.pause()
    until_holds(lambda: training.job.state == "paused")
    training.turn(lr=0.5)
    training.turn(dropout=0.25)
    training.turn(dropout=0.25)  # as it is
    expected = (Turn(12, Knobs(0.5, 4, 0.25)),)
    assert training.job.turns == expected
    with pytest.raises(InputError, match="lr"):
        training.turn(lr=-1.0)
    with pytest.raises(InputError, match="batch_size"):
        training.turn(batch_size=5000)
    assert training.knobs == expected[0].knobs
    training.let_go()
    again = found(store).by_place["A"]
    assert (again.job.turns, again.knobs) == (expected, expected[0].knobs)
    line.last = 1000
    again.job.resume()
    assert again.job.wait(SOON)
    assert again.checkpoint().turns == expected
    again.turn(lr=0.1)  # it is over
    assert again.job.turns == expected


@pytest.mark.wide
def test_the_model_can_be_had_at_its_stages_also_by_who_finds_it_again(line, store):
    line.last = 12
    first = begun(store).by_place["A"]
    until_holds(lambda: kept_step(store) == 12)
    found_again = found(store).by_place["A"]
    assert found_again.checkpoint().stops == tuple(range(13))
    line.last = 1000
    found_again.job.resume()
    first.let_go()
    assert found_again.job.wait(SOON)
    checkpoint = found_again.checkpoint()
    assert len(checkpoint.stages) == most_stages(len(checkpoint.stages[0].weights))
    assert {0, 1, 20} < set(checkpoint.stops)
    trainer = make_trainer(PLAN)
    for stage in checkpoint.stages:
        list(trainer.run(lambda last=stage.step: trainer.step < last))
        weights = checkpoint.model_at(stage.step).state_dict()
        for name, weight in trainer.model.state_dict().items():
            torch.testing.assert_close(weights[name], weight.half().float(), rtol=0, atol=0)


def test_a_training_that_was_done_is_found_done(line, store):
    first = begun(store)
    assert first.jobs[0].wait(SOON)
    until_holds(lambda: kept_step(store) == 20)
    again = found(store)
    assert again.states == ("done",)
    assert again.notices == []
    assert again.by_place["A"].rests
    assert again.by_place["A"].checkpoint().step == 20
    assert again.jobs[0].seconds == again.by_place["A"].checkpoint().seconds > 0


@pytest.mark.wide
def test_two_side_by_side_are_found_side_by_side(line, store):
    line.last = 5
    mine = begun(store, "A", "B")
    until_holds(
        lambda: all(store.find(OWNER, f"live {place}") and training.job.step == 5 for place, training in pairs(mine))
    )
    until_holds(lambda: load(store.find(OWNER, "live B")).step == 5 == kept_step(store))
    again = found(store)
    assert list(again.by_place) == ["A", "B"]
    assert [notice[:28] for notice in again.notices] == ["A: Found again at step 5; it", "B: Found again at step 5; it"]


def pairs(mine: Trainings) -> list[tuple[str, Training]]:
    return list(mine.by_place.items())


def test_what_was_paused_is_found_paused(line, store):
    line.last = 5
    mine = begun(store)
    until_holds(lambda: mine.by_place["A"].job.step == 5)
    mine.jobs[0].pause()
    assert mine.jobs[0].wait(SOON)
    until_holds(lambda: load(store.find(OWNER, "live A")).card["rest"] == "paused")
    assert found(store).notices == ["Found again at step 5; it was paused there. “Continue” goes on from there."]


@pytest.mark.wide
def test_nobody_else_finds_it(line, store):
    assert begun(store).jobs[0].wait(SOON)
    until_holds(lambda: kept_step(store) == 20)
    assert found(store, "b" * 43).by_place == {}


def test_what_was_stopped_is_not_found_again(line, store):
    line.last = 5
    mine = begun(store)
    until_holds(lambda: kept_step(store) == 5)
    mine.stop(mine.jobs)
    assert mine.jobs[0].wait(SOON)
    until_holds(lambda: mine.jobs[0].state == "stopped")
    assert store.find(OWNER, "live A") is None
    assert mine.by_place["A"].rests  # whoever stopped it still has the model
    assert found(store).by_place == {}


@pytest.mark.wide
def test_a_new_training_takes_the_place_of_the_old_on_disk(line, store):
    first = begun(store, "A", "B")
    assert all(job.wait(SOON) for job in first.jobs)
    line.last = 3
    first.start({"A": Order(PLAN._replace(label="another"))})
    until_holds(lambda: kept_step(store) == 3)
    again = found(store)
    assert [training.plan.label for training in again.by_place.values()] == ["another"]


@pytest.mark.wide
def test_a_refused_one_leaves_all_as_it_was(line, store, monkeypatch):
    line.last = 3
    mine = begun(store)
    until_holds(lambda: kept_step(store) == 3)
    monkeypatch.setattr("lab.server.trainings.MAX_WAITING", 0)
    with pytest.raises(Refused):
        mine.start({"A": Order(PLAN._replace(label="another"))})
    assert mine.by_place["A"].plan.label == "training A"
    assert load(store.find(OWNER, "live A")).card["label"] == "training A"


@pytest.mark.wide
def test_what_a_refused_one_wrote_is_written_over(line, store, monkeypatch):
    line.last = 3
    mine = begun(store)
    until_holds(lambda: kept_step(store) == 3)

    class Full:
        def submit(self, *_, **__):
            store.keep(OWNER, "live A", b"of another")
            raise Refused("full")

    monkeypatch.setattr(register, "queue", Full)
    with pytest.raises(Refused):
        mine.start({"A": Order(PLAN._replace(label="another"))})
    assert load(store.find(OWNER, "live A")).card["label"] == "training A"


@pytest.mark.wide
def test_two_tabs_that_begin_at_once_leave_no_training_that_nobody_can_reach(line, store):
    line.last = 3
    mine = Trainings(OWNER, store).found()
    both = threading.Barrier(2)

    def begin(label: str) -> None:
        both.wait(SOON)
        mine.start({"A": Order(PLAN._replace(label=label))})

    for _ in range(10):
        tabs = [threading.Thread(target=begin, args=(label,)) for label in "xy"]
        for tab in tabs:
            tab.start()
        for tab in tabs:
            tab.join(SOON)
        (job,) = mine.jobs
        until_holds(lambda: [other for other in line.queue._jobs if other.is_alive] == [job])  # noqa: B023


def test_a_visitor_has_one_share_of_the_queue(line, store):
    """Two trainings side by side, and nobody else's turn is put off by them."""
    line.last = 3
    begun(store, "A", "B")
    with pytest.raises(Refused, match="Two of your trainings"):
        begun(store)
    neighbour = Trainings("b" * 43, store)
    neighbour.start({"A": Order(PLAN)})
    assert neighbour.states == ("waiting",)
    assert line.queue.place(neighbour.jobs[0]) == 1


def test_what_had_no_state_yet_is_said_to_be_lost(line, store, monkeypatch):
    held = threading.Event()
    monkeypatch.setattr(line, "_run", lambda *_, **__: held.wait(SOON))
    line.queue._run = line._run
    try:
        begun(store)
        again = found(store)
        assert again.by_place == {}
        (notice,) = again.notices
        assert "only just begun" in notice
        assert found(store).notices == []  # it is said once
    finally:
        held.set()


@pytest.mark.parametrize("data", [b"x", b"\x80\x04pickle", b"PK\x03\x04", b"\x08\0\0\0\0\0\0\0{}      "])
def test_what_cannot_be_read_is_said_to_be_lost(line, store, data):
    store.keep(OWNER, "live A", data)
    again = found(store)
    assert again.by_place == {}
    assert "cannot be read any more" in again.notices[0]
    assert store.find(OWNER, "live A") is None


@pytest.mark.wide
def test_what_is_too_large_to_train_here_is_not_taken_up(line, store, monkeypatch):
    assert begun(store).jobs[0].wait(SOON)
    until_holds(lambda: kept_step(store) == 20)
    monkeypatch.setattr("transformer.training.plan.MAX_BATCH_CELLS", 1)
    assert "cannot be read any more" in found(store).notices[0]


def test_a_full_disk_is_said_and_ends_nothing(line, store, monkeypatch):
    monkeypatch.setattr(store, "keep", lambda *_: False)
    mine = begun(store)
    assert mine.jobs[0].wait(SOON)
    assert mine.jobs[0].state == "done"
    assert mine.notices == [
        "This training cannot be kept on disk: it ends with the server, or 2 minutes after you leave."
    ]


@pytest.mark.wide
def test_a_training_that_failed_is_not_found_again(line, store):
    assert begun(store).jobs[0].wait(SOON)
    until_holds(lambda: kept_step(store) == 20)
    mine = Trainings(OWNER, store)
    mine.start({"A": Order(PLAN._replace(task_settings={"longest": 0}))})
    assert mine.jobs[0].wait(SOON)
    assert mine.jobs[0].state == "failed"
    until_holds(lambda: store.find(OWNER, "live A") is None)


@pytest.mark.wide
def test_not_every_state_is_written_while_it_runs(line, store, monkeypatch):
    monkeypatch.setattr(register, "KEEP_EVERY", 1e9)
    kept, keep = [], store.keep
    monkeypatch.setattr(store, "keep", lambda owner, name, data: kept.append(len(data)) or keep(owner, name, data))
    assert begun(store).jobs[0].wait(SOON)
    until_holds(lambda: kept_step(store) == 20)
    assert len(kept) <= 3  # as it began, with or without a state, and at its end


@pytest.mark.wide
def test_a_model_that_is_trained_on_is_on_disk_before_its_first_step(line, store):
    assert begun(store).jobs[0].wait(SOON)
    until_holds(lambda: kept_step(store) == 20)
    mine = found(store)
    checkpoint = mine.by_place["A"].checkpoint()
    line.last = 20
    mine.start({"A": Order(PLAN._replace(settings=replace(checkpoint.settings, steps=60)), checkpoint)})
    again = found(store)
    assert again.by_place["A"].job.step == 20
    assert again.by_place["A"].film().steps.tolist() == list(range(21))
    assert again.jobs[0].steps == 60


# ---- of all visitors -----------------------------------------------------------------------------------------------


class Sight:
    """Who is away, and for how long."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def __call__(self, owner: str) -> float:
        return self.seconds.get(owner, 0.0)


def test_all_tabs_of_a_visitor_see_the_same_and_others_do_not(line, store):
    register = Register(Sight(), store)
    mine = register.of(OWNER)
    line.last = 5
    mine.start({"A": Order(PLAN._replace(label="mine"))})
    assert register.of(OWNER) is mine
    assert register.of("b" * 43).by_place == {}


def test_when_a_visitor_has_left_the_run_rests_on_disk_until_they_return(line, store):
    sight = Sight()
    sweeper = Register(sight, store)
    mine, other = sweeper.of(OWNER), sweeper.of("b" * 43)
    line.last = 5
    mine.start({"A": Order(PLAN._replace(label="mine"))})
    other.start({"A": Order(PLAN._replace(label="other"))})
    until_holds(lambda: kept_step(store) == 5)
    sight.seconds[OWNER] = register.AWAY - 1
    sweeper.sweep()
    assert mine.states == ("running",)
    assert sweeper.of(OWNER) is mine
    (job,) = mine.jobs
    sight.seconds[OWNER] = register.AWAY
    sweeper.sweep()
    assert not job.is_alive
    assert mine.by_place == {}
    assert list(sweeper._visitors) == ["b" * 43]
    assert other.states == ("running",)
    sight.seconds[OWNER] = 0.0
    back = sweeper.of(OWNER)
    assert back is not mine
    assert back.notices == ["Found again at step 5; it was paused there. “Continue” goes on from there."]
    other.stop(other.jobs)


def test_a_visitor_who_returns_in_the_very_moment_gets_what_is_on_disk(line, store, monkeypatch):
    sight = Sight()
    sweeper = Register(sight, store)
    mine = sweeper.of(OWNER)
    line.last = 5
    mine.start({"A": Order(PLAN._replace(label="mine"))})
    until_holds(lambda: kept_step(store) == 5)
    rests, may_end = threading.Event(), threading.Event()
    rest = mine.rest

    def slowly() -> None:
        rests.set()
        assert may_end.wait(SOON)
        rest()

    monkeypatch.setattr(mine, "rest", slowly)
    sight.seconds[OWNER] = register.AWAY
    leaving = threading.Thread(target=sweeper.sweep)
    leaving.start()
    assert rests.wait(SOON)
    back: list[Trainings] = []
    returning = threading.Thread(target=lambda: back.append(sweeper.of(OWNER)))
    returning.start()
    may_end.set()
    leaving.join(SOON)
    returning.join(SOON)
    assert back[0].by_place["A"].job.step == 5
    assert back[0].by_place["A"].job.state == "paused"
