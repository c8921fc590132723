"""One training in the queue: what is known of it, what may be asked of it, and what comes of its stretches."""

import logging
import math
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from lab.server import log
from transformer import training
from transformer.training.cluster import Away

State = Literal["waiting", "running", "paused", "done", "stopped", "failed"]
MAX_TURNS = 100  # of the knobs of one job
MAX_DEATHS = 3  # of the processes that run a job, one after the other, without a step forward
RETRY = 5.0  # seconds between two calls at a cluster that is away
MAX_AWAY = 600.0  # seconds; then what waits for it rests, and its place is free
GRACE = 2.0  # seconds in which a stretch has to come back after a stop; it may be drawing examples for longer
FAULT = "The training broke off by a fault of this program. Its log says where."
_log = logging.getLogger(__name__)


class Line(Protocol):
    """What a job asks of its queue; trainings.Queue says what each is."""

    clock: Callable[[], float]
    changed: threading.Condition
    typical: float

    @property
    def waiting(self) -> "list[Job]": ...
    def place(self, job: "Job") -> int: ...
    def waits_for_own(self, job: "Job") -> bool: ...
    def wait_left(self, job: "Job") -> float: ...
    def arrive(self, job: "Job") -> None: ...
    def fill(self) -> None: ...


class Refused(RuntimeError):
    """There is no room for one more job; the message is a sentence for the visitor."""


@dataclass(eq=False)
class Job:
    """One training: waiting, running, paused, or over.

    start       what the next stretch begins with: the plan, or once there is one, the last state, a checkpoint
    steps       at its end;  first: those that were taken before, where it goes on from a checkpoint
    time_slice  seconds of running after which it pauses by itself if others wait for their turn
    on_state    called, in a thread of the queue, whenever there is a newer state, and when the job rests or ends
    turns       of its knobs, in the order of their steps
    id          what is computed of its result is cached under it
    gave_way    whether it paused because its time slice was over
    snapshots   so far, in order; only ever appended to, so a page may read while it runs
    legend      what a film of the snapshots needs besides; None before the first stretch
    stages      of its model, few of them
    error       a sentence, if the state is "failed"
    note        a sentence on what went wrong without ending it; "" as a rule
    """

    owner: str
    start: "training.stretches.Start"
    steps: int
    first: int = 0
    time_slice: float = math.inf
    on_state: "Callable[[Job], None] | None" = None
    turns: "tuple[training.settings.Turn, ...]" = ()
    id: str = field(default_factory=lambda: uuid.uuid4().hex, init=False)
    queue: Line = field(init=False, repr=False)
    state: State = field(default="waiting", init=False)
    gave_way: bool = field(default=False, init=False)
    snapshots: "list[training.trainer.Snapshot]" = field(default_factory=list, init=False)
    legend: "training.film.Legend | None" = field(default=None, init=False)
    stages: "tuple[training.stages.Stage, ...]" = field(default=(), init=False)
    error: str = field(default="", init=False)
    note: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self._number = 0  # of arrival
        self._request: Literal["", "pause", "stop"] = ""
        self._knobs: training.settings.Knobs | None = None  # as the next stretch is to turn them
        self._place: training.places.Place | None = None  # while it runs
        self._started = 0.0  # of the present stay among the running
        self._worked = 0.0  # seconds in earlier ones
        self._setting_up = 0.0  # of them, before the first snapshot
        # How far its trainer is, and the last state; -1 before there is one. They differ where a state was no numbers.
        self._at = self._kept = self.first if isinstance(self.start, bytes) else -1
        self._deaths = 0  # of processes, since there was a newer state
        self._away_since: float | None = None  # when the cluster was first found to be away

    @property
    def is_alive(self) -> bool:
        """Whether it may still take a step."""
        return self.state in ("waiting", "running", "paused")

    @property
    def step(self) -> int:
        """Of the last snapshot."""
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
        with self.queue.changed:
            if self.state == "running":
                self._request = self._request or "pause"
            elif self.state == "waiting":
                self.state = "paused"
            self.queue.fill()

    def resume(self) -> None:
        """Take a pause back, or wait for a place again."""
        with self.queue.changed:
            if self.state == "running" and self._request == "pause":
                self._request = ""
            elif self.state == "paused":
                self.queue.arrive(self)

    def stop(self) -> None:
        """End it for good; what was learned so far stays."""
        with self.queue.changed:
            if self.state == "running" and self._request != "stop":
                self._request = "stop"
                later(GRACE, self.break_off)
            elif self.state in ("waiting", "paused"):
                self.end("stopped")
            self.queue.fill()

    def break_off(self) -> None:
        """Have a stretch that is under way end at once."""
        with self.queue.changed:
            if self._place is not None:
                self._place.end()

    def turn(self, knobs: "training.settings.Knobs") -> None:
        """Turn its knobs, from the next stretch on. Raises Refused when they have been turned too often."""
        with self.queue.changed:
            if len(self.turns) >= MAX_TURNS:
                raise Refused(f"The knobs of this training have been turned {MAX_TURNS} times. That will have to do.")
            self._knobs = knobs
            if self.state != "running":  # else the step that it will be at is not known yet
                self.settle_turn()

    def wait(self, seconds: float) -> bool:
        """Wait until it is over or paused, this many seconds at most. Returns whether it is."""
        with self.queue.changed:
            return self.queue.changed.wait_for(lambda: self.state not in ("waiting", "running"), seconds)

    # ---- for the queue, which holds its lock meanwhile ----

    def settle_turn(self) -> None:
        """Put down at which step the knobs are turned. Later turns, of steps that are taken again, are forgotten."""
        if self._knobs is not None:
            step = max(0, self._at)
            self.turns = (*(turn for turn in self.turns if turn.step < step), training.settings.Turn(step, self._knobs))
            self._knobs = None

    def end(self, state: State, error: str = "") -> None:
        """Leave the running or the waiting, for this state."""
        self._worked, self.state, self.error = self.seconds, state, error
        if state in log.EVENTS["training"]:
            log.tell("training", what=state, step=self.step, seconds=round(self._worked))
        self._place = None

    def take(self, stretch: "training.stretches.Stretch") -> None:
        """Take in what came of a stretch."""
        if self._away_since is not None:
            self._away_since, self.note = None, f"The cluster that trains was away. It went on from step {self._kept}."
        self._at, self.legend = stretch.step, self.legend or stretch.legend
        if stretch.snapshots and not self.snapshots:
            self._setting_up = self.seconds
        self.snapshots += [s for s in stretch.snapshots if not self.snapshots or s.step > self.step]
        last = self.stages[-1].step if self.stages else 0
        if new := [stage for stage in stretch.stages if stage.step > last]:
            self.stages = training.stages.thinned(
                [*self.stages, *new], training.stages.most_stages(len(new[0].weights))
            )
        if stretch.state is not None:
            self.start, self._kept, self._deaths = stretch.state, stretch.step, 0
        if stretch.fault:
            _log.error("a training broke off\n%s", stretch.fault)
        if stretch.error or stretch.fault:
            self.end("failed", stretch.error or FAULT)
        elif stretch.is_done:
            self.end("done")
            self.queue.typical += 0.3 * (self._worked - self.queue.typical)

    def lose(self, error: Exception) -> None:
        """What was done since the last state is gone, and with it perhaps the process that did it."""
        _log.warning("the process that ran a training ended: %r", error)
        log.tell("training", what="moved", step=max(0, self._kept))
        self._at, self._deaths = self._kept, self._deaths + 1
        if self._request == "stop":
            return
        times = f"{MAX_DEATHS} times in a row"
        if self._deaths < MAX_DEATHS:
            where = f"goes on from step {self._kept}" if self._kept >= 0 else "begins again"
            self.note = f"The process that trained it ended. It {where}."
        elif isinstance(error, BrokenExecutor):
            self.end("failed", f"The process that trains it ended {times}. Take a smaller model.")
        else:
            self.end("failed", f"The cluster that trains failed {times}. The app’s log says why.")

    def miss(self, away: Away) -> None:
        """The cluster is away: wait a moment for it, and rest after a while."""
        self._at = self._kept
        if self._kept < 0:
            self.end("failed", f"{away} Try again in a few minutes.")
            return
        now = self.queue.clock()
        self._away_since = now if self._away_since is None else self._away_since
        self.note = f"{away} Once it is back, the training goes on from step {self._kept}."
        if now >= self._away_since + MAX_AWAY:
            self._away_since, self._request = None, self._request or "pause"
            self.note = f"{away} The training rests at step {self._kept}."
        self.queue.changed.wait_for(lambda: self._request, RETRY)

    def rest_if_asked(self) -> None:
        """Between two stretches: go on, or leave the place to others."""
        if self.state != "running":
            return
        if not self._request and self.queue.waiting and self.queue.clock() >= self._started + self.time_slice:
            self.gave_way, self._request = True, "pause"
        if self._request:
            self.settle_turn()
            self.end("stopped" if self._request == "stop" else "paused")


def later(seconds: float, call: Callable[..., object], *args: Any) -> None:
    """Call this after so many seconds, in a thread of its own; never, where the machine has no thread left."""
    timer = threading.Timer(seconds, call, args)
    timer.daemon = True
    with suppress(RuntimeError):
        timer.start()
