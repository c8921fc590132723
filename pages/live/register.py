"""The trainings of a visitor: what is queued up, runs or rests, by the place where it is seen.

They belong to the visitor's key and not to a connection: all tabs of a browser see the same ones, and so does a tab
that was opened anew. While a training runs, its last state is on disk as well, where it is found again after the server
has ended. That is also all that remains of it when its visitor has been away for a while.
"""

import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from lab.server import visitor
from lab.server.jobs import Job, Refused
from lab.server.snapshots import Snapshots, snapshots
from lab.server.trainings import queue
from transformer.core.checks import InputError
from transformer.training.plan import MAX_FRAMES, Plan, check_size, task_of
from transformer.training.settings import Knobs, knobs_of, turned

if TYPE_CHECKING:
    from transformer.training.checkpoints import Checkpoint
    from transformer.training.film import Film
    from transformer.training.stages import Stage

PLACES = ("A", "B")
TIME_SLICE = 240.0  # seconds after which a training pauses by itself if others wait for their turn
KEEP_EVERY = 5.0  # seconds of running between two snapshots on disk: what the end of the server costs
MAX_STEPS = 10_000_000  # no training takes more
AWAY = 120.0  # seconds without a sign of a visitor, after which their trainings rest on disk
_CUT_OFF, _PAUSED = "cut off", "paused"  # on disk: how a training came to rest
_JUST_BEGUN = "Your training had only just begun when it was cut off, and is lost. Train it again."
_UNREADABLE = "What was kept of your training cannot be read any more, so it is lost. Train it again."
_NOT_ON_DISK = "This training cannot be kept on disk: it ends with the server, or {:.0f} minutes after you leave."


class Order(NamedTuple):
    """A training that is to be queued up: what is trained, and the model that it goes on from, if there is one."""

    plan: Plan
    origin: "Checkpoint | None" = None


class _Spot(NamedTuple):
    """Where snapshots of a training are kept."""

    store: Snapshots
    owner: str
    name: str


@dataclass(eq=False)
class Training:
    """One training of a visitor: its job, its film, and its spot on disk.

    earlier     the film of the steps before, if it goes on from a checkpoint;  before: stages of its model in them
    note        a sentence on how it was found
    is_on_disk  whether its last snapshot could be written
    """

    plan: Plan
    spot: _Spot
    job: Job
    earlier: "Film | None" = None
    before: "tuple[Stage, ...]" = ()
    known_vocabulary: int = 0
    note: str = ""
    is_on_disk: bool = True
    id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    _model: "tuple[bytes, Checkpoint] | None" = None  # the last state that was read, and the model in it
    _kept_at: float | None = None  # seconds of running
    _is_let_go: bool = False  # what is on disk is no longer its own to change
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, order: Order, spot: _Spot) -> "Training":
        """The training that was ordered; its job is not submitted."""
        plan, origin = order
        job = Job(spot.owner, plan, plan.settings.steps, time_slice=TIME_SLICE)
        training = cls(plan, spot, job)
        if origin is not None:
            from transformer.training.checkpoints import save

            state = save(replace(origin, settings=plan.settings, film=None, card={}, stages=()))
            training.job = replace(job, start=state, first=origin.step, turns=origin.turns)
            training.earlier, training.before = origin.film and origin.film.thinned(MAX_FRAMES), origin.stages
            training.known_vocabulary = origin.task.n_choices
        training.job.on_state = training.on_state
        return training

    @property
    def vocabulary(self) -> int:
        """Tokens that its model chooses from; 0 as long as this is not known."""
        return self.job.legend.vocabulary if self.job.legend else self.known_vocabulary

    @property
    def rests(self) -> bool:
        """Whether there is a model that nobody is changing."""
        return self.job.checkpoint is not None and self.job.state not in ("waiting", "running")

    @property
    def notices(self) -> list[str]:
        """Sentences on what happened to it."""
        disk = "" if self.is_on_disk else _NOT_ON_DISK.format(AWAY / 60)
        return [sentence for sentence in (self.job.error or self.job.note, self.note, disk) if sentence]

    def film(self, first: int = 0) -> "Film | None":
        """Its frames from `first` on; None if there are none."""
        from transformer.training.film import joined

        before = len(self.earlier) if self.earlier else 0
        old = self.earlier.after(first) if self.earlier and (first < before or self.job.legend is None) else None
        snapshots = list(self.job.snapshots)[max(0, first - before) :]
        new = self.job.legend.film(snapshots) if self.job.legend and snapshots else None
        return joined(old, new) if old and new else old or new or None

    def checkpoint(self) -> "Checkpoint":
        """The model as it was last handed back, with its film and its last measurements; at rest, as it is now."""
        from transformer.training.checkpoints import load

        state = self.job.checkpoint
        assert state is not None
        if self._model is None or self._model[0] is not state:
            self._model = (state, self._with_film(load(state)))
        return self._model[1]

    def _with_film(self, checkpoint: "Checkpoint") -> "Checkpoint":
        film = self.film()
        if film and film.steps[-1] > checkpoint.step:  # the last steps came out as no numbers
            film = film.until(checkpoint.step)
        last = {name: float(curve[-1]) for name, curve in film.curves.items()} if film else {}
        card = {
            "training steps": checkpoint.step,
            **({"validation loss": round(last["val_loss"], 4)} if last else {}),
            **({"accuracy, token by token": round(last["accuracy"], 4)} if last else {}),
        }
        return replace(
            checkpoint, film=film and film.thinned(MAX_FRAMES), card=card, stages=self._stages(checkpoint.step)
        )

    def _stages(self, last: int) -> "tuple[Stage, ...]":
        """Of its model, before this step."""
        from transformer.training.stages import most_stages, thinned

        found = [stage for stage in (*self.before, *self.job.stages) if stage.step < last]
        return thinned(found, most_stages(len(found[0].weights))) if found else ()

    @property
    def knobs(self) -> Knobs:
        """Its knobs as they are now."""
        return self.job.knobs or knobs_of(self.plan.settings, self.plan.config)

    def turn(self, **knobs: Any) -> None:
        """Turn some of its knobs, from its next step on. Raises InputError, and Refused, and then all is as before."""
        wanted = self.knobs._replace(**knobs)
        if not self.job.is_alive or wanted == self.knobs:
            return
        settings, config = turned(self.plan.settings, self.plan.config, wanted)
        check_size(task_of(self.plan), config, settings)
        self.job.turn(wanted)
        if self.job.state == "paused" and self.job.checkpoint is not None:
            self.keep()

    # ---- on disk ----

    def on_state(self, job: Job) -> None:
        """Keep a new state, but not every one while it runs. The queue calls this."""
        is_soon = self._kept_at is not None and job.seconds - self._kept_at < KEEP_EVERY
        if job.state != "running" or not is_soon:
            self.keep()

    def keep(self) -> None:
        """Put the last state on disk, or that there is none yet; of a training that failed, nothing."""
        with self._lock:
            if self._is_let_go:
                return
            if self.job.state == "failed":
                self._drop()
                return
            try:
                self.is_on_disk = self.spot.store.keep(self.spot.owner, self.spot.name, self._file())
            except InputError:  # too large for a file
                self.is_on_disk = False
            self._kept_at = self.job.seconds

    def _file(self) -> bytes:
        from transformer.training.checkpoints import with_film

        state, film = self.job.checkpoint, self.film()
        if state is None:
            return b""  # it has begun, and that is all
        card = {"label": self.plan.label[:500], "rest": _PAUSED if self.job.state == "paused" else _CUT_OFF}
        return with_film(state, film and film.thinned(MAX_FRAMES), card, self.job.turns, self._stages(MAX_STEPS))

    def discard(self) -> None:
        """End it; nothing of it will be found again."""
        self.let_go()
        self._drop()

    def let_go(self) -> None:
        """End it, and leave what is on disk as it is."""
        with self._lock:
            self._is_let_go = True
        self.job.stop()

    def _drop(self) -> None:
        self.spot.store.drop(self.spot.owner, self.spot.name)


class Trainings:
    """The trainings of one visitor, by place ("A" and "B").

    lost     sentences on trainings that are not found again
    is_gone  whether they rest on disk, and this is about to be forgotten
    """

    def __init__(self, owner: str, store: Snapshots | None = None):
        self.owner, self.store = owner, store or snapshots()
        self.by_place: dict[str, Training] = {}
        self.lost: tuple[str, ...] = ()
        self.is_gone = self._has_looked = False
        self.lock = threading.RLock()  # two tabs may press their buttons at once

    @property
    def jobs(self) -> list[Job]:
        """Those of all places."""
        return [training.job for training in list(self.by_place.values())]

    @property
    def is_busy(self) -> bool:
        """Whether one of them waits or runs."""
        return any(state in ("waiting", "running") for state in self.states)

    @property
    def states(self) -> tuple[str, ...]:
        """Those of all places."""
        return tuple(job.state for job in self.jobs)

    @property
    def notices(self) -> list[str]:
        """Sentences on what happened to them."""
        mine = list(self.by_place.values())
        return [*self.lost, *dict.fromkeys(sentence for training in mine for sentence in training.notices)]

    def start(self, wanted: Mapping[str, Training | Order]) -> None:
        """Queue up the orders, and only then end what they replace. Raises Refused, and then all is as before."""
        with self.lock:
            kept = {place: training for place, training in wanted.items() if isinstance(training, Training)}
            replaced = [training for training in self.by_place.values() if training not in kept.values()]
            new = {p: Training.of(order, self._spot(p)) for p, order in wanted.items() if isinstance(order, Order)}
            accepted: list[Training] = []
            try:
                for training in new.values():
                    queue().submit(training.job, [training.job for training in replaced])
                    accepted.append(training)
            except Refused:
                for training in accepted:
                    training.let_go()
                for training in replaced:  # the place on disk is theirs, as before
                    training.keep()
                raise
            for training in replaced:
                training.discard()
            for training in new.values():
                training.keep()
            self.by_place = {place: new.get(place) or kept[place] for place in wanted}
            self.lost = ()

    def resume(self, jobs: Sequence[Job]) -> None:
        """Have these go on."""
        with self.lock:
            for training in self.by_place.values():
                if training.job in jobs:
                    training.note = ""
                    training.job.resume()

    def stop(self, jobs: Sequence[Job]) -> None:
        """End these for good, at the visitor's wish; what was learned stays as long as the visitor does."""
        with self.lock:
            for training in self.by_place.values():
                if training.job in jobs and training.job.is_alive:
                    training.note = ""
                    training.discard()

    def rest(self, seconds: float = 10.0) -> None:
        """Pause what runs, wait at most so long for its last state, and let go of everything but what is on disk."""
        with self.lock:
            for job in self.jobs:
                job.pause()
            for training in self.by_place.values():
                training.job.wait(seconds)
                training.let_go()
            self.by_place = {}

    def _spot(self, place: str) -> _Spot:
        return _Spot(self.store, self.owner, f"live {place}")

    def found(self) -> "Trainings":
        """These, once what is on disk has been taken up."""
        with self.lock:
            spots = {} if self._has_looked else {place: self._spot(place) for place in PLACES}
            self._has_looked = True
            for place, spot in spots.items():
                data = self.store.find(spot.owner, spot.name)
                try:
                    if data is not None:
                        self.by_place[place] = _found(spot, data)
                except InputError:
                    self.lost = tuple(dict.fromkeys([*self.lost, _UNREADABLE if data else _JUST_BEGUN]))
                    self.store.drop(spot.owner, spot.name)
            for place in spots if len(self.by_place) > 1 else ():
                training = self.by_place[place]
                training.note = training.note and f"{place}: {training.note}"
        return self


def plan_of(checkpoint: "Checkpoint") -> Plan:
    """What a checkpoint was trained by."""
    task = checkpoint.task
    return Plan(task.name, task.settings, checkpoint.config, checkpoint.settings, task.title, task.own_probe)


def _found(spot: _Spot, data: bytes) -> Training:
    """The training that a snapshot is of, at rest. Raises InputError for one that cannot be read."""
    from transformer.training.checkpoints import load

    origin = load(data)
    check_size(origin.task, origin.config, origin.settings, origin.turns)
    label, rest = (str(origin.card.get(name, "")) for name in ("label", "rest"))
    training = Training.of(Order(plan_of(origin)._replace(label=label), origin), spot)
    if origin.step < origin.settings.steps:
        rest = rest if rest == _PAUSED else _CUT_OFF
        training.note = f"Found again at step {origin.step}; it was {rest} there. “Continue” goes on from there."
    queue().take_up(training.job, origin.seconds)
    return training


# ---- of all visitors -----------------------------------------------------------------------------------------------


class Register:
    """The trainings of the visitors who are here, or have left a moment ago.

    away  seconds since there was a sign of this visitor
    """

    def __init__(self, away: Callable[[str], float], store: Snapshots | None = None):
        self._away, self._store = away, store
        self._changed = threading.Condition()
        self._visitors: dict[str, Trainings] = {}
        self._keeper: threading.Thread | None = None

    def of(self, owner: str) -> Trainings:
        """This visitor's trainings, with those that are found on disk."""
        while True:
            with self._changed:
                mine = self._visitors.setdefault(owner, Trainings(owner, self._store))
                if self._keeper is None:
                    self._keeper = threading.Thread(target=self._keep_sweeping, daemon=True, name="visitors")
                    self._keeper.start()
            with mine.lock:  # it may be on its way to disk
                if not mine.is_gone:
                    return mine.found()

    def sweep(self) -> None:
        """Let the trainings of those who have been away for long enough rest on disk."""
        with self._changed:
            gone = [(owner, mine) for owner, mine in self._visitors.items() if self._away(owner) >= AWAY]
        for owner, mine in gone:
            with mine.lock:
                mine.rest()
                mine.is_gone = True
                with self._changed:
                    del self._visitors[owner]

    def _keep_sweeping(self) -> None:
        """Sweep from time to time, until nobody is left. In a thread of its own."""
        while True:
            with self._changed:
                if not self._visitors:
                    self._keeper = None
                    return
                self._changed.wait(AWAY / 8)
            self.sweep()


_REGISTER = Register(visitor.PRESENCE.away)


def trainings() -> Trainings:
    """This visitor's trainings."""
    return _REGISTER.of(visitor.key())
