"""The queue of trainings, with trainers that move when they are told to: order, fairness, and that nothing sticks."""

import itertools
import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from dataclasses import replace
from io import StringIO
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from lab.server import jobs, trainings
from lab.server.environment import SCHEDULER, TRAININGS
from lab.server.jobs import Job, Refused
from lab.server.trainings import Queue, slots
from tests.training.here import Here
from tests.waiting import SOON, until_holds
from transformer.core.checks import InputError
from transformer.training.cluster import Away
from transformer.training.settings import Knobs, Turn
from transformer.training.stages import Stage
from transformer.training.stretches import Stretch

if TYPE_CHECKING:
    from transformer.training.plan import Plan
    from transformer.training.trainer import Snapshot


@pytest.fixture
def log() -> Iterator[StringIO]:
    """What the queue writes into the log of the server."""
    written = StringIO()
    logger, handler = logging.getLogger("lab.server"), logging.StreamHandler(written)
    logger.addHandler(handler)
    yield written
    logger.removeHandler(handler)


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Fake:
    """A training that waits before every step until it may; counts how many of its kind work at the same time.

    Its first stretch takes a snapshot and no step, every other takes one step. Its state is its step, in digits.
    """

    working, most, lock = 0, 0, threading.Lock()

    def __init__(self, steps: int = 3, *, free: bool = False, error: str = "", fault: str = ""):
        self.steps, self.error, self.fault, self.step = steps, error, fault, -1
        self.may, self.has_begun = threading.Semaphore(0), threading.Event()
        self.free, self.threads = free, set()
        self.deaths: list[BaseException] = []  # each ends the process of a stretch, before its step
        self.calls: list[dict] = []  # how the queue asked for stretches

    def stretch(self) -> Stretch:
        self.threads.add(threading.get_ident())
        with Fake.lock:
            Fake.working += 1
            Fake.most = max(Fake.most, Fake.working)
        try:
            self.has_begun.set()
            if self.step < 0:
                self.step = 0
                return self._stretch(0)
            if not self.free:
                assert self.may.acquire(timeout=SOON)
            if self.deaths:
                raise self.deaths.pop()
            if self.error or self.fault:
                return self._stretch()
            self.step += 1
            return self._stretch(self.step)
        finally:
            with Fake.lock:
                Fake.working -= 1

    def _stretch(self, *steps: int) -> Stretch:
        snapshots = cast("tuple[Snapshot, ...]", tuple(SimpleNamespace(step=step) for step in steps))
        return Stretch(
            step=self.step,
            snapshots=snapshots,
            error=self.error,
            fault=self.fault,
            is_done=self.step >= self.steps,
            state=b"%d" % self.step,
        )

    def let(self, steps: int = 1) -> None:
        for _ in range(steps):
            self.may.release()


class Process:
    """What carries out stretches: it knows the trainings by their names."""

    def __init__(self) -> None:
        self.known: dict[str, Fake] = {}

    def run(self, name: str, step: int, start: "Fake | bytes", *, seconds: float, turns):
        fake = self.known.setdefault(name, cast("Fake", start))
        fake.calls.append({"step": step, "start": start, "turns": turns})
        if fake.step != step:
            fake.step = int(start) if isinstance(start, bytes) else -1
        return fake.stretch()


@pytest.fixture
def process() -> Process:
    return Process()


@pytest.fixture
def queue(process):
    Fake.working = Fake.most = 0
    made = []

    def make(slots: int, **more) -> Queue:
        made.append(Queue(slots, more.pop("place", Here), run=process.run, **more))
        return made[-1]

    yield make
    for one in made:
        jobs_left = list(one._jobs)
        for job in jobs_left:
            job.stop()
            if job.id in process.known:
                process.known[job.id].let(100)
        assert all(job.wait(SOON) for job in jobs_left)
        one.close()


def submit(queue: Queue, owner: str, trainer: Fake | None = None, steps: int = 3, in_place_of=(), **more):
    trainer = trainer or Fake(steps)
    return queue.submit(Job(owner, cast("Plan", trainer), steps, **more), in_place_of), trainer


def finish(job, trainer) -> None:
    trainer.let(100)
    assert job.wait(SOON)


def test_a_job_runs_to_its_end_in_a_thread_of_its_own(queue):
    clock = Clock()
    job, trainer = submit(queue(1, clock=clock), "a")
    assert job.is_alive
    assert job.state == "running"
    assert job.step == 0
    trainer.let(2)
    until_holds(lambda: job.step == 2)
    assert job.state == "running"
    clock.now = 4.0
    assert job.seconds == 4
    finish(job, trainer)
    assert (job.state, job.step, job.error, job.is_alive) == ("done", 3, "", False)
    assert [s.step for s in job.snapshots] == [0, 1, 2, 3]
    assert job.checkpoint == b"3"
    assert threading.get_ident() not in trainer.threads
    assert job.left == 0
    assert job.queue._jobs == []
    clock.now = 9.0
    assert job.seconds == 4


@pytest.mark.parametrize("slots", [1, 2, 3])
def test_never_more_at_a_time_than_slots(queue, slots):
    q = queue(slots)
    pairs = [submit(q, str(n), Fake(4, free=True)) for n in range(12)]
    for job, _ in pairs:
        assert job.wait(SOON)
        assert job.state == "done"
    assert Fake.most <= slots
    held = [submit(q, str(n)) for n in range(5)]
    assert [job.state for job, _ in held] == ["running"] * slots + ["waiting"] * (5 - slots)
    until_holds(lambda: Fake.working == slots)
    for n, (job, trainer) in enumerate(held):
        finish(job, trainer)
        states = [job.state for job, _ in held[n + 1 :]]
        assert states == ["running"] * min(slots, len(states)) + ["waiting"] * max(0, len(states) - slots)
    assert Fake.most == slots


def test_places_go_to_those_who_have_fewest(queue):
    q = queue(2)
    a1, a2 = submit(q, "a"), submit(q, "a")
    b1, b2, c1 = submit(q, "b"), submit(q, "b"), submit(q, "c")
    assert [q.place(job) for job, _ in (a1, a2, b1, c1, b2)] == [0, 0, 1, 2, 3]
    finish(*a1)
    assert (b1[0].state, c1[0].state) == ("running", "waiting")
    a3 = submit(q, "a")
    # a has one running, b has one: c first, then b who came before a.
    assert [q.place(job) for job, _ in (c1, b2, a3)] == [1, 2, 3]
    finish(*a2)
    assert (c1[0].state, b2[0].state, a3[0].state) == ("running", "waiting", "waiting")
    # Now b and c have one each, and a, who came last, has none.
    assert [q.place(job) for job, _ in (a3, b2)] == [1, 2]
    finish(*c1)
    assert (a3[0].state, b2[0].state) == ("running", "waiting")


def test_waiting_time_is_that_of_those_before(queue):
    clock = Clock()
    q = queue(2, clock=clock)
    q.typical = 10.0
    running = [submit(q, owner) for owner in "ab"]
    line = [submit(q, owner)[0] for owner in "cdef"]
    # All last as long as is usual: two leave after 10 s, two after 20.
    assert [q.wait_left(job) for job in line] == pytest.approx([10, 10, 20, 20])
    assert q.wait_left(running[0][0]) == 0
    job, trainer = running[0]
    until_holds(lambda: job.snapshots)
    clock.now = 8.0
    trainer.let(2)
    until_holds(lambda: job.step == 2)
    # Two of three steps took 8 s, so the third takes 4; the next in line then lasts as long as is usual.
    assert job.left == 4
    assert [q.wait_left(job) for job in line] == [4, 10, 14, 20]


def test_who_waits_for_a_training_of_their_own_to_end_is_in_no_line(queue):
    q = queue(1)
    first, trainer = submit(q, "a")
    trainer.let()
    until_holds(lambda: first.step == 1)
    second, _ = submit(q, "a", in_place_of=[first])
    assert not q.waits_for_own(second), "nobody told the first one to stop"
    first.stop()
    third, _ = submit(q, "a", in_place_of=[first, second])
    second.stop()
    assert q.waits_for_own(third)
    other, _ = submit(q, "b")
    assert q.place(other) == 1, "who has no training comes first"
    assert not q.waits_for_own(other)
    assert not q.waits_for_own(third)


def test_what_is_usual_is_learned_from_what_was_done(queue):
    clock = Clock()
    q = queue(1, clock=clock)
    q.typical = 100.0
    job, trainer = submit(q, "a")
    clock.now = 20.0
    finish(job, trainer)
    assert q.typical == 100 + 0.3 * (20 - 100)
    job, trainer = submit(q, "a")
    job.stop()
    finish(job, trainer)
    assert job.state == "stopped"
    assert q.typical == 76


def test_pause_frees_the_place_and_resume_goes_on_where_it_was(queue):
    q = queue(1)
    job, trainer = submit(q, "a")
    other, other_trainer = submit(q, "b")
    trainer.let()
    until_holds(lambda: job.step == 1)
    job.pause()
    trainer.let()  # the step that it is in
    assert job.wait(SOON)
    assert job.state == "paused"
    assert job.checkpoint == b"%d" % job.step  # it may go on anywhere, at any time
    assert job.is_alive
    assert q.place(job) == 0
    assert other.state == "running"
    seconds = job.seconds
    job.resume()
    assert job.state == "waiting"
    assert q.place(job) == 1
    assert job.seconds == seconds
    finish(other, other_trainer)
    finish(job, trainer)
    assert job.state == "done"
    assert [s.step for s in job.snapshots] == [0, 1, 2, 3]


def test_resume_before_the_pause_took_hold_is_no_pause(queue):
    q = queue(1)
    job, trainer = submit(q, "a")
    trainer.has_begun.wait(SOON)
    job.pause()
    job.resume()
    finish(job, trainer)
    assert job.state == "done"


def test_a_pause_while_waiting(queue):
    q = queue(1)
    first, waiting = submit(q, "a"), submit(q, "b")
    waiting[0].pause()
    assert waiting[0].state == "paused"
    assert q.place(waiting[0]) == 0
    finish(*first)
    assert waiting[0].state == "paused"
    assert waiting[0].checkpoint is None
    waiting[0].resume()
    assert waiting[0].state == "running"
    finish(*waiting)
    assert waiting[0].state == "done"


def test_stop_in_every_state(queue):
    q = queue(1)
    running, waiting, paused = (submit(q, owner) for owner in "abc")
    paused[0].pause()
    for job, _ in (waiting, paused):
        job.stop()
        assert job.state == "stopped"
        assert not job.is_alive
        assert job.checkpoint is None
    running[1].let()
    until_holds(lambda: running[0].step == 1)
    running[0].stop()
    running[0].pause()  # too late
    finish(*running)
    assert running[0].state == "stopped"
    assert running[0].step in (1, 2)
    assert running[0].checkpoint == b"%d" % running[0].step
    for job, _ in (running, waiting, paused):
        for after in (job.stop, job.pause, job.resume):
            after()
            assert job.state == "stopped"
    done = submit(q, "a")
    finish(*done)
    for after in (done[0].stop, done[0].pause, done[0].resume):
        after()
    assert done[0].state == "done"
    assert q._jobs == []


def test_what_was_told_to_stop_keeps_nobody_from_the_next(queue):
    q = queue(1)
    mine, other = submit(q, "a"), submit(q, "b")
    until_holds(lambda: mine[0].snapshots)
    mine[0].pause()
    mine[0].stop()  # it is in the middle of a step, and cannot end before that
    assert mine[0].is_alive
    more = [submit(q, "a") for _ in range(trainings.MAX_PER_OWNER)]
    with pytest.raises(Refused):
        submit(q, "a")
    for pair in (mine, other, *more):
        finish(*pair)


def test_what_is_refused_and_why(queue, monkeypatch):
    q = queue(1)
    mine = [submit(q, "a") for _ in range(2)]
    with pytest.raises(Refused, match=r"^Two of your trainings are already under way\. Stop one of them first\.$"):
        submit(q, "a")
    mine[1][0].pause()  # a paused one is under way as well
    with pytest.raises(Refused):
        submit(q, "a")
    mine[1][0].stop()
    mine[1] = submit(q, "a")
    monkeypatch.setattr(trainings, "MAX_WAITING", 3)
    submit(q, "b"), submit(q, "c")
    with pytest.raises(Refused, match=r"^3 trainings are waiting already\. Try again in a few minutes\.$"):
        submit(q, "d")
    finish(*mine[0])
    submit(q, "d")


def test_a_training_that_fails_says_why_and_frees_its_place(queue):
    q = queue(1)
    failing, after = submit(q, "a", Fake(error="Too few letters.")), submit(q, "b")
    finish(*failing)
    assert (failing[0].state, failing[0].error) == ("failed", "Too few letters.")
    assert [s.step for s in failing[0].snapshots] == [0]
    finish(*after)
    assert after[0].state == "done"


def test_a_fault_of_the_program_is_logged_and_not_shown(queue, log):
    q = queue(1)
    failing, after = submit(q, "a", Fake(fault="Traceback: KeyError: 'secret'")), submit(q, "b")
    finish(*failing)
    assert failing[0].state == "failed"
    assert failing[0].error.endswith("Its log says where.")
    assert "secret" in log.getvalue()
    finish(*after)
    assert after[0].state == "done"
    assert q._jobs == []


def test_without_a_thread_to_run_in_it_fails_and_the_queue_goes_on(queue, monkeypatch):
    q = queue(1)

    def refuse(self):
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        job, _ = submit(q, "a")
    assert job.state == "failed"
    assert "too busy" in job.error
    assert q._jobs == []
    after = submit(q, "a")
    finish(*after)
    assert after[0].state == "done"


def test_stopped_before_the_first_step(queue):
    job, trainer = submit(queue(1), "a")
    until_holds(lambda: job.snapshots)
    job.stop()
    finish(job, trainer)
    assert (job.state, trainer.step) == ("stopped", 1)


def test_close_ends_everything(queue):
    q = queue(1)
    running, waiting = submit(q, "a", Fake(10**6, free=True), 10**6), submit(q, "b")
    q.close(SOON)
    assert running[0].state == waiting[0].state == "stopped"
    assert q._jobs == []


def test_close_waits_for_what_is_done_with_the_last_state(queue):
    """A server that is stopped keeps on disk how far each training was."""
    q, kept, is_closing = queue(1), [], threading.Event()

    def keep(job: Job) -> None:
        if job.state == "stopped":
            assert is_closing.wait(SOON)
            kept.append(job.checkpoint)

    submit(q, "a", Fake(10**6, free=True), 10**6, on_state=keep)
    is_over = threading.Thread(target=q.close, args=[SOON])
    is_over.start()
    until_holds(lambda: not q._jobs)
    assert is_over.is_alive()
    is_closing.set()
    is_over.join(SOON)
    assert len(kept) == 1


def test_a_time_slice_ends_while_others_wait(queue):
    """By a clock that ticks whenever it is read, so that the slice ends after a few steps."""
    q = queue(1, clock=itertools.count().__next__)
    job, _ = submit(q, "a", Fake(10**6, free=True), 10**6, time_slice=50)
    last = 0
    for _ in range(3):
        other, trainer = submit(q, "b")
        assert job.wait(SOON)
        assert (job.state, job.gave_way) == ("paused", True)
        assert last < job.step < 10**6
        last = job.step
        finish(other, trainer)
        job.resume()
    job.stop()
    assert job.wait(SOON)
    assert job.state == "stopped"


def test_nobody_gives_way_to_nobody(queue):
    q = queue(1, clock=itertools.count().__next__)
    job, _ = submit(q, "a", Fake(200, free=True), 200, time_slice=50)
    assert job.wait(SOON)
    assert (job.state, job.step, job.gave_way) == ("done", 200, False)


def test_a_pause_that_was_asked_for_is_not_giving_way(queue):
    job, trainer = submit(queue(1), "a")
    assert trainer.has_begun.wait(SOON)
    job.pause()
    trainer.let(3)
    assert job.wait(SOON)
    assert (job.state, job.gave_way) == ("paused", False)


# ---- processes that come and go --------------------------------------------------------------------------------------


def test_when_a_process_dies_another_goes_on_from_the_last_state(queue):
    job, trainer = submit(queue(1, clock=Clock()), "a")
    trainer.let(2)
    until_holds(lambda: job.step == 2)
    trainer.deaths = [BrokenExecutor("it is gone")]
    finish(job, trainer)
    assert (job.state, job.error) == ("done", "")
    assert [s.step for s in job.snapshots] == [0, 1, 2, 3]  # none of them twice
    assert job.note == "The process that trained it ended. It goes on from step 2."
    assert [call["start"] for call in trainer.calls] == [trainer, b"0", b"1", b"2", b"2"]


def test_a_process_that_dies_before_there_is_a_state_begins_again(queue):
    class Mortal(Fake):
        def stretch(self):
            if len(self.calls) == 1:
                raise BrokenExecutor("it is gone")
            return super().stretch()

    job, trainer = submit(queue(1), "a", Mortal())
    finish(job, trainer)
    assert job.state == "done"
    assert job.note == "The process that trained it ended. It begins again."
    assert [call["start"] for call in trainer.calls][:2] == [trainer, trainer]


def test_it_gives_up_when_processes_die_without_a_step_forward(queue):
    job, trainer = submit(queue(1), "a")
    until_holds(lambda: job.snapshots)
    trainer.deaths = [BrokenExecutor() for _ in range(jobs.MAX_DEATHS)]
    finish(job, trainer)
    assert job.state == "failed"
    assert job.error == "The process that trains it ended 3 times in a row. Take a smaller model."
    assert job.checkpoint == b"0"  # what there was is not lost


def test_deaths_with_steps_in_between_are_no_reason_to_give_up(queue):
    job, trainer = submit(queue(1), "a", steps=8)
    until_holds(lambda: job.snapshots)
    for step in range(1, 6):
        trainer.deaths = [BrokenExecutor()]
        trainer.let(2)  # one dies, one takes the step
        until_holds(lambda step=step: job.step >= step)
    finish(job, trainer)
    assert (job.state, job.step) == ("done", 8)


def test_a_stretch_that_does_not_come_back_is_broken_off(queue, monkeypatch):
    """As while examples are drawn for long: it has some seconds to come back after a stop."""
    monkeypatch.setattr(jobs, "GRACE", 0.01)

    class Breakable(Here):
        def end(self) -> None:
            trainer.deaths = [BrokenExecutor("as asked for")]
            trainer.let()

    job, trainer = submit(queue(1, place=Breakable), "a")
    until_holds(lambda: job.snapshots)
    job.stop()
    assert job.wait(SOON)
    assert (job.state, job.note) == ("stopped", "")


def test_a_place_is_kept_for_the_next_training_and_let_go_when_nobody_comes(queue, monkeypatch):
    made = []

    class Counted(Here):
        def __init__(self) -> None:
            made.append(self)
            self.is_closed = False

        def close(self) -> None:
            self.is_closed = True

    q = queue(1, place=Counted)
    for _ in range(2):
        finish(*submit(q, "a"))
        until_holds(lambda: q._idle)
    assert len(made) == 1
    monkeypatch.setattr(trainings, "IDLE", 0.01)
    finish(*submit(q, "a"))
    until_holds(lambda: made[0].is_closed)
    finish(*submit(q, "a"))
    assert len(made) == 2


def test_whoever_asks_is_told_of_every_state_and_of_the_end(queue):
    told = []
    job, trainer = submit(queue(1), "a", on_state=lambda job: told.append((job.state, job.checkpoint)))
    until_holds(lambda: job.snapshots)
    trainer.let()
    until_holds(lambda: ("running", b"1") in told)
    job.pause()
    trainer.let()
    assert job.wait(SOON)
    until_holds(lambda: ("paused", b"2") in told)
    job.resume()
    finish(job, trainer)
    until_holds(lambda: ("done", b"3") in told)


def test_what_is_done_with_a_state_may_fail(queue, log):
    def fail(_) -> None:
        raise OSError("the disk is full")

    job, trainer = submit(queue(1), "a", on_state=fail)
    finish(job, trainer)
    assert job.state == "done"
    assert "the disk is full" in log.getvalue()


def test_a_training_in_place_of_others_ends_none_of_them_by_itself(queue):
    q = queue(1)
    old = [submit(q, "a")[0] for _ in range(2)]
    with pytest.raises(Refused):
        submit(q, "a", in_place_of=old[:0])
    new = [submit(q, "a", in_place_of=old)[0] for _ in range(2)]
    with pytest.raises(Refused):
        submit(q, "a", in_place_of=old)
    assert all(job.is_alive for job in (*old, *new))


def test_a_job_that_goes_on_knows_its_step_before_it_runs(queue):
    q = queue(1)
    submit(q, "a")
    job = q.submit(Job("b", b"7", 12, first=7))
    assert (job.state, job.step, job.checkpoint) == ("waiting", 7, b"7")
    job.stop()


def test_without_a_place_it_fails_and_the_queue_goes_on(queue):
    def refuse(error: Exception):
        raise error

    makers = [Here, lambda: refuse(OSError("secret")), lambda: refuse(InputError("Nobody is there."))]
    q = queue(1, place=lambda: makers.pop()())
    for sentence in ("Nobody is there.", "a fault of this program"):
        job, _ = submit(q, "a")
        assert job.wait(SOON)
        assert job.state == "failed"
        assert sentence in job.error
    after = submit(q, "a")
    finish(*after)
    assert after[0].state == "done"


class Cluster(Here):
    """Carries out stretches while it is there."""

    def __init__(self) -> None:
        self.is_there, self.asked = True, 0

    def call(self, fn, /, *args, **kwargs):
        self.asked += 1
        if not self.is_there:
            raise Away("Nobody is there.")
        return fn(*args, **kwargs)


def test_a_training_that_has_begun_waits_for_its_cluster_and_goes_on_from_its_last_state(queue, monkeypatch):
    monkeypatch.setattr(jobs, "RETRY", 0.0)
    cluster = Cluster()
    job, trainer = submit(queue(1, clock=Clock(), place=lambda: cluster), "a")
    trainer.let(2)
    until_holds(lambda: job.step == 2)
    cluster.is_there = False
    trainer.deaths = [Away("Nobody is there.")]
    trainer.let()
    until_holds(lambda: cluster.asked > 10)
    assert (job.state, job.error) == ("running", "")
    assert job.note == "Nobody is there. Once it is back, the training goes on from step 2."
    cluster.is_there = True
    finish(job, trainer)
    assert (job.state, job.error) == ("done", "")
    assert [s.step for s in job.snapshots] == [0, 1, 2, 3]
    assert job.note == "The cluster that trains was away. It went on from step 2."


def test_a_training_that_has_not_begun_is_told_at_once_that_nobody_is_there(queue):
    cluster = Cluster()
    cluster.is_there = False
    job, _ = submit(queue(1, place=lambda: cluster), "a")
    assert job.wait(SOON)
    assert (job.state, job.error) == ("failed", "Nobody is there. Try again in a few minutes.")
    assert cluster.asked == 1


@pytest.mark.parametrize("asked", ["stop", "pause", "nothing"])
def test_a_training_whose_cluster_stays_away_can_be_stopped_and_rests_in_the_end(queue, asked: str, monkeypatch):
    monkeypatch.setattr(jobs, "RETRY", 0.0)
    clock, cluster = Clock(), Cluster()
    job, trainer = submit(queue(1, clock=clock, place=lambda: cluster), "a")
    until_holds(lambda: job.snapshots)
    cluster.is_there = False
    trainer.deaths = [Away("Nobody is there.")]
    trainer.let()
    until_holds(lambda: cluster.asked > 10)
    if asked == "nothing":
        clock.now += jobs.MAX_AWAY
    else:
        getattr(job, asked)()
    assert job.wait(SOON)
    assert job.state == ("stopped" if asked == "stop" else "paused")
    assert job.checkpoint == b"0"
    if asked == "nothing":
        assert job.note == "Nobody is there. The training rests at step 0."
    if asked != "stop":
        cluster.is_there = True
        job.resume()
        finish(job, trainer)
        assert job.state == "done"


def test_a_cluster_that_fails_is_not_blamed_on_the_size_of_the_model(queue):
    job, trainer = submit(queue(1), "a")
    until_holds(lambda: job.snapshots)
    trainer.deaths = [RuntimeError("Error during deserialization") for _ in range(jobs.MAX_DEATHS)]
    finish(job, trainer)
    assert job.error == "The cluster that trains failed 3 times in a row. The app’s log says why."


def test_stages_are_few_and_each_comes_once(queue, monkeypatch):
    job, trainer = submit(queue(1), "a", Fake(30, free=False), steps=30)
    stretch = trainer.stretch
    weights = np.zeros(500_000, np.float16)  # a megabyte: there is room for six

    def with_stages() -> Stretch:
        result = stretch()
        return replace(result, stages=tuple(Stage(n, 1.0, weights) for n in range(1, result.step + 1)))

    monkeypatch.setattr(trainer, "stretch", with_stages)
    finish(job, trainer)
    steps = [stage.step for stage in job.stages]
    assert len(steps) == 6
    assert steps == sorted(set(steps))
    assert (steps[0], steps[-1]) == (1, 30)


SLOW, FAST = Knobs(0.001, 8, 0.0), Knobs(0.1, 8, 0.0)


def test_a_knob_that_is_turned_acts_on_the_next_stretch(queue):
    job, trainer = submit(queue(1), "a", steps=5)
    until_holds(lambda: len(trainer.calls) == 2)  # on the way from step 0
    job.turn(SLOW)
    assert (job.knobs, job.turns) == (SLOW, ())
    trainer.let(2)
    until_holds(lambda: len(trainer.calls) == 4)
    assert job.turns == (Turn(1, SLOW),)
    job.turn(FAST)
    finish(job, trainer)
    assert job.turns == (Turn(1, SLOW), Turn(3, FAST))
    turns = {call["step"]: call["turns"] for call in trainer.calls}
    assert turns[0] == ()
    assert turns[1] == turns[2] == (Turn(1, SLOW),)
    assert turns[3] == turns[4] == job.turns


def test_a_knob_that_is_turned_at_rest_is_put_down_at_once(queue):
    job, trainer = submit(queue(1), "a", steps=5)
    until_holds(lambda: len(trainer.calls) == 2)
    job.pause()
    trainer.let()
    assert job.wait(SOON)
    job.turn(SLOW)
    job.turn(FAST)
    assert job.turns == (Turn(1, FAST),)  # nothing was learned with the other
    job.resume()
    finish(job, trainer)
    assert trainer.calls[-1]["turns"] == (Turn(1, FAST),)


def test_a_knob_that_is_turned_on_the_way_to_rest_is_not_lost(queue):
    job, trainer = submit(queue(1), "a", steps=5)
    until_holds(lambda: len(trainer.calls) == 2)
    job.turn(SLOW)
    job.pause()
    trainer.let()
    assert job.wait(SOON)
    assert (job.state, job.turns) == ("paused", (Turn(1, SLOW),))
    assert [turn.knobs for turn in job.turns] == [job.knobs]


def test_a_job_that_waits_begins_with_its_knob_turned(queue):
    q = queue(1)
    first, other = submit(q, "a"), submit(q, "b")
    other[0].turn(SLOW)
    finish(*first)
    finish(*other)
    assert {call["turns"] for call in other[1].calls} == {(Turn(0, SLOW),)}


def test_what_a_dead_process_did_is_done_again_with_the_knobs_turned_at_the_same_step(queue):
    job, trainer = submit(queue(1), "a", steps=5)
    trainer.let()
    until_holds(lambda: len(trainer.calls) == 3)
    job.turn(SLOW)
    trainer.let()
    until_holds(lambda: len(trainer.calls) == 4)
    trainer.deaths.append(BrokenExecutor())
    finish(job, trainer)
    assert job.state == "done"
    assert job.turns == (Turn(2, SLOW),)
    assert [call["step"] for call in trainer.calls[3:5]] == [2, 2]
    assert all(call["turns"] == job.turns for call in trainer.calls[3:])


def test_knobs_are_turned_only_so_often(queue, monkeypatch):
    monkeypatch.setattr(jobs, "MAX_TURNS", 1)
    job, trainer = submit(queue(1), "a", turns=(Turn(0, SLOW),))
    with pytest.raises(Refused, match="will have to do"):
        job.turn(FAST)
    finish(job, trainer)
    assert trainer.calls[0]["turns"] == job.turns == (Turn(0, SLOW),)


def test_many_people_at_once_never_get_stuck(queue):
    q, everything, faults = queue(3), [], []

    def person(name: str) -> None:
        rng, mine = Random(name), []
        try:
            for _ in range(200):
                try:
                    if rng.random() < 0.5:
                        mine.append(submit(q, name, Fake(rng.randint(1, 5), free=True), steps=5)[0])
                except Refused:
                    pass
                for job in mine[-2:]:
                    rng.choice([job.pause, job.resume, job.stop, lambda: None])()
                    assert q.place(job) >= 0
                    assert q.wait_left(job) >= 0
                    assert job.left >= 0
            for job in mine:
                while not job.wait(0) or job.state == "paused":
                    job.resume()
                    time.sleep(0.001)
            everything.extend(mine)
        except BaseException as error:
            faults.append(error)
            raise

    people = [threading.Thread(target=person, args=(f"p{n}",), daemon=True) for n in range(8)]
    for one in people:
        one.start()
    for one in people:
        one.join(SOON)
    assert not any(one.is_alive() for one in people)
    assert not faults
    assert q._jobs == []
    assert Fake.most <= 3
    assert len(everything) > 50
    assert {job.state for job in everything} == {"done", "stopped"}
    for job in everything:
        assert [s.step for s in job.snapshots] == list(range(len(job.snapshots)))
        if job.state == "done":
            assert job.step == int(job.checkpoint)


GIB = 2**30


@pytest.mark.parametrize(
    ("environment", "cores", "memory", "n"),
    [
        ({}, 8, 16 * GIB, 8),
        ({}, 8, 14 * GIB // 10, 1),  # there is room for one process
        ({TRAININGS.name: "3"}, 8, GIB, 3),
        ({TRAININGS.name: "0"}, 4, 16 * GIB, 4),
        ({TRAININGS.name: "many"}, None, 16 * GIB, 1),
        ({SCHEDULER.name: "tcp://x:1"}, 8, GIB, 8),  # the memory is elsewhere
    ],
)
def test_as_many_at_a_time_as_there_is_room_for(environment, cores, memory: int, n: int):
    assert slots(environment, cores, memory) == n
