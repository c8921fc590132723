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
from lab.server.snapshots import Snapshots, snapshots
from lab.server.training_queue import Job, Refused, queue
from transformer.core.checks import InputError
from transformer.training.plan import MAX_FRAMES, Plan, check_size, task_of
from transformer.training.settings import Knobs, Settings, Turn, knobs_of, turned

if TYPE_CHECKING:
    from transformer.training.checkpoints import Checkpoint
    from transformer.training.film import Film
    from transformer.training.stages import Stage
    from transformer.training.stretches import Start
    from transformer.training.trainer import Snapshot

TIME_SLICE = 240.0  # seconds after which a training pauses by itself if others wait for their turn
KEEP_EVERY = 5.0  # seconds of running between two snapshots on disk: what the end of the server costs
MAX_STEPS = 10_000_000  # no training takes more
AWAY = 120.0  # seconds without a sign of a visitor, after which their trainings rest on disk
_BEGUN = b""  # on disk, of a training that has no state yet
_CUT_OFF, _PAUSED = "cut off", "paused"  # on disk: how a training came to rest
_JUST_BEGUN = "Your training had only just begun when it was cut off, and is lost. Train it again."
_UNREADABLE = "What was kept of your training cannot be read any more, so it is lost. Train it again."
_NOT_ON_DISK = "This training cannot be kept on disk: it ends with the server, or {:.0f} minutes after you leave."


class Order(NamedTuple):
    """A training that is to be queued up.

    start    the plan, or the bytes of a checkpoint to go on from
    earlier  the film of the steps before;  first: how many steps those are;  vocabulary: of its model, if it is known
    plan     what is trained, also where it goes on from a checkpoint
    turns    of its knobs in the steps before;  stages: of its model
    """

    label: str
    settings: Settings
    start: "Start"
    earlier: "Film | None" = None
    first: int = 0
    vocabulary: int = 0
    plan: Plan | None = None
    turns: tuple[Turn, ...] = ()
    stages: "tuple[Stage, ...]" = ()


class _Place(NamedTuple):
    """Where snapshots of a training are kept."""

    store: Snapshots
    owner: str
    name: str


@dataclass(eq=False)
class Training:
    """One training of a visitor: its job, its film, and its place on disk.

    earlier     the film of the steps before, if it goes on from a checkpoint
    vocabulary  tokens that its model chooses from; 0 as long as this is not known
    note        a sentence on how it was found
    plan        what is trained
    is_on_disk  whether its last snapshot could be written
    before      stages of its model in the steps before
    """

    label: str
    settings: Settings
    place: _Place
    earlier: "Film | None" = None
    known_vocabulary: int = 0
    note: str = ""
    plan: Plan | None = None
    is_on_disk: bool = True
    before: "tuple[Stage, ...]" = ()
    id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    job: Job = field(init=False)
    _model: "tuple[bytes, Checkpoint] | None" = None  # the last state that was read, and the model in it
    _kept_at: float | None = None  # seconds of running
    _is_let_go: bool = False  # what is on disk is no longer its own to change
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def vocabulary(self) -> int:
        return self.job.legend.vocabulary if self.job.legend else self.known_vocabulary

    @property
    def snapshots(self) -> "list[Snapshot]":
        return list(self.job.snapshots)

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

        if self.job.legend is None:
            return (self.earlier and self.earlier.after(first)) or None
        before = len(self.earlier) if self.earlier else 0
        snapshots = self.snapshots[max(0, first - before) :]
        new = self.job.legend.film(snapshots) if snapshots else None
        if not self.earlier or first >= before:
            return new
        old = self.earlier.after(first)
        return joined(old, new) if new else old

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
        if film and film.steps[-1] > checkpoint.step:  # a process has died, and the last steps are to be taken again
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
    def knobs(self) -> Knobs | None:
        """Its knobs as they are now; None where it is not known what it began with."""
        return self.job.knobs or (knobs_of(self.settings, self.plan.config) if self.plan else None)

    def turn(self, **knobs: Any) -> None:
        """Turn some of its knobs, from its next step on. Raises InputError, and Refused, and then all is as before."""
        if self.plan is None or self.knobs is None or not self.job.is_alive:
            return
        wanted = self.knobs._replace(**knobs)
        if wanted == self.knobs:
            return
        settings, config = turned(self.settings, self.plan.config, wanted)
        check_size(task_of(self.plan), config, settings)
        self.job.turn(wanted)
        if self.job.state == "paused" and self.job.checkpoint is not None:
            self.keep()

    # ---- on disk ----

    def on_state(self, job: Job) -> None:
        """Keep a new state, but not every one while it runs. The queue calls this."""
        self.job = job
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
            store, owner, name = self.place
            try:
                self.is_on_disk = store.keep(owner, name, self._file())
            except InputError:  # too large for a file
                self.is_on_disk = False
            self._kept_at = self.job.seconds

    def _file(self) -> bytes:
        from transformer.training.checkpoints import with_film

        state, film = self.job.checkpoint, self.film()
        if state is None:
            return _BEGUN
        card = {"label": self.label[:500], "rest": _PAUSED if self.job.state == "paused" else _CUT_OFF}
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
        store, owner, name = self.place
        store.drop(owner, name)


class Trainings:
    """The trainings of one visitor on one page, by place ("A" and "B").

    lost  sentences on trainings that are not found again
    """

    def __init__(self, owner: str, page: str, places: Sequence[str], store: Snapshots | None = None):
        self.owner, self.page = owner, page
        self.store = store or snapshots()
        self.by_place: dict[str, Training] = {}
        self.lost: tuple[str, ...] = ()
        self._lock = threading.Lock()  # two tabs may press their buttons at once
        self._find(places)

    @property
    def jobs(self) -> list[Job]:
        return [training.job for training in list(self.by_place.values())]

    @property
    def is_busy(self) -> bool:
        """Whether one of them waits or runs."""
        return any(job.state in ("waiting", "running") for job in self.jobs)

    @property
    def states(self) -> tuple[str, ...]:
        return tuple(job.state for job in self.jobs)

    @property
    def notices(self) -> list[str]:
        """Sentences on what happened to them."""
        mine = list(self.by_place.values())
        return [*self.lost, *dict.fromkeys(sentence for training in mine for sentence in training.notices)]

    def start(self, wanted: Mapping[str, Training | Order]) -> None:
        """Queue up the orders, and only then end what they replace. Raises Refused, and then all is as before."""
        with self._lock:
            kept = {place: training for place, training in wanted.items() if isinstance(training, Training)}
            replaced = [training for training in self.by_place.values() if training not in kept.values()]
            started = self._started({p: order for p, order in wanted.items() if isinstance(order, Order)}, replaced)
            for training in replaced:
                training.discard()
            for training in started.values():
                training.keep()
            self.by_place = {place: started.get(place) or kept[place] for place in wanted}
            self.lost = ()

    def _started(self, orders: Mapping[str, Order], replaced: Sequence[Training]) -> dict[str, Training]:
        started: dict[str, Training] = {}
        try:
            for place, order in orders.items():
                training = Training(
                    order.label, order.settings, self._on_disk(place), order.earlier, order.vocabulary,
                    plan=order.plan, before=order.stages,
                )  # fmt: skip
                training.job = queue().submit(
                    self.owner, order.start, order.settings.steps, first=order.first, time_slice=TIME_SLICE,
                    in_place_of=[training.job for training in replaced], on_state=training.on_state,
                    turns=order.turns,
                )  # fmt: skip
                started[place] = training
        except Refused:
            for training in started.values():
                training.let_go()
            for training in replaced:  # the place on disk is theirs, as before
                training.keep()
            raise
        return started

    def resume(self, jobs: Sequence[Job]) -> None:
        """Have these go on."""
        with self._lock:
            for training in self.by_place.values():
                if training.job in jobs:
                    training.note = ""
                    training.job.resume()

    def stop(self, jobs: Sequence[Job]) -> None:
        """End these for good, at the visitor's wish; what was learned stays as long as the visitor does."""
        with self._lock:
            for training in self.by_place.values():
                if training.job in jobs and training.job.is_alive:
                    training.note = ""
                    training.discard()

    def rest(self, seconds: float = 10.0) -> None:
        """Pause what runs, wait at most so long for its last state, and let go of everything but what is on disk."""
        with self._lock:
            for job in self.jobs:
                job.pause()
            for training in self.by_place.values():
                training.job.wait(seconds)
                training.let_go()
            self.by_place = {}

    def _on_disk(self, place: str) -> _Place:
        return _Place(self.store, self.owner, f"{self.page} {place}")

    def _find(self, places: Sequence[str]) -> None:
        """Take up what is on disk."""
        for place in places:
            data = self.store.find(self.owner, self._on_disk(place).name)
            if data is None:
                continue
            try:
                self.by_place[place] = _found(self._on_disk(place), data)
            except InputError:
                self.lost = tuple(dict.fromkeys([*self.lost, _UNREADABLE if data else _JUST_BEGUN]))
                self.store.drop(self.owner, self._on_disk(place).name)
        for place, training in self.by_place.items():
            if training.note and len(self.by_place) > 1:
                training.note = f"{place}: {training.note}"


def plan_of(checkpoint: "Checkpoint") -> Plan:
    """What a checkpoint was trained by."""
    task = checkpoint.task
    return Plan(task.name, task.settings, checkpoint.config, checkpoint.settings, task.title, task.own_probe)


def _found(place: _Place, data: bytes) -> Training:
    """The training that a snapshot is of, at rest. Raises InputError for one that cannot be read."""
    from transformer.training.checkpoints import load

    checkpoint = load(data)
    check_size(checkpoint.task, checkpoint.config, checkpoint.settings, checkpoint.turns)
    label, rest = (str(checkpoint.card.get(name, "")) for name in ("label", "rest"))
    training = Training(
        label,
        checkpoint.settings,
        place,
        checkpoint.film,
        checkpoint.task.n_choices,
        plan=plan_of(checkpoint),
        before=checkpoint.stages,
    )
    if checkpoint.step < checkpoint.settings.steps:
        rest = rest if rest == _PAUSED else _CUT_OFF
        training.note = f"Found again at step {checkpoint.step}; it was {rest} there. “Continue” goes on from there."
    training.job = queue().take_up(
        place.owner, data, checkpoint.settings.steps, first=checkpoint.step, seconds=checkpoint.seconds,
        time_slice=TIME_SLICE, on_state=training.on_state, turns=checkpoint.turns,
    )  # fmt: skip
    return training


# ---- of all visitors -----------------------------------------------------------------------------------------------


class _Visitor:
    """The trainings of one visitor, by page. `is_gone` once they rest on disk."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.by_page: dict[str, Trainings] = {}
        self.is_gone = False


class Register:
    """The trainings of the visitors who are here, or have left a moment ago."""

    def __init__(self, away: Callable[[str], float], store: Snapshots | None = None):
        self._away, self._store = away, store
        self._changed = threading.Condition()
        self._visitors: dict[str, _Visitor] = {}
        self._keeper: threading.Thread | None = None

    def of(self, owner: str, page: str, places: Sequence[str]) -> Trainings:
        """This visitor's trainings on this page, with those that are found on disk."""
        while True:
            with self._changed:
                theirs = self._visitors.setdefault(owner, _Visitor())
                if self._keeper is None:
                    self._keeper = threading.Thread(target=self._keep_sweeping, daemon=True, name="visitors")
                    self._keeper.start()
            with theirs.lock:
                if not theirs.is_gone:
                    if page not in theirs.by_page:
                        theirs.by_page[page] = Trainings(owner, page, places, self._store)
                    return theirs.by_page[page]

    def sweep(self) -> None:
        """Let the trainings of those who have been away for long enough rest on disk."""
        with self._changed:
            gone = [(owner, theirs) for owner, theirs in self._visitors.items() if self._away(owner) >= AWAY]
        for owner, theirs in gone:
            with theirs.lock:
                for trainings in theirs.by_page.values():
                    trainings.rest()
                theirs.is_gone = True
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


def trainings(page: str, places: Sequence[str] = ("A",)) -> Trainings:
    """This visitor's trainings on this page."""
    return _REGISTER.of(visitor.key(), page, places)
