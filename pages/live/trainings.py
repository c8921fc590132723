"""The trainings of one session: what is queued up, runs or rests, by the place where it is seen.

The queue is one for the whole process. A session's trainings end when the session ends.
"""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, cast

import streamlit as st

from pages.live.plan import MAX_FRAMES, Plan, check_size, make_trainer
from pages.shared import gate
from pages.shared.training_queue import Job, Refused, owner, queue
from transformer.workload import Workload

if TYPE_CHECKING:
    from transformer.training.checkpoints import Checkpoint
    from transformer.training.film import Film
    from transformer.training.trainer import Snapshot, Trainer

TIME_SLICE = 240.0  # seconds after which a training pauses by itself, so that others get their turn


@dataclass(eq=False)
class Training:
    """One training of a session: its job, and how much of its film the browser has.

    earlier  the film of the steps before, if it goes on from a checkpoint
    sent     frames that the browser has
    """

    label: str
    steps: int
    job: "Job[Trainer]"
    earlier: "Film | None" = None
    id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    sent: int = 0

    @property
    def trainer(self) -> "Trainer | None":
        """None before it is made. Read it only while it does not run."""
        return self.job.trainer

    @property
    def snapshots(self) -> "list[Snapshot]":
        return cast("list[Snapshot]", list(self.job.snapshots))

    @property
    def rests(self) -> bool:
        """Whether there is a model that nobody is changing."""
        return self.trainer is not None and self.job.state not in ("waiting", "running")

    def film(self, first: int = 0) -> "Film | None":
        """Its frames from `first` on; None if there are none, or its trainer is not made yet."""
        from transformer.training.film import film_of, joined

        if self.trainer is None:
            return None
        before = len(self.earlier) if self.earlier else 0
        snapshots = self.snapshots[max(0, first - before) :]
        new = film_of(self.trainer.task, list(self.trainer.parts), snapshots) if snapshots else None
        if not self.earlier or first >= before:
            return new
        old = self.earlier.after(first)
        return joined(old, new) if new else old

    def checkpoint(self) -> "Checkpoint":
        """The model as it is now, with its film and its last measurements. Only while it rests."""
        from transformer.training.checkpoints import checkpoint_of

        assert self.trainer is not None
        film = self.film()
        last = {name: float(curve[-1]) for name, curve in film.curves.items()} if film else {}
        card = {
            "training steps": self.trainer.step,
            **({"validation loss": round(last["val_loss"], 4)} if last else {}),
            **({"accuracy, token by token": round(last["accuracy"], 4)} if last else {}),
        }
        return checkpoint_of(self.trainer, film and film.thinned(MAX_FRAMES), card)


@dataclass(eq=False)
class Trainings:
    """The trainings of one session, by the name of the place where they are seen ("A" and "B").

    uploaded  the last file that was uploaded: its id, and the model in it or a sentence on what is wrong with it
    """

    by_place: dict[str, Training] = field(default_factory=dict)
    uploaded: tuple[str, "Checkpoint | str"] = ("", "")

    @property
    def jobs(self) -> "list[Job[Trainer]]":
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
    """A training that is to be queued up."""

    label: str
    steps: int
    make: "Callable[[], Trainer]"
    earlier: "Film | None" = None


def train(plans: Mapping[str, Plan]) -> None:
    """Train these side by side, in place of the trainings before. Raises Refused."""
    _end()
    _start(
        {
            place: _Order(plan.label, plan.settings.steps, lambda plan=plan: make_trainer(plan))
            for place, plan in plans.items()
        }
    )


def train_on(place: str, n_steps: int) -> None:
    """Continue the training at this place for more steps. Raises Refused."""
    mine = trainings().by_place
    training = mine.get(place)
    if training is None or not training.rests:
        raise Refused("This training is under way. Pause it first, or wait for its end.")
    training.job.stop()  # a paused one would keep its place among the two of this session
    _start({**mine, place: _continued(training.checkpoint(), training.film(), n_steps, training.label)})


def train_on_upload(checkpoint: "Checkpoint", n_steps: int) -> None:
    """Continue the training of an uploaded model. Raises Refused, and InputError for a model that is too large."""
    check_size(checkpoint.task, checkpoint.config, checkpoint.settings)
    _end()
    _start({"A": _continued(checkpoint, checkpoint.film, n_steps, checkpoint.task.title)})


def _continued(checkpoint: "Checkpoint", film: "Film | None", n_steps: int, label: str) -> _Order:
    steps = checkpoint.step + n_steps

    def make() -> "Trainer":
        settings = replace(checkpoint.settings, every=max(1, n_steps // 60))
        return replace(checkpoint, settings=settings).trainer(steps)

    return _Order(label, steps, make, film and film.thinned(MAX_FRAMES))


def _end() -> None:
    """Stop this session's trainings, and wait until they have given their places back."""
    for job in trainings().jobs:
        job.stop()
    for job in trainings().jobs:
        job.wait(2.0)


def _start(wanted: Mapping[str, Training | _Order]) -> None:
    """Queue up the orders, and only then let go of what was there. Raises Refused, and then nothing is queued up."""
    started: dict[str, Training] = {}
    try:
        for place, order in wanted.items():
            if isinstance(order, _Order):
                job = queue().submit(owner(), order.make, order.steps, time_slice=TIME_SLICE)
                started[place] = Training(order.label, order.steps, job, order.earlier)
    except Refused:
        for training in started.values():
            training.job.stop()
        raise
    kept = {place: training for place, training in wanted.items() if isinstance(training, Training)}
    trainings().by_place = {place: started.get(place) or kept[place] for place in wanted}


def uploaded(id: str, data: bytes) -> "Checkpoint | str":
    """The model in an uploaded file, or a sentence on what is wrong with it. The last one is kept, by its id."""
    from transformer.training.checkpoints import BadCheckpoint, load

    mine = trainings()
    if mine.uploaded[0] != id:
        try:
            # The file, its weights, and a model that they are tried in.
            with gate.turn(Workload(4 * len(data), 50 * len(data))):
                mine.uploaded = (id, load(data))
        except BadCheckpoint as error:
            mine.uploaded = (id, str(error))
    return mine.uploaded[1]
