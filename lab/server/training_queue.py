"""Training for many people at once: a fair queue, as many runs at a time as there are places, in other processes.

A run goes in stretches of about half a second, each a call that any `concurrent.futures.Executor` can carry out: the
queue decides who runs next, and a run that is paused or stopped is one whose next stretch is not handed out. Its
snapshots and its last state stay here, where a page can pick them up; the trainer lives where the stretches run. When
the process that runs them dies, another goes on from the last state.

Only the last function knows of Streamlit.
"""

import atexit
import logging
import math
import os
import threading
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from time import monotonic
from typing import Literal

import streamlit as st

from transformer import training
from transformer.core.checks import InputError
from transformer.training import places
from transformer.training.cluster import Away

State = Literal["waiting", "running", "paused", "done", "stopped", "failed"]
MAX_WAITING = 100
MAX_TURNS = 100  # of the knobs of one job
MAX_PER_OWNER = 2  # unfinished jobs of one owner: two runs can stand side by side
SECONDS = 0.5  # of a stretch
MAX_DEATHS = 3  # of the processes that run a job, one after the other, without a step forward
MAX_MISSES = 3  # stretches that may come to processes that do not know the job, before its state goes along each time
KEEP_EVERY = 3.0  # seconds of running between two states that are handed back: what the death of a process costs
RETRY = 5.0  # seconds between two calls at a cluster that is away
MAX_AWAY = 600.0  # seconds; then what waits for it rests, and its place is free
GRACE = 2.0  # seconds in which a stretch has to come back after a stop; it may be drawing examples for longer
_FIRST_GUESS = 15.0  # seconds per job, while nobody knows better
_ALIVE = ("waiting", "running", "paused")
_FAULT = "The training broke off by a fault of this program. Its log says where."
_TOO_BUSY = "This machine is too busy to start a training now. Try again later."
_log = logging.getLogger(__name__)


class Refused(RuntimeError):
    """There is no room for one more job; the message is a sentence for the visitor."""


class Job:
    """One training: waiting, running, paused, or over. Made by Queue.submit.

    start       what another process begins with: the plan, or once there is one, the last state, a checkpoint
    steps       at its end;  first: those that were taken before it was submitted
    snapshots   so far, in order; only ever appended to, so a page may read while it runs
    legend      what a film of the snapshots needs besides; None before the first stretch
    time_slice  seconds after which the job pauses by itself if others wait for their turn
    gave_way    whether it paused for that reason
    error       a sentence, if the state is "failed"
    note        a sentence on what went wrong without ending it; "" as a rule
    turns       of its knobs, in the order of their steps
    stages      of its model, few of them
    """

    def __init__(
        self,
        queue: "Queue",
        owner: str,
        start: "training.stretches.Start",
        steps: int,
        first: int,
        time_slice: float,
        on_state: "Callable[[Job], None] | None",
        turns: "tuple[training.settings.Turn, ...]" = (),
    ):
        self.queue, self.owner, self.start, self.steps, self.first = queue, owner, start, steps, first
        self.id = uuid.uuid4().hex  # what is computed of its result is cached under it
        self.time_slice, self.on_state = time_slice, on_state
        self.gave_way = False
        self.state: State = "waiting"
        self.snapshots: list[training.trainer.Snapshot] = []
        self.legend: training.film.Legend | None = None
        self.error = self.note = ""
        self.number = 0  # of arrival
        self.turns = turns
        self.stages: tuple[training.stages.Stage, ...] = ()
        self._knobs: training.settings.Knobs | None = None  # as the next stretch is to turn them
        self._request: Literal["", "pause", "stop"] = ""
        self._started = 0.0  # of the present stay among the running
        self._worked = 0.0  # seconds in earlier ones
        self._setting_up = 0.0  # of them, before the first snapshot
        self._run = _Run(first if isinstance(start, bytes) else -1)

    @property
    def is_alive(self) -> bool:
        return self.state in _ALIVE

    @property
    def step(self) -> int:
        return self.snapshots[-1].step if self.snapshots else self.first

    @property
    def checkpoint(self) -> bytes | None:
        """Its last state, as the bytes of a checkpoint without a film; None before there is one."""
        return self.start if isinstance(self.start, bytes) else None

    @property
    def knobs(self) -> "training.settings.Knobs | None":
        """As they were turned last; None if nobody has turned any."""
        return self._knobs or (self.turns[-1].knobs if self.turns else None)

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

    def turn(self, knobs: "training.settings.Knobs") -> None:
        """Turn its knobs, from the next stretch on. Raises Refused when they have been turned too often."""
        self.queue._turn(self, knobs)

    def stop(self) -> None:
        """End it for good; what was learned so far stays."""
        self.queue._ask(self, "stop")

    def wait(self, seconds: float) -> bool:
        """Wait until it is over or paused, this many seconds at most. Returns whether it is."""
        with self.queue._changed:
            return self.queue._changed.wait_for(lambda: self.state not in ("waiting", "running"), seconds)


class _Run:
    """How far the stretches of a job are. Only the dispatcher touches it.

    step      after the last stretch; -1 before the first
    kept      the step of the last state that was handed back; -1 if there is none
    kept_at   when that was, in seconds of running
    is_known  whether the process of the next stretch is expected to remember the run
    misses    stretches that came to processes that did not, all in all
    wanders   whether these were many: then the state travels along each time
    closes    whether the next stretch takes no step and only hands back the state
    deaths    of processes, since there was a step forward from `died_at`
    away_since  when the cluster was first found to be away; None while it is there
    """

    def __init__(self, first: int) -> None:
        self.step, self.kept, self.kept_at = first, first, 0.0
        self.is_known = self.wanders = self.closes = False
        self.misses = 0
        self.deaths, self.died_at = 0, -1
        self.away_since: float | None = None


class Queue:
    """Runs `slots` jobs at a time. The owner with the fewest running jobs goes first, then the first to come.

    executor  makes what carries out the stretches, when the first is handed out; None: threads of this process
    run       carries out a stretch, as stretches.run_stretch does, which None stands for
    """

    def __init__(
        self,
        slots: int | None = None,
        clock: Callable[[], float] = monotonic,
        *,
        executor: Callable[[], Executor] | None = None,
        run: "Callable[..., training.stretches.Stretch] | None" = None,
    ):
        self.slots = max(1, slots or os.cpu_count() or 1)
        self.clock = clock  # seconds
        self.typical = _FIRST_GUESS  # seconds per job: a running mean
        self._make_executor = executor or (lambda: ThreadPoolExecutor(self.slots, "training"))
        self._executor: Executor | None = None
        self._stretch = run
        self._changed = threading.Condition()
        self._jobs: list[Job] = []  # those that are alive
        self._arrivals = 0
        self._inbox: SimpleQueue[tuple[Job, Future[training.stretches.Stretch] | None]] = (
            SimpleQueue()
        )  # one entry per running job
        self._dispatcher: threading.Thread | None = None
        atexit.register(self.close)  # a thread that is cut off inside torch takes the process down with a message

    def submit(
        self,
        owner: str,
        start: "training.stretches.Start",
        steps: int,
        *,
        first: int = 0,
        time_slice: float = math.inf,
        in_place_of: Sequence[Job] = (),
        on_state: Callable[[Job], None] | None = None,
        turns: "tuple[training.settings.Turn, ...]" = (),
    ) -> Job:
        """Queue up a training for this owner: a plan, or the bytes of a checkpoint to go on from. Raises Refused.

        first        steps that are taken already, where it goes on from a checkpoint
        time_slice   seconds of running after which the job pauses by itself if others wait for their turn
        in_place_of  jobs that do not count among this owner's, as they are to be stopped if this one is accepted
        on_state     called, in a thread of the queue, whenever there is a newer state, and when the job rests or ends
        turns        of its knobs in the steps that are taken already
        """
        with self._changed:
            others = [job for job in self._jobs if job._request != "stop" and job not in in_place_of]
            if sum(job.owner == owner for job in others) >= MAX_PER_OWNER:
                raise Refused("Two of your trainings are already under way. Stop one of them first.")
            if len(self._waiting()) >= MAX_WAITING:
                raise Refused(f"{MAX_WAITING} trainings are waiting already. Try again in a few minutes.")
            job = Job(self, owner, start, steps, first, time_slice, on_state, turns)
            self._arrive(job)
            self._jobs.append(job)
            self._fill()
            return job

    def take_up(
        self,
        owner: str,
        start: bytes,
        steps: int,
        *,
        first: int,
        seconds: float,
        time_slice: float = math.inf,
        on_state: Callable[[Job], None] | None = None,
        turns: "tuple[training.settings.Turn, ...]" = (),
    ) -> Job:
        """A training that was begun elsewhere, at rest: done, or paused at the state of this checkpoint.

        first    steps that are taken already;  seconds: how long they took;  turns: of its knobs on the way
        """
        job = Job(self, owner, start, steps, first, time_slice, on_state, turns)
        job.state, job._worked = "paused" if first < steps else "done", seconds
        if job.is_alive:
            with self._changed:
                self._jobs.append(job)
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
        """End every job, wait at most this many seconds for each, and let the executor go."""
        with self._changed:
            alive = list(self._jobs)
        for job in alive:
            job.stop()
        for job in alive:
            job.wait(seconds)
        with self._changed:
            executor, self._executor = self._executor, None
        if executor:
            executor.shutdown(wait=False, cancel_futures=True)

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
            job.state, job.gave_way = "running", False
            job._started = self.clock()
            self._inbox.put((job, None))
            if self._dispatcher is None:
                dispatcher = threading.Thread(target=self._dispatch, daemon=True, name="trainings")
                try:
                    dispatcher.start()
                except RuntimeError:  # the machine has no thread left
                    self._inbox.get()
                    self._end(job, "failed", _TOO_BUSY)
                else:
                    self._dispatcher = dispatcher
        self._changed.notify_all()

    def _dispatch(self) -> None:
        """Hand out stretches and take in what comes of them, while there are running jobs. In a thread of its own."""
        while True:
            job, stretch = self._inbox.get()
            try:
                if self._goes_on(job, stretch):
                    self._hand_out(job)
            except Exception:
                _log.exception("the queue of trainings failed")
                with self._changed:
                    self._end(job, "failed", _FAULT)
                    self._fill()
            with self._changed:
                if not self._running():
                    self._dispatcher = None
                    return

    def _hand_out(self, job: Job) -> None:
        """Have the next stretch of this job carried out."""
        run = job._run
        with self._changed:
            self._settle_turn(job)
        keeps = run.closes or run.wanders or run.kept < 0 or job.seconds - run.kept_at >= KEEP_EVERY
        try:
            if self._stretch is None:
                self._stretch = training.stretches.run_stretch
            if self._executor is None:
                self._executor = self._make_executor()
            stretch = self._executor.submit(
                self._stretch, job.id, run.step, None if run.is_known else job.start,
                seconds=0.0 if run.closes else SECONDS, keep=keeps, forget=job._request == "stop" and run.closes,
                turns=job.turns,
            )  # fmt: skip
        except Away as away:
            if run.kept < 0:
                self._refuse(job, f"{away} Try again in a few minutes.")
            else:
                self._wait_for_the_cluster(job, away)
        except InputError as refusal:
            self._refuse(job, str(refusal))
        except Exception:
            if threading.main_thread().is_alive():  # else this process is about to end, and so are all trainings
                _log.exception("a training could not be started")
            self._refuse(job, _TOO_BUSY)
        else:
            stretch.add_done_callback(lambda stretch: self._inbox.put((job, stretch)))

    def _goes_on(self, job: Job, future: "Future[training.stretches.Stretch] | None") -> bool:
        """Take in what came of a stretch. Returns whether its job goes on with another."""
        with self._changed:
            if job.state != "running":  # it was stopped, and what came of its last stretch came too late
                return False
            before = job.checkpoint
            if future is None:
                self._go_on_or_rest(job)
            elif not future.cancelled() and isinstance(future.exception(), Away):
                run = job._run  # what was done since the last state is gone, and nobody is to blame
                run.step, run.is_known, run.closes = run.kept, False, False
                self._go_on_or_rest(job)
            elif future.cancelled() or (error := future.exception()) is not None:
                self._died(job, None if future.cancelled() else error)
            else:
                self._took(job, future.result())
            goes_on = job.state == "running"
            is_news = job.checkpoint is not before or not goes_on
            self._fill()
        if is_news:
            self._tell(job)
        return goes_on

    def _wait_for_the_cluster(self, job: Job, away: Away) -> None:
        """Try again a little later, and rest after a while."""
        run = job._run
        with self._changed:
            if run.away_since is None:
                run.away_since = self.clock()
            job.note = f"{away} Once it is back, the training goes on from step {run.kept}."
            is_over = self.clock() >= run.away_since + MAX_AWAY
            if is_over:
                run.away_since, job._request = None, job._request or "pause"
                job.note = f"{away} The training rests at step {run.kept}."
                self._go_on_or_rest(job)
                self._fill()
        if is_over:
            self._tell(job)
        else:
            again = threading.Timer(RETRY, self._inbox.put, ((job, None),))
            again.daemon = True
            again.start()

    def _tell(self, job: Job) -> None:
        try:
            if job.on_state:
                job.on_state(job)
        except Exception:
            _log.exception("what was to be done with the state of a training failed")

    def _refuse(self, job: Job, why: str) -> None:
        with self._changed:
            self._end(job, "failed", why)
            self._fill()

    def _took(self, job: Job, stretch: "training.stretches.Stretch") -> None:
        run = job._run
        if stretch.is_unknown:
            # It was remembered a moment ago, so it has come to another process.
            run.is_known, run.step, run.misses = False, run.kept, run.misses + 1
            run.wanders = run.misses >= MAX_MISSES
            if run.closes:
                self._go_on_or_rest(job)
            return
        if run.away_since is not None:
            run.away_since, job.note = None, f"The cluster that trains was away. It went on from step {run.kept}."
        run.is_known = not run.wanders
        run.step = stretch.step
        job.legend = job.legend or stretch.legend
        if stretch.snapshots and not job.snapshots:
            job._setting_up = job.seconds
        job.snapshots += [s for s in stretch.snapshots if not job.snapshots or s.step > job.step]
        self._took_stages(job, stretch)
        if stretch.state is not None:
            job.start, run.kept, run.kept_at = stretch.state, stretch.step, job.seconds
        if stretch.error or stretch.fault:
            if stretch.fault:
                _log.error("a training broke off\n%s", stretch.fault)
            self._end(job, "failed", stretch.error or _FAULT)
        elif stretch.is_done:
            self._end(job, "done")
            self.typical += 0.3 * (job._worked - self.typical)
        else:
            self._go_on_or_rest(job)

    def _took_stages(self, job: Job, stretch: "training.stretches.Stretch") -> None:
        last = job.stages[-1].step if job.stages else 0
        if new := [stage for stage in stretch.stages if stage.step > last]:
            job.stages = training.stages.thinned([*job.stages, *new], training.stages.most_stages(len(new[0].weights)))

    def _go_on_or_rest(self, job: Job) -> None:
        """After a stretch: on to the next, or to rest, for which the state has to be here first."""
        run = job._run
        if not job._request and self._waiting() and self.clock() >= job._started + job.time_slice:
            job.gave_way, job._request = True, "pause"
        wants_rest = bool(job._request) or job.gave_way
        if wants_rest and not run.closes and (run.kept != run.step or (job._request == "stop" and run.is_known)):
            run.closes = True
            return
        run.closes = False
        if not wants_rest:
            return
        run.is_known = False
        self._settle_turn(job)
        if job._request == "stop":
            self._end(job, "stopped")
        elif job._request:
            self._pass(job)
            job.state = "paused"
        else:  # resumed before it had come to rest
            self._pass(job)
            self._arrive(job)

    def _died(self, job: Job, error: BaseException | None) -> None:
        """The process that ran the last stretch is gone, and what it did since the last state with it."""
        _log.warning("the process that ran a training ended: %r", error)
        run = job._run
        run.deaths = run.deaths + 1 if run.died_at >= run.kept else 1
        run.died_at = run.kept
        run.step, run.is_known, run.closes = run.kept, False, False
        if job._request == "stop":
            self._end(job, "stopped")
        elif run.deaths >= MAX_DEATHS and (error is None or places.ended(error)):
            self._end(
                job, "failed", f"The process that trains it ended {MAX_DEATHS} times in a row. Take a smaller model."
            )
        elif run.deaths >= MAX_DEATHS:
            self._end(
                job, "failed", f"The cluster that trains failed {MAX_DEATHS} times in a row. The app’s log says why."
            )
        else:
            where = f"goes on from step {run.kept}" if run.kept >= 0 else "begins again"
            job.note = f"The process that trained it ended. It {where}."
            self._go_on_or_rest(job)

    def _pass(self, job: Job) -> None:
        """It runs no longer."""
        job._worked += self.clock() - job._started

    def _end(self, job: Job, state: State, error: str = "") -> None:
        if job.state == "running":
            self._pass(job)
        job.state, job.error = state, error
        if job in self._jobs:
            self._jobs.remove(job)
        self._changed.notify_all()

    def _turn(self, job: Job, knobs: "training.settings.Knobs") -> None:
        with self._changed:
            if len(job.turns) >= MAX_TURNS:
                raise Refused(f"The knobs of this training have been turned {MAX_TURNS} times. That will have to do.")
            job._knobs = knobs
            if job.state != "running":  # else the step that it will be at is not known yet
                self._settle_turn(job)

    def _settle_turn(self, job: Job) -> None:
        """Put down at which step the knobs are turned. Later turns, of steps that are taken again, are forgotten."""
        if job._knobs is not None:
            step = max(0, job._run.step)
            job.turns = (*(turn for turn in job.turns if turn.step < step), training.settings.Turn(step, job._knobs))
            job._knobs = None

    def _ask(self, job: Job, what: Literal["pause", "stop"]) -> None:
        with self._changed:
            if job.state == "running":
                if what == "stop" and job._request != "stop":
                    late = threading.Timer(GRACE, self._give_up, (job,))
                    late.daemon = True
                    with suppress(RuntimeError):  # the machine has no thread left: then it ends with its stretch
                        late.start()
                job._request = what if job._request != "stop" else "stop"
            elif job.is_alive:
                if what == "stop":
                    self._end(job, "stopped")
                else:
                    job.state = "paused"
                self._fill()

    def _give_up(self, job: Job) -> None:
        """End a job that was to stop and whose stretch does not come back."""
        with self._changed:
            if job.state != "running":
                return
            end = getattr(self._executor, "end", None)
            if end is None:  # the stretch goes on wherever it is, and nobody waits for it
                self._end(job, "stopped")
                self._fill()
        if end is not None:
            end(job.id)  # this breaks the stretch off, and then the job ends
        else:
            self._tell(job)

    def _resume(self, job: Job) -> None:
        with self._changed:
            if job.state == "running" and job._request == "pause":
                job._request = ""
            elif job.state == "paused":
                self._arrive(job)
                self._fill()


@st.cache_resource(show_spinner=False)
def queue() -> Queue:
    """The one queue of this process."""
    n = places.places()
    return Queue(n, executor=lambda: places.executor(n))
