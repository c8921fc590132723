"""The queue of trainings, with trainers that move when they are told to: order, fairness, and that nothing sticks."""

import itertools
import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from dataclasses import replace
from io import StringIO
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from lab.server import training_queue
from lab.server.training_queue import Queue, Refused
from transformer.core.checks import InputError
from transformer.training.cluster import Away
from transformer.training.settings import Knobs, Turn
from transformer.training.stages import Stage
from transformer.training.stretches import Stretch

if TYPE_CHECKING:
    from transformer.training.plan import Plan
    from transformer.training.trainer import Snapshot

SOON = 300.0  # seconds; reached only if something hangs


@pytest.fixture
def log() -> Iterator[StringIO]:
    """What the queue writes into the log of the server."""
    written = StringIO()
    logger, handler = logging.getLogger(training_queue.__name__), logging.StreamHandler(written)
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

    def stretch(self, seconds: float, keep: bool) -> Stretch:
        self.threads.add(threading.get_ident())
        with Fake.lock:
            Fake.working += 1
            Fake.most = max(Fake.most, Fake.working)
        try:
            self.has_begun.set()
            if not seconds:
                return self._stretch(keep)
            if self.step < 0:
                self.step = 0
                return self._stretch(keep, 0)
            if not self.free:
                assert self.may.acquire(timeout=SOON)
            if self.deaths:
                raise self.deaths.pop()
            if self.error or self.fault:
                return self._stretch(keep)
            self.step += 1
            return self._stretch(keep, self.step)
        finally:
            with Fake.lock:
                Fake.working -= 1

    def _stretch(self, keep: bool, *steps: int) -> Stretch:
        is_done = self.step >= self.steps
        snapshots = cast("tuple[Snapshot, ...]", tuple(SimpleNamespace(step=step) for step in steps))
        return Stretch(
            step=self.step, snapshots=snapshots, error=self.error,
            fault=self.fault, is_done=is_done, state=b"%d" % self.step if keep or is_done else None,
        )  # fmt: skip

    def let(self, steps: int = 1) -> None:
        for _ in range(steps):
            self.may.release()


class Process:
    """What carries out stretches: it remembers the trainings that it worked on."""

    def __init__(self) -> None:
        self.known: dict[str, Fake] = {}  # by the name of the run
        self.remembers: set[str] = set()

    def run(
        self, name: str, step: int, start: "Fake | bytes | None", *, seconds: float, keep: bool, forget: bool, turns
    ):
        fake = self.known.setdefault(name, cast("Fake", start))
        fake.calls.append(
            {"step": step, "start": start, "seconds": seconds, "keep": keep, "forget": forget, "turns": turns}
        )
        if name not in self.remembers or fake.step != step:
            if start is None:
                return Stretch(step=step, is_unknown=True)
            fake.step = int(start) if isinstance(start, bytes) else -1
        self.remembers.add(name)
        try:
            return fake.stretch(seconds, keep)
        except BaseException:
            self.remembers.discard(name)
            raise


@pytest.fixture
def process() -> Process:
    return Process()


@pytest.fixture
def queue(process):
    Fake.working = Fake.most = 0
    made = []

    def make(slots: int, **more) -> Queue:
        made.append(Queue(slots, run=process.run, **more))
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


def submit(queue: Queue, owner: str, trainer: Fake | None = None, steps: int = 3, **more):
    trainer = trainer or Fake(steps)
    job = queue.submit(owner, cast("Plan", trainer), steps, **more)
    return job, trainer


def until(condition) -> None:
    end = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.001)


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
    until(lambda: job.step == 2)
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


def test_no_two_jobs_have_the_same_id_in_any_queue(queue):
    ids = {submit(queue(1), "a", Fake(free=True))[0].id for _ in range(3)}
    assert len(ids) == 3


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
    until(lambda: Fake.working == slots)
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


def test_among_equals_who_came_first_goes_first(queue):
    q = queue(1)
    first = submit(q, "a")
    line = [submit(q, owner) for owner in "bcd"]
    assert [q.place(job) for job, _ in line] == [1, 2, 3]
    finish(*first)
    assert [job.state for job, _ in line] == ["running", "waiting", "waiting"]


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
    until(lambda: job.snapshots)
    clock.now = 8.0
    trainer.let(2)
    until(lambda: job.step == 2)
    # Two of three steps took 8 s, so the third takes 4; the next in line then lasts as long as is usual.
    assert job.left == 4
    assert [q.wait_left(job) for job in line] == [4, 10, 14, 20]


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
    until(lambda: job.step == 1)
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


def test_resume_between_the_last_step_and_the_pause_is_no_pause(queue):
    """The last stretch has ended, and the one that fetches the state has not."""
    q, fetches, may_end = queue(1), threading.Event(), threading.Event()

    class Slow(Fake):
        def stretch(self, seconds, keep):
            if not seconds:
                fetches.set()
                assert may_end.wait(SOON)
            return super().stretch(seconds, keep)

    job, trainer = submit(q, "a", Slow())
    until(lambda: job.snapshots)
    job.pause()
    trainer.let()
    assert fetches.wait(SOON)
    job.resume()
    may_end.set()
    finish(job, trainer)
    assert job.state == "done"
    assert [s.step for s in job.snapshots] == [0, 1, 2, 3]


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
    until(lambda: running[0].step == 1)
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


def test_who_leaves_takes_their_own_with_them(queue):
    q = queue(2)
    a1, a2, b1 = submit(q, "a"), submit(q, "a"), submit(q, "b")
    b2 = submit(q, "b")
    q.leave("a")
    for pair in (a1, a2):
        finish(*pair)
        assert pair[0].state == "stopped"
    assert (b1[0].state, b2[0].state) == ("running", "running")
    q.leave("nobody")
    for pair in (b1, b2):
        finish(*pair)
        assert pair[0].state == "done"


def test_what_was_told_to_stop_keeps_nobody_from_the_next(queue):
    q = queue(1)
    mine, other = submit(q, "a"), submit(q, "b")
    until(lambda: mine[0].snapshots)
    mine[0].pause()
    mine[0].stop()  # it is in the middle of a step, and cannot end before that
    assert mine[0].is_alive
    more = [submit(q, "a") for _ in range(training_queue.MAX_PER_OWNER)]
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
    monkeypatch.setattr(training_queue, "MAX_WAITING", 3)
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


def test_a_trainer_that_ends_early_is_done(queue):
    job, trainer = submit(queue(1), "a", Fake(2), steps=5)
    finish(job, trainer)
    assert (job.state, job.step) == ("done", 2)


def test_stopped_before_the_first_step(queue):
    job, trainer = submit(queue(1), "a")
    until(lambda: job.snapshots)
    job.stop()
    finish(job, trainer)
    assert (job.state, trainer.step) == ("stopped", 1)


def test_close_ends_everything(queue):
    q = queue(1)
    running, waiting = submit(q, "a", Fake(10**6, free=True), 10**6), submit(q, "b")
    q.close(SOON)
    assert running[0].state == waiting[0].state == "stopped"
    assert q._jobs == []


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


@pytest.fixture
def keeps(monkeypatch):
    """keeps(seconds): how often the state comes back."""
    return lambda seconds: monkeypatch.setattr(training_queue, "KEEP_EVERY", seconds)


def test_the_state_comes_back_now_and_then_and_goes_along_only_where_it_is_needed(queue, keeps):
    keeps(10.0)
    clock = Clock()
    job, trainer = submit(queue(1, clock=clock), "a", steps=6)
    until(lambda: job.checkpoint == b"0")  # there is one from the beginning
    for now in (4.0, 8.0, 12.0, 16.0):
        clock.now = now
        trainer.let()
        until(lambda now=now: job.step == now / 4)
    finish(job, trainer)
    assert [call["keep"] for call in trainer.calls][:4] == [True, False, False, False]
    assert sum(call["keep"] for call in trainer.calls) == 2
    assert [call["start"] for call in trainer.calls] == [trainer, *[None] * (len(trainer.calls) - 1)]
    assert job.checkpoint == b"6"


def test_when_a_process_dies_another_goes_on_from_the_last_state(queue, keeps):
    keeps(10.0)
    job, trainer = submit(queue(1, clock=Clock()), "a")
    trainer.let(2)
    until(lambda: job.step == 2)
    assert job.checkpoint == b"0"
    trainer.deaths = [BrokenExecutor("it is gone")]
    finish(job, trainer)
    assert (job.state, job.error) == ("done", "")
    assert [s.step for s in job.snapshots] == [0, 1, 2, 3]  # none of them twice
    assert job.note == "The process that trained it ended. It goes on from step 0."
    assert [call["start"] for call in trainer.calls if call["start"]] == [trainer, b"0"]


def test_a_process_that_dies_before_there_is_a_state_begins_again(queue):
    class Mortal(Fake):
        def stretch(self, seconds, keep):
            if len(self.calls) == 1:
                raise BrokenExecutor("it is gone")
            return super().stretch(seconds, keep)

    job, trainer = submit(queue(1), "a", Mortal())
    finish(job, trainer)
    assert job.state == "done"
    assert job.note == "The process that trained it ended. It begins again."
    assert [call["start"] for call in trainer.calls if call["start"]] == [trainer, trainer]


def test_it_gives_up_when_processes_die_without_a_step_forward(queue):
    job, trainer = submit(queue(1), "a")
    until(lambda: job.snapshots)
    trainer.deaths = [BrokenExecutor() for _ in range(training_queue.MAX_DEATHS)]
    finish(job, trainer)
    assert job.state == "failed"
    assert job.error == "The process that trains it ended 3 times in a row. Take a smaller model."
    assert job.checkpoint == b"0"  # what there was is not lost


def test_deaths_with_steps_in_between_are_no_reason_to_give_up(queue, keeps):
    keeps(0.0)
    job, trainer = submit(queue(1), "a", steps=8)
    until(lambda: job.snapshots)
    for step in range(1, 6):
        trainer.deaths = [BrokenExecutor()]
        trainer.let(2)  # one dies, one takes the step
        until(lambda step=step: job.step >= step)
    finish(job, trainer)
    assert (job.state, job.step) == ("done", 8)


def test_a_run_that_wanders_takes_its_state_along(queue, process, keeps):
    """As on a cluster: every stretch comes to a process that does not know the run."""
    keeps(0.0)
    job, trainer = submit(queue(1), "a", steps=12)
    until(lambda: job.snapshots)
    for step in range(1, 8):
        process.remembers.clear()
        trainer.let()
        until(lambda step=step: job.step >= step)
    with_state = [isinstance(call["start"], bytes) for call in trainer.calls]
    finish(job, trainer)
    assert job.step == 12
    assert [s.step for s in job.snapshots] == list(range(13))
    assert job.note == ""  # nothing went wrong
    assert all(with_state[-3:])


def test_stopping_a_stretch_that_does_not_come_back(queue, monkeypatch):
    """As while examples are drawn for long: whoever stopped it is free, and the executor is told to break it off."""
    monkeypatch.setattr(training_queue, "GRACE", 0.01)
    ended = []

    class Threads(ThreadPoolExecutor):
        pass

    q = queue(1, executor=lambda: Threads(2))
    (stuck, trainer), told = submit(q, "a", on_state=lambda job: ended.append(job.state)), submit(q, "b")
    assert trainer.has_begun.wait(SOON)
    until(lambda: stuck.snapshots)
    stuck.stop()
    assert stuck.wait(SOON)  # its step is not over yet
    assert stuck.state == "stopped"
    until(lambda: "stopped" in ended)
    until(lambda: told[0].state == "running")
    trainer.let()
    finish(*told)
    assert (stuck.state, told[0].state) == ("stopped", "done")


def test_an_executor_that_can_is_told_to_break_off(queue, monkeypatch):
    monkeypatch.setattr(training_queue, "GRACE", 0.01)

    class Breakable(ThreadPoolExecutor):
        def end(self, run: str) -> None:
            fake = process_of[run]
            fake.deaths = [BrokenExecutor("as asked for")]
            fake.let()

    q = queue(1, executor=lambda: Breakable(1))
    job, trainer = submit(q, "a")
    process_of = {job.id: trainer}
    until(lambda: job.snapshots)
    job.stop()
    assert job.wait(SOON)
    assert (job.state, job.note) == ("stopped", "")


def test_whoever_asks_is_told_of_every_state_and_of_the_end(queue, keeps):
    keeps(0.0)
    told = []
    job, trainer = submit(queue(1), "a", on_state=lambda job: told.append((job.state, job.checkpoint)))
    until(lambda: job.snapshots)
    trainer.let()
    until(lambda: ("running", b"1") in told)
    job.pause()
    trainer.let()
    assert job.wait(SOON)
    until(lambda: ("paused", b"2") in told)
    job.resume()
    finish(job, trainer)
    until(lambda: ("done", b"3") in told)


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
    job = q.submit("b", b"7", 12, first=7)
    assert (job.state, job.step, job.checkpoint) == ("waiting", 7, b"7")
    job.stop()


def test_without_an_executor_it_fails_and_the_queue_goes_on(queue):
    makers = [lambda: ThreadPoolExecutor(1), lambda: refuse(), lambda: refuse(InputError("Nobody is there."))]

    def refuse(error: Exception | None = None):
        raise error or OSError("secret")

    q = queue(1, executor=lambda: makers.pop()())
    for sentence in ("Nobody is there.", "too busy"):
        job, _ = submit(q, "a")
        assert job.wait(SOON)
        assert job.state == "failed"
        assert sentence in job.error
    after = submit(q, "a")
    finish(*after)
    assert after[0].state == "done"


class Cluster(ThreadPoolExecutor):
    """Carries out stretches while it is there."""

    def __init__(self) -> None:
        super().__init__(1)
        self.is_there, self.asked = True, 0

    def submit(self, *args, **kwargs):
        self.asked += 1
        if not self.is_there:
            raise Away("Nobody is there.")
        return super().submit(*args, **kwargs)


def test_a_training_that_has_begun_waits_for_its_cluster_and_goes_on_from_its_last_state(queue, keeps, monkeypatch):
    monkeypatch.setattr(training_queue, "RETRY", 0.0)
    keeps(10.0)
    cluster = Cluster()
    job, trainer = submit(queue(1, clock=Clock(), executor=lambda: cluster), "a")
    trainer.let(2)
    until(lambda: job.step == 2)
    cluster.is_there = False
    trainer.deaths = [Away("Nobody is there.")]
    trainer.let()
    until(lambda: cluster.asked > 10)
    assert (job.state, job.error) == ("running", "")
    assert job.note == "Nobody is there. Once it is back, the training goes on from step 0."
    cluster.is_there = True
    finish(job, trainer)
    assert (job.state, job.error) == ("done", "")
    assert [s.step for s in job.snapshots] == [0, 1, 2, 3]
    assert job.note == "The cluster that trains was away. It went on from step 0."


def test_a_training_that_has_not_begun_is_told_at_once_that_nobody_is_there(queue):
    cluster = Cluster()
    cluster.is_there = False
    job, _ = submit(queue(1, executor=lambda: cluster), "a")
    assert job.wait(SOON)
    assert (job.state, job.error) == ("failed", "Nobody is there. Try again in a few minutes.")
    assert cluster.asked == 1


@pytest.mark.parametrize("asked", ["stop", "pause", "nothing"])
def test_a_training_whose_cluster_stays_away_can_be_stopped_and_rests_in_the_end(queue, asked: str, monkeypatch):
    monkeypatch.setattr(training_queue, "RETRY", 0.0)
    clock, cluster = Clock(), Cluster()
    job, trainer = submit(queue(1, clock=clock, executor=lambda: cluster), "a")
    until(lambda: job.snapshots)
    cluster.is_there = False
    trainer.deaths = [Away("Nobody is there.")]
    trainer.let()
    until(lambda: cluster.asked > 10)
    if asked == "nothing":
        clock.now += training_queue.MAX_AWAY
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
    until(lambda: job.snapshots)
    trainer.deaths = [RuntimeError("Error during deserialization") for _ in range(training_queue.MAX_DEATHS)]
    finish(job, trainer)
    assert job.error == "The cluster that trains failed 3 times in a row. The app’s log says why."


def test_stages_are_few_and_each_comes_once(queue, monkeypatch):
    job, trainer = submit(queue(1), "a", Fake(30, free=False), steps=30)
    stretch = trainer.stretch
    weights = np.zeros(500_000, np.float16)  # a megabyte: there is room for six

    def with_stages(seconds: float, keep: bool) -> Stretch:
        result = stretch(seconds, keep)
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
    until(lambda: len(trainer.calls) == 2)  # on the way from step 0
    job.turn(SLOW)
    assert (job.knobs, job.turns) == (SLOW, ())
    trainer.let(2)
    until(lambda: len(trainer.calls) == 4)
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
    until(lambda: len(trainer.calls) == 2)
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
    until(lambda: len(trainer.calls) == 2)
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


def test_what_a_dead_process_did_is_done_again_with_the_knobs_turned_at_the_same_steps(queue, keeps):
    keeps(1e9)
    job, trainer = submit(queue(1), "a", steps=5)
    trainer.let(2)
    until(lambda: len(trainer.calls) == 4)
    job.turn(SLOW)
    trainer.let()
    until(lambda: len(trainer.calls) == 5)
    trainer.deaths.append(BrokenExecutor())
    finish(job, trainer)
    assert job.state == "done"
    assert job.turns == (Turn(3, SLOW),)
    again = [call for call in trainer.calls[5:] if call["step"] == 0]
    assert again
    assert all(call["turns"] == job.turns for call in trainer.calls[4:])


def test_knobs_are_turned_only_so_often(queue, monkeypatch):
    monkeypatch.setattr(training_queue, "MAX_TURNS", 1)
    job, trainer = submit(queue(1), "a", turns=(Turn(0, SLOW),))
    with pytest.raises(Refused, match="will have to do"):
        job.turn(FAST)
    finish(job, trainer)
    assert trainer.calls[0]["turns"] == job.turns == (Turn(0, SLOW),)


def test_slots_are_at_least_one():
    assert Queue(0).slots >= 1
    assert Queue(-3).slots == 1
    assert Queue().slots >= 1


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
            if rng.random() < 0.5:
                q.leave(name)
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
