"""The trainings of this page: from its settings, from a model that rests, or from one that was uploaded."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from lab.server import gate
from lab.server.incoming import release
from lab.server.jobs import Refused
from pages.live import register
from pages.live.register import Order, Trainings, plan_of
from transformer import training
from transformer.core.workload import Workload
from transformer.training.plan import Plan, check_size

if TYPE_CHECKING:
    from lab.hooks.runtime import UploadedFile

_UPLOADED = "_live_uploaded"  # in st.session_state: what was in the last upload


def trainings() -> Trainings:
    """This visitor's trainings."""
    return register.trainings()


def train(plans: Mapping[str, Plan]) -> None:
    """Train these side by side, in place of the trainings before. Raises Refused."""
    trainings().start({place: Order(plan) for place, plan in plans.items()})


def train_on(place: str, n_steps: int) -> None:
    """Continue the training at this place for more steps. Raises Refused."""
    mine = trainings()
    training = mine.by_place.get(place)
    if training is None or not training.rests:
        raise Refused("This training is under way. Pause it first, or wait for its end.")
    mine.start({**mine.by_place, place: _continued(training.checkpoint(), n_steps, training.plan.label)})


def train_on_upload(checkpoint: "training.checkpoints.Checkpoint", n_steps: int) -> None:
    """Continue the training of an uploaded model. Raises Refused, and InputError for a model that is too large."""
    check_size(checkpoint.task, checkpoint.config, checkpoint.settings, checkpoint.turns)
    trainings().start({"A": _continued(checkpoint, n_steps, checkpoint.task.title)})


def _continued(checkpoint: "training.checkpoints.Checkpoint", n_steps: int, label: str) -> Order:
    settings = replace(checkpoint.settings, steps=checkpoint.step + n_steps, every=max(1, n_steps // 60))
    return Order(plan_of(checkpoint)._replace(settings=settings, label=label), checkpoint)


def uploaded(file: "UploadedFile | None") -> "training.checkpoints.Checkpoint | str":
    """The model in an uploaded file, or a sentence on what is wrong with it; without a file, that of the last one.

    What was read is kept, and the file let go of.
    """
    if file is not None:
        data = file.getvalue()
        try:
            # The file, its weights, and a model that they are tried in.
            with gate.turn(Workload(4 * len(data), 50 * len(data))):
                result = training.checkpoints.load(data)
        except training.checkpoints.BadCheckpoint as error:
            result = str(error)
        st.session_state[_UPLOADED] = result
        release(file)
    return st.session_state[_UPLOADED]
