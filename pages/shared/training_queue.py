"""Training for many people at once: a fair queue, as many runs at a time as cores, each run its session's own.

A job makes a trainer and runs it in a thread of its own; its snapshots stay where a page can pick them up. Only the
last two functions know of Streamlit.
"""

import atexit
import math
import os
import threading
import uuid
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Generic, Literal, Protocol, TypeVar

import streamlit as st

from transformer.checks import InputError

State = Literal["waiting", "running", "paused", "done", "stopped", "failed"]
MAX_WAITING = 100
MAX_PER_OWNER = 2  # unfinished jobs of one session: two runs can stand side by side
_FIRST_GUESS = 15.0  # seconds per job, while nobody knows better
_ALIVE = ("waiting", "running", "paused")


class Snapshot(Protocol):
    """What a trainer yields; the queue reads no more of it than its step."""

    @property
    def step(self) -> int: ...


class Runnable(Protocol):
    """A trainer as the queue needs it: `run` yields snapshots for as long as `go_on()` allows another step."""

    @property
    def step(self) -> int: ...

    def run(self, go_on: Callable[[], bool]) -> Iterator[Snapshot]: ...


R = TypeVar("R", bound=Runnable)


class Refused(RuntimeError):
    """There is no room for one more job; the message is a sentence for the visitor."""


class Job(Generic[R]):
    """One training: waiting, running, paused, or over. Made by Queue.submit.

    snapshots   so far, in order; only ever appended to, so a page may read while it runs
    trainer     set when the job first runs; do not touch it while the state is "running"
    time_slice  seconds after which a stretch of running ends as if it had been paused
    gave_way    whether the last stretch ended for that reason
    error       a sentence, if the state is "failed"
    """

    def __init__(self, queue: "Queue", owner: str, make: Callable[[], R], steps: int, time_slice: float):
        self.queue, self.owner, self.make, self.steps = queue, owner, make, steps
        self.id = uuid.uuid4().hex  # what is computed of its result is cached under it
        self.time_slice = time_slice
        self.gave_way = False
        self.state: State = "waiting"
        self.snapshots: list[Snapshot] = []
        self.trainer: R | None = None
        self.error = ""
        self.number = 0  # of arrival
        self._request: Literal["", "pause", "stop"] = ""
        self._left_off = False  # whether the present stretch ended because of a request
        self._started = 0.0  # of the present stretch
        self._worked = 0.0  # seconds in earlier stretches
        self._setting_up = 0.0  # of them, before the first snapshot

    @property
    def is_alive(self) -> bool:
        return self.state in _ALIVE

    @property
    def step(self) -> int:
        return self.snapshots[-1].step if self.snapshots else 0

    @property
    def seconds(self) -> float:
        """Seconds spent running, without pauses and waiting."""
        return self._worked + (self.queue.clock() - self._started if self.state == "running" else 0.0)

    @property
    def left(self) -> float:
        """Seconds of running still to come, estimated from the speed so far."""
        if not self.snapshots or self.step == self.snapshots[0].step:
            return self.queue.typical
        per_step = (self.seconds - self._setting_up) / (self.step - self.snapshots[0].step)
        return per_step * (self.steps - self.step)

    def pause(self) -> None:
        """Leave the place to others; resume() goes on exactly where it stopped."""
        self.queue._ask(self, "pause")

    def resume(self) -> None:
        self.queue._resume(self)

    def stop(self) -> None:
        """End it for good; what was learned so far stays."""
        self.queue._ask(self, "stop")

    def wait(self, seconds: float) -> bool:
        """Wait until it is over or paused, this many seconds at most. Returns whether it is."""
        with self.queue._changed:
            return self.queue._changed.wait_for(lambda: self.state not in ("waiting", "running"), seconds)

    def _work(self) -> State:
        """Run for one stretch, in a worker's thread. Returns the state that it ends in."""
        self.gave_way = False
        try:
            if self.trainer is None:
                self.trainer = self.make()
            for snapshot in self.trainer.run(self._go_on):
                if not self.snapshots:
                    self._setting_up = self.seconds
                self.snapshots.append(snapshot)
            if self.gave_way:
                with self.queue._changed:
                    self._request = self._request or "pause"
            return "paused" if self._left_off and self.trainer.step < self.steps else "done"
        except InputError as error:  # any other error is a fault of this program, and goes to its log
            self.error = str(error)
            return "failed"
        except MemoryError:
            self.error = "The training needs more memory than there is. Take a smaller batch or model."
            return "failed"

    def _go_on(self) -> bool:
        self.gave_way = self.queue.clock() >= self._started + self.time_slice
        self._left_off = bool(self._request) or self.gave_way
        return not self._left_off


class Queue:
    """Runs `slots` jobs at a time. The owner with the fewest running jobs goes first, then the first to come."""

    def __init__(self, slots: int | None = None, clock: Callable[[], float] = monotonic):
        self.slots = max(1, slots or os.cpu_count() or 1)
        self.clock = clock  # seconds
        self.typical = _FIRST_GUESS  # seconds per job: a running mean
        self._changed = threading.Condition()
        self._jobs: list[Job] = []  # those that are alive
        self._arrivals = 0
        atexit.register(self.close)  # a thread that is cut off inside torch takes the process down with a message

    def submit(self, owner: str, make: Callable[[], R], steps: int, *, time_slice: float = math.inf) -> Job[R]:
        """Queue up a training for this owner. `make` builds the trainer, in the worker's thread. Raises Refused.

        time_slice  seconds of running after which the job pauses by itself, so that others get their turn
        """
        with self._changed:
            if sum(job.owner == owner and job._request != "stop" for job in self._jobs) >= MAX_PER_OWNER:
                raise Refused("Two of your trainings are already under way. Stop one of them first.")
            if len(self._waiting()) >= MAX_WAITING:
                raise Refused(f"{MAX_WAITING} trainings are waiting already. Try again in a few minutes.")
            job = Job(self, owner, make, steps, time_slice)
            self._arrive(job)
            self._jobs.append(job)
            self._fill()
            return job

    def place(self, job: Job) -> int:
        """1 for the job that runs next, 2 for the one after it; 0 for a job that is not waiting."""
        with self._changed:
            line = self._line()
            return line.index(job) + 1 if job in line else 0

    def wait_left(self, job: Job) -> float:
        """An estimate of the seconds until this job runs: the jobs before it, spread over the slots."""
        with self._changed:
            line = self._line()
            if job not in line:
                return 0.0
            free = sorted(j.left for j in self._running()) or [0.0]
            free += [0.0] * (self.slots - len(free))
            for before in line[: line.index(job)]:
                free = sorted([free[0] + before.left, *free[1:]])
            return free[0]

    def leave(self, owner: str) -> None:
        """End every job of an owner who has left."""
        with self._changed:
            mine = [job for job in self._jobs if job.owner == owner]
        for job in mine:
            job.stop()

    def close(self, seconds: float = 2.0) -> None:
        """End every job, and wait at most this many seconds for each."""
        with self._changed:
            alive = list(self._jobs)
        for job in alive:
            job.stop()
        for job in alive:
            job.wait(seconds)

    def _arrive(self, job: Job) -> None:
        self._arrivals += 1
        job.number, job.state, job._request = self._arrivals, "waiting", ""

    def _running(self) -> list[Job]:
        return [job for job in self._jobs if job.state == "running"]

    def _waiting(self) -> list[Job]:
        return [job for job in self._jobs if job.state == "waiting"]

    def _line(self) -> list[Job]:
        """The waiting jobs, in the order in which they will run."""
        taken: dict[str, int] = {}
        for job in self._running():
            taken[job.owner] = taken.get(job.owner, 0) + 1
        line, waiting = [], sorted(self._waiting(), key=lambda job: job.number)
        while waiting:
            first = min(waiting, key=lambda job: (taken.get(job.owner, 0), job.number))
            taken[first.owner] = taken.get(first.owner, 0) + 1
            waiting.remove(first)
            line.append(first)
        return line

    def _fill(self) -> None:
        """Start as many waiting jobs as there are free slots."""
        for job in self._line()[: max(0, self.slots - len(self._running()))]:
            job.state = "running"
            job._started = self.clock()
            try:
                threading.Thread(target=self._work, args=(job,), daemon=True, name="training").start()
            except RuntimeError:  # the machine has no thread left
                job.error, job.state = "This machine is too busy to start a training now. Try again later.", "failed"
                self._jobs.remove(job)
        self._changed.notify_all()

    def _work(self, job: Job) -> None:
        state: State = "failed"
        try:
            state = job._work()
        finally:  # whatever went wrong in there, which then goes on to the log: the place must become free
            with self._changed:
                job._worked += self.clock() - job._started
                job.state = state
                if state == "failed":
                    job.error = job.error or "The training broke off by a fault of this program. Its log says where."
                elif state == "paused" and job._request == "stop":
                    job.state = "stopped"
                elif state == "paused" and not job._request:  # resumed before it had come to rest
                    self._arrive(job)
                if not job.is_alive:
                    self._jobs.remove(job)
                if state == "done":
                    self.typical += 0.3 * (job._worked - self.typical)
                self._fill()

    def _ask(self, job: Job, what: Literal["pause", "stop"]) -> None:
        with self._changed:
            if job.state == "running":
                job._request = what if job._request != "stop" else "stop"
            elif job.is_alive:
                job.state = "paused" if what == "pause" else "stopped"
                if not job.is_alive:
                    self._jobs.remove(job)
                self._fill()

    def _resume(self, job: Job) -> None:
        with self._changed:
            if job.state == "running" and job._request == "pause":
                job._request = ""
            elif job.state == "paused":
                self._arrive(job)
                self._fill()


SLOTS = "ATTENTION_LAB_TRAININGS"  # environment variable: how many trainings run at a time (default: one per core)


@st.cache_resource(show_spinner=False)
def queue() -> Queue:
    """The one queue of this process."""
    slots = os.environ.get(SLOTS, "")
    return Queue(int(slots) if slots.isdecimal() and int(slots) > 0 else None)


@st.cache_resource(scope="session", show_spinner=False, on_release=lambda owner: queue().leave(owner))
def owner() -> str:
    """The name under which this session's jobs run; they are stopped when the session ends."""
    return uuid.uuid4().hex
