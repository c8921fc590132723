"""The trainings of this page: from its settings, from a model that rests, or from one that was uploaded."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from lab.server import gate
from lab.server.incoming import release
from lab.server.training_queue import Refused
from pages.live import register
from pages.live.register import Order, Trainings
from transformer import training
from transformer.core.workload import Workload
from transformer.training.plan import MAX_FRAMES, Plan, check_size

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile


PLACES = ("A", "B")
_UPLOADED = "_live_uploaded"  # in st.session_state: what was in the last upload


def trainings() -> Trainings:
    """This visitor's trainings on this page."""
    return register.trainings("live", PLACES)


def train(plans: Mapping[str, Plan]) -> None:
    """Train these side by side, in place of the trainings before. Raises Refused."""
    trainings().start({place: Order(plan.label, plan.settings, plan, plan=plan) for place, plan in plans.items()})


def train_on(place: str, n_steps: int) -> None:
    """Continue the training at this place for more steps. Raises Refused."""
    mine = trainings()
    training = mine.by_place.get(place)
    if training is None or not training.rests:
        raise Refused("This training is under way. Pause it first, or wait for its end.")
    order = _continued(training.checkpoint(), training.film(), n_steps, training.label)
    mine.start({**mine.by_place, place: order})


def train_on_upload(checkpoint: "training.checkpoints.Checkpoint", n_steps: int) -> None:
    """Continue the training of an uploaded model. Raises Refused, and InputError for a model that is too large."""
    check_size(checkpoint.task, checkpoint.config, checkpoint.settings, checkpoint.turns)
    trainings().start({"A": _continued(checkpoint, checkpoint.film, n_steps, checkpoint.task.title)})


def _continued(
    checkpoint: "training.checkpoints.Checkpoint", film: "training.film.Film | None", n_steps: int, label: str
) -> Order:
    settings = replace(checkpoint.settings, steps=checkpoint.step + n_steps, every=max(1, n_steps // 60))
    start = training.checkpoints.save(replace(checkpoint, settings=settings, film=None, card={}, stages=()))
    return Order(
        label, settings, start, film and film.thinned(MAX_FRAMES), checkpoint.step, checkpoint.task.n_choices,
        register.plan_of(replace(checkpoint, settings=settings)), checkpoint.turns, checkpoint.stages,
    )  # fmt: skip


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
