"""Trainings for many people at once: a fair queue, and as many at a time as there are places.

    job = queue().submit(Job("my key", plan, plan.settings.steps))
    job.wait(60)
    print(job.state, job.step, job.left)

A training goes in stretches of about half a second: the queue decides who runs next, and a training that is paused or
stopped is one whose next stretch does not begin. Its state travels to the place that carries out a stretch, and comes
back with it. So nothing is lost when the process there dies: another goes on from the last state.
"""

import logging
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from time import monotonic

from lab.server import log, memory
from lab.server.environment import SCHEDULER, SCHEDULER_TLS, TRAININGS
from lab.server.jobs import FAULT, Job, Refused, later
from transformer import training
from transformer.core.checks import InputError
from transformer.training.cluster import Away, Cluster
from transformer.training.places import TOO_BUSY, Place, Process

MAX_WAITING = 100
MAX_PER_OWNER = 2  # unfinished jobs of one owner: two runs can stand side by side
SECONDS = 0.5  # of a stretch
IDLE = 60.0  # seconds after which a place that nobody needs is let go
SMALL = 3 * 2**29  # bytes of memory below which one training at a time is all there is room for
_FIRST_GUESS = 15.0  # seconds per job, while nobody knows better
_log = logging.getLogger(__name__)


class Queue:
    """Runs `slots` jobs at a time. The owner with the fewest running jobs goes first, then the first to come.

    place  makes what carries out the stretches of one job
    clock  seconds
    run    carries out a stretch, as stretches.run_stretch does, which None stands for
    """

    def __init__(
        self,
        slots: int | None = None,
        place: Callable[[], Place] = Process,
        *,
        clock: Callable[[], float] = monotonic,
        run: "Callable[..., training.stretches.Stretch] | None" = None,
    ):
        self.slots = max(1, slots or os.cpu_count() or 1)
        self.clock = clock
        self.typical = _FIRST_GUESS  # seconds per job: a running mean
        self.changed = threading.Condition()  # held for whatever changes a job
        self._jobs: list[Job] = []  # those that are alive
        self._arrivals = 0
        self._make_place, self._run = place, run
        self._idle: list[Place] = []
        self._threads: set[threading.Thread] = set()  # those that carry out a job
        self._is_closed = False

    def submit(self, job: Job, in_place_of: Sequence[Job] = ()) -> Job:
        """Queue up a training. Raises Refused.

        in_place_of  jobs that do not count among its owner's, as they are to be stopped if this one is accepted
        """
        with self.changed:
            others = [other for other in self._jobs if other._request != "stop" and other not in in_place_of]
            if sum(other.owner == job.owner for other in others) >= MAX_PER_OWNER:
                log.tell("refused", what="training", of_one=MAX_PER_OWNER)
                raise Refused("Two of your trainings are already under way. Stop one of them first.")
            if len(self.waiting) >= MAX_WAITING:
                log.tell("refused", what="training", of_all=MAX_WAITING)
                raise Refused(f"{MAX_WAITING} trainings are waiting already. Try again in a few minutes.")
            job.queue = self
            self._jobs.append(job)
            log.tell("training", what="begun", steps=job.steps)
            self.arrive(job)
            return job

    def take_up(self, job: Job, seconds: float) -> Job:
        """A training that was begun elsewhere and took so long, at rest: done, or paused at its checkpoint."""
        job.queue, job._worked = self, seconds
        job.state = "paused" if job.first < job.steps else "done"
        with self.changed:
            self._jobs += [job] if job.is_alive else []
        return job

    def states(self) -> list[str]:
        """Of the trainings that are alive: waiting, running or paused."""
        with self.changed:
            return [job.state for job in self._jobs if job.is_alive]

    def place(self, job: Job) -> int:
        """1 for the job that runs next, 2 for the one after it; 0 for a job that is not waiting."""
        with self.changed:
            line = self._line()
            return line.index(job) + 1 if job in line else 0

    def waits_for_own(self, job: Job) -> bool:
        """Whether nobody is before it but a training of the same owner that was told to stop."""
        with self.changed:
            ending = any(other.owner == job.owner and other._request == "stop" for other in self._running())
            return ending and self._line()[:1] == [job]

    def wait_left(self, job: Job) -> float:
        """An estimate of the seconds until this job runs: the jobs before it, spread over the slots."""
        with self.changed:
            line = self._line()
            if job not in line:
                return 0.0
            free = sorted(other.left for other in self._running()) or [0.0]
            free += [0.0] * (self.slots - len(free))
            for before in line[: line.index(job)]:
                free = sorted([free[0] + before.left, *free[1:]])
            return free[0]

    def close(self, seconds: float = 2.0) -> None:
        """End every job, wait at most this many seconds for each and for what is done with its last state, and let the
        places go."""
        with self.changed:
            self._is_closed = True
            alive, idle, self._idle = list(self._jobs), self._idle, []
            threads = list(self._threads)
        for job in alive:
            job.stop()
        for job in alive:
            if not job.wait(seconds):
                job.break_off()
        for thread in threads:
            thread.join(seconds)
        for place in idle:
            place.close()

    # ---- for jobs, which hold the lock meanwhile ----

    @property
    def waiting(self) -> list[Job]:
        """Those that wait for a place, in no order."""
        return [job for job in self._jobs if job.state == "waiting"]

    def arrive(self, job: Job) -> None:
        """Stand at the end of the line."""
        self._arrivals += 1
        job._number, job.state, job._request, job.gave_way = self._arrivals, "waiting", "", False
        self.fill()

    def fill(self) -> None:
        """Forget the jobs that are over, and start as many waiting ones as there are free slots; none once all end."""
        self._jobs = [job for job in self._jobs if job.is_alive]
        free = 0 if self._is_closed else max(0, self.slots - len(self._running()))
        for job in self._line()[:free]:
            job._started, job.state = self.clock(), "running"
            thread = threading.Thread(target=self._carry_out, args=(job,), daemon=True, name="training")
            try:
                self._threads.add(thread)
                thread.start()
            except RuntimeError:  # the machine has no thread left
                self._threads.discard(thread)
                job.end("failed", TOO_BUSY)
                self._jobs.remove(job)
        self.changed.notify_all()

    def _running(self) -> list[Job]:
        return [job for job in self._jobs if job.state == "running"]

    def _line(self) -> list[Job]:
        """The waiting jobs, in the order in which they will run."""
        taken: dict[str, int] = {}
        for job in self._running():
            taken[job.owner] = taken.get(job.owner, 0) + 1
        line, waiting = [], sorted(self.waiting, key=lambda job: job._number)
        while waiting:
            first = min(waiting, key=lambda job: (taken.get(job.owner, 0), job._number))
            taken[first.owner] = taken.get(first.owner, 0) + 1
            waiting.remove(first)
            line.append(first)
        return line

    # ---- in a thread for every running job ----

    def _carry_out(self, job: Job) -> None:
        """Carry out the stretches of this job, until it rests or is over."""
        place: Place | None = None
        try:
            with self.changed:
                place = self._idle.pop() if self._idle else None
            place = job._place = place or self._make_place()
            while self._next_stretch(job, place):
                pass
        except InputError as refusal:
            self._fail(job, str(refusal))
        except Exception as error:
            _log.exception("a training broke off")
            log.fault("training", error)
            self._fail(job, FAULT)
        if place is not None:
            self._give_back(place)
        self._threads.discard(threading.current_thread())

    def _fail(self, job: Job, why: str) -> None:
        with self.changed:
            job.end("failed", why)
            self.fill()
        self._tell(job)

    def _next_stretch(self, job: Job, place: Place) -> bool:
        """Carry out one stretch. Returns whether another is to follow."""
        if self._run is None:
            from transformer.training.stretches import run_stretch as run
        else:
            run = self._run
        with self.changed:
            job.settle_turn()
            before, turns = job.start, job.turns
        result: training.stretches.Stretch | Exception
        try:
            result = place.call(run, job.id, job._at, before, seconds=SECONDS, turns=turns)
        except Exception as error:
            result = error
        with self.changed:
            if isinstance(result, Away):
                job.miss(result)
            elif isinstance(result, InputError):
                job.end("failed", str(result))
            elif isinstance(result, Exception):
                job.lose(result)
            else:
                job.take(result)
            job.rest_if_asked()
            goes_on = job.state == "running"
            is_news = job.start is not before or not goes_on
            self.fill()
        if is_news:
            self._tell(job)
        return goes_on

    def _tell(self, job: Job) -> None:
        try:
            if job.on_state:
                job.on_state(job)
        except Exception:
            _log.exception("what was to be done with the state of a training failed")

    def _give_back(self, place: Place) -> None:
        with self.changed:
            if not self._is_closed:
                self._idle.append(place)
                later(IDLE, self._let_go, place)
                return
        place.close()

    def _let_go(self, place: Place) -> None:
        with self.changed:
            if place not in self._idle:
                return
            self._idle.remove(place)
        place.close()


def slots(environment: Mapping[str, str] | None, cores: int | None, n_bytes: int) -> int:
    """How many trainings run at a time: as many as were asked for, or else as cores, and one where memory is short.

    environment  None: this process's
    cores        of this machine;  n_bytes: of memory, for all its processes
    """
    is_small = n_bytes < SMALL and not SCHEDULER.read(environment)
    return TRAININGS.read(environment) or (1 if is_small else max(1, cores or 1))


def new_place() -> Place:
    """A process of this machine; where a scheduler is named, a place on its cluster. Raises InputError without Dask."""
    address = SCHEDULER.read()
    return Cluster(address, certificates=SCHEDULER_TLS.read()) if address else Process()


@cache
def queue() -> Queue:
    """The one queue of this process."""
    return Queue(slots(None, os.cpu_count(), memory.total(unknown=SMALL)), lambda: new_place())


def present() -> Queue | None:
    """The same, if there is one yet."""
    return queue() if queue.cache_info().currsize else None


def close() -> None:
    """End all trainings of this process, before it ends itself."""
    one = present()
    if one is not None:
        one.close()
