"""The queue of trainings, with trainers that move when they are told to: order, fairness, and that nothing sticks."""

import itertools
import threading
import time
from random import Random
from types import SimpleNamespace

import pytest

from pages.shared import training_queue
from pages.shared.training_queue import Queue, Refused
from transformer.checks import InputError
from transformer.training.trainer import Diverged

# Some jobs fail on purpose, in a thread of their own.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
SOON = 300.0  # seconds; reached only if something hangs


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Fake:
    """A trainer that waits before every step until it may; counts how many of its kind work at the same time."""

    working, most, lock = 0, 0, threading.Lock()

    def __init__(self, steps: int = 3, *, free: bool = False, error: BaseException | None = None):
        self.steps, self.error, self.step = steps, error, 0
        self.may, self.has_begun, self.go_on = threading.Semaphore(0), threading.Event(), lambda: True
        self.free, self.threads = free, set()

    def run(self, go_on):
        self.threads.add(threading.get_ident())
        with Fake.lock:
            Fake.working += 1
            Fake.most = max(Fake.most, Fake.working)
        try:
            self.has_begun.set()
            if self.step == 0:
                yield SimpleNamespace(step=0)
            while self.step < self.steps and go_on():
                if not self.free:
                    assert self.may.acquire(timeout=SOON)
                if self.error:
                    raise self.error
                self.step += 1
                yield SimpleNamespace(step=self.step)
        finally:
            with Fake.lock:
                Fake.working -= 1

    def let(self, steps: int = 1) -> None:
        for _ in range(steps):
            self.may.release()


@pytest.fixture
def queue():
    Fake.working = Fake.most = 0
    made = []

    def make(slots: int, **more) -> Queue:
        made.append(Queue(slots, **more))
        return made[-1]

    yield make
    for one in made:
        jobs_left = list(one._jobs)
        for job in jobs_left:
            job.stop()
            if isinstance(job.trainer, Fake):
                job.trainer.let(100)
        assert all(job.wait(SOON) for job in jobs_left)


def submit(queue: Queue, owner: str, trainer: Fake | None = None, steps: int = 3):
    trainer = trainer or Fake(steps)
    job = queue.submit(owner, lambda: trainer, steps)
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
    assert job.trainer is trainer
    clock.now = 4.0
    assert job.seconds == 4
    finish(job, trainer)
    assert (job.state, job.step, job.error, job.is_alive) == ("done", 3, "", False)
    assert [s.step for s in job.snapshots] == [0, 1, 2, 3]
    assert threading.get_ident() not in trainer.threads
    assert job.left == 0
    assert job.queue._jobs == []
    clock.now = 9.0
    assert job.seconds == 4


def test_no_two_jobs_have_the_same_id_in_any_queue(queue):
    ids = {queue(1).submit("a", lambda: Fake(free=True), 3).id for _ in range(3)}
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


def test_pause_frees_the_place_and_resume_goes_on_with_the_same_trainer(queue):
    q = queue(1)
    job, trainer = submit(q, "a")
    other, other_trainer = submit(q, "b")
    trainer.let()
    until(lambda: job.step == 1)
    job.pause()
    trainer.let()  # the step that it is in
    assert job.wait(SOON)
    assert job.state == "paused"
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
    assert job.trainer is trainer
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
    """The trainer has left off, and its worker has not said so yet."""
    q, left, may_end = queue(1), threading.Event(), threading.Event()

    class Slow(Fake):
        def run(self, go_on):
            yield from super().run(go_on)
            left.set()
            assert may_end.wait(SOON)

    job, trainer = submit(q, "a", Slow())
    job.pause()
    trainer.let()
    assert left.wait(SOON)
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
    assert waiting[0].trainer is None
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
        assert job.trainer is None
    running[1].let()
    until(lambda: running[0].step == 1)
    running[0].stop()
    running[0].pause()  # too late
    finish(*running)
    assert running[0].state == "stopped"
    assert running[0].step in (1, 2)
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


@pytest.mark.parametrize("error", [InputError("Too few letters."), Diverged("The loss is no longer a number.")])
def test_a_training_that_fails_says_why_and_frees_its_place(queue, error):
    q = queue(1)
    failing, after = submit(q, "a", Fake(error=error)), submit(q, "b")
    finish(*failing)
    assert (failing[0].state, failing[0].error) == ("failed", str(error))
    assert [s.step for s in failing[0].snapshots] == [0]
    finish(*after)
    assert after[0].state == "done"


def test_too_little_memory_is_said(queue):
    job = submit(queue(1), "a", Fake(error=MemoryError()))
    finish(*job)
    assert (job[0].state, job[0].error.split(".")[1]) == ("failed", " Take a smaller batch or model")


@pytest.mark.parametrize("error", [KeyError("x"), ValueError("y"), ZeroDivisionError(), SystemExit(1)])
def test_a_fault_of_the_program_frees_its_place_too(queue, error):
    q = queue(1)

    def make():
        raise error

    before, in_the_run = q.submit("a", make, 3), submit(q, "b", Fake(error=error))
    assert before.wait(SOON)
    finish(*in_the_run)
    for job in (before, in_the_run[0]):
        assert job.state == "failed"
        assert job.error.endswith("Its log says where.")
    after = submit(q, "c")
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


def test_stopped_while_it_is_being_made(queue):
    q, may = queue(1), threading.Event()
    trainer = Fake()
    job = q.submit("a", lambda: may.wait(SOON) and trainer, 3)
    job.stop()
    assert job.state == "running"
    may.set()
    finish(job, trainer)
    assert (job.state, trainer.step) == ("stopped", 0)


def test_close_ends_everything(queue):
    q = queue(1)
    running, waiting = submit(q, "a", Fake(10**6, free=True), 10**6), submit(q, "b")
    q.close(SOON)
    assert running[0].state == waiting[0].state == "stopped"
    assert q._jobs == []


def test_a_time_slice_ends_and_can_be_taken_up():
    """By a clock that ticks whenever it is read, so that the slice ends after a few steps."""
    q = Queue(1, clock=itertools.count().__next__)
    trainer = Fake(1000, free=True)
    job = q.submit("a", lambda: trainer, 1000, time_slice=50)
    last = 0
    for _ in range(3):
        assert job.wait(SOON)
        assert (job.state, job.gave_way) == ("paused", True)
        assert last < job.step < 1000
        last = job.step
        job.resume()
    job.stop()
    assert job.wait(SOON)
    assert job.state == "stopped"
    q.close()


def test_a_pause_that_was_asked_for_is_not_giving_way(queue):
    job, trainer = submit(queue(1), "a")
    assert trainer.has_begun.wait(SOON)
    job.pause()
    trainer.let(3)
    assert job.wait(SOON)
    assert (job.state, job.gave_way) == ("paused", False)


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
            assert job.step == job.trainer.steps
