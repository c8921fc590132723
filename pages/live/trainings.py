"""The trainings of one session: what is queued up, runs or rests, by the place where it is seen.

The queue is one for the whole process. A session's trainings end when the session ends.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.shared.training_queue import Job, Refused, owner, queue
from transformer.training.plan import MAX_FRAMES, Plan, check_size
from transformer.training.settings import Settings

if TYPE_CHECKING:
    from transformer.training.checkpoints import Checkpoint
    from transformer.training.film import Film
    from transformer.training.stretches import Start
    from transformer.training.trainer import Snapshot

TIME_SLICE = 240.0  # seconds after which a training pauses by itself, so that others get their turn


@dataclass(eq=False)
class Training:
    """One training of a session: its job, and how much of its film the browser has.

    vocabulary  tokens that its model chooses from; 0 as long as this is not known
    earlier     the film of the steps before, if it goes on from a checkpoint
    sent        frames that the browser has
    """

    label: str
    settings: Settings
    job: Job
    earlier: "Film | None" = None
    known_vocabulary: int = 0
    id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    sent: int = 0
    _model: "tuple[bytes, Checkpoint] | None" = None  # the last state that was read, and the model in it

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
        """The model as it was last kept, with its film and its last measurements; while it rests, as it is now."""
        from transformer.training.checkpoints import load

        state = self.job.checkpoint
        assert state is not None
        if self._model is None or self._model[0] is not state:
            self._model = (state, self._with_film(load(state)))
        return self._model[1]

    def saved(self) -> bytes:
        """All of it that is known, in one file: the model as it was last kept, its film, and how to go on from there.

        Only where there is a last state. It may be called in any thread, while the training goes on.
        """
        from transformer.training.checkpoints import save

        return save(self.checkpoint())

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
        return replace(checkpoint, film=film and film.thinned(MAX_FRAMES), card=card)


@dataclass(eq=False)
class Trainings:
    """The trainings of one session, by the name of the place where they are seen ("A" and "B").

    uploaded  the last file that was uploaded: its id, and the model in it or a sentence on what is wrong with it
    """

    by_place: dict[str, Training] = field(default_factory=dict)
    uploaded: tuple[str, "Checkpoint | str"] = ("", "")

    @property
    def jobs(self) -> list[Job]:
        return [training.job for training in self.by_place.values()]

    @property
    def is_busy(self) -> bool:
        """Whether one of them waits or runs."""
        return any(job.state in ("waiting", "running") for job in self.jobs)

    @property
    def states(self) -> tuple[str, ...]:
        return tuple(job.state for job in self.jobs)


def trainings() -> Trainings:
    """This session's trainings."""
    owner()  # the end of its session stops them
    return st.session_state.setdefault("_trainings", Trainings())


class _Order(NamedTuple):
    """A training that is to be queued up; `first` steps are taken already, and `earlier` is their film."""

    label: str
    settings: Settings
    start: "Start"
    earlier: "Film | None" = None
    first: int = 0
    vocabulary: int = 0


def train(plans: Mapping[str, Plan]) -> None:
    """Train these side by side, in place of the trainings before. Raises Refused."""
    _start({place: _Order(plan.label, plan.settings, plan) for place, plan in plans.items()})


def train_on(place: str, n_steps: int) -> None:
    """Continue the training at this place for more steps. Raises Refused."""
    mine = trainings().by_place
    training = mine.get(place)
    if training is None or not training.rests:
        raise Refused("This training is under way. Pause it first, or wait for its end.")
    _start({**mine, place: _continued(training.checkpoint(), training.film(), n_steps, training.label)})


def train_on_upload(checkpoint: "Checkpoint", n_steps: int) -> None:
    """Continue the training of an uploaded model. Raises Refused, and InputError for a model that is too large."""
    check_size(checkpoint.task, checkpoint.config, checkpoint.settings)
    _start({"A": _continued(checkpoint, checkpoint.film, n_steps, checkpoint.task.title)})


def take_up(saved: Mapping[str, tuple[str, bytes]]) -> None:
    """Go on with trainings from what Training.saved gave: (label, bytes) by place. Raises Refused and BadCheckpoint."""
    from transformer.training.checkpoints import load

    checkpoints = {place: (label, load(data)) for place, (label, data) in saved.items()}
    _start({place: _taken_up(checkpoint, checkpoint.film, label) for place, (label, checkpoint) in checkpoints.items()})


def _continued(checkpoint: "Checkpoint", film: "Film | None", n_steps: int, label: str) -> _Order:
    settings = replace(checkpoint.settings, steps=checkpoint.step + n_steps, every=max(1, n_steps // 60))
    return _taken_up(replace(checkpoint, settings=settings), film and film.thinned(MAX_FRAMES), label)


def _taken_up(checkpoint: "Checkpoint", film: "Film | None", label: str) -> _Order:
    from transformer.training.checkpoints import save

    start = save(replace(checkpoint, film=None, card={}))
    return _Order(label, checkpoint.settings, start, film, checkpoint.step, len(checkpoint.task.target))


def _start(wanted: Mapping[str, Training | _Order]) -> None:
    """Queue up the orders, and only then end what they replace. Raises Refused, and then all is as it was before."""
    mine = trainings()
    kept = {place: training for place, training in wanted.items() if isinstance(training, Training)}
    replaced = [training.job for training in mine.by_place.values() if training not in kept.values()]
    started: dict[str, Training] = {}
    try:
        for place, order in wanted.items():
            if isinstance(order, _Order):
                job = queue().submit(
                    owner(), order.start, order.settings.steps, first=order.first, time_slice=TIME_SLICE,
                    in_place_of=replaced,
                )  # fmt: skip
                started[place] = Training(order.label, order.settings, job, order.earlier, order.vocabulary)
    except Refused:
        for training in started.values():
            training.job.stop()
        raise
    for job in replaced:
        job.stop()
    mine.by_place = {place: started.get(place) or kept[place] for place in wanted}


def uploaded(id: str, data: bytes) -> "Checkpoint | str":
    """The model in an uploaded file, or a sentence on what is wrong with it. The last one is kept, by its id."""
    from transformer.training.checkpoints import BadCheckpoint, load

    mine = trainings()
    if mine.uploaded[0] != id:
        try:
            mine.uploaded = (id, load(data))
        except BadCheckpoint as error:
            mine.uploaded = (id, str(error))
    return mine.uploaded[1]
