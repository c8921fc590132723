"""The models that can be looked at below the film."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from lab.kit import settings
from lab.kit.models.references import Shipped
from pages.live import trainings
from pages.live.film import DEFAULT_FILM, recorded_films
from transformer.core.checks import InputError

if TYPE_CHECKING:
    from transformer.training.checkpoints import Checkpoint

_UNDER_WAY = (
    "Your training is still running, so you see {} here. Pause it, or wait for its end, to see what it has learned."
)


class LearnedModel(NamedTuple):
    """A model and how it was learned.

    key        tells it apart from all other models, in caches
    place      of this visitor's training, "" for a recorded film
    """

    title: str
    key: str
    checkpoint: "Checkpoint"
    place: str = ""


def own_models() -> list[LearnedModel]:
    """Those of this visitor's trainings that nobody is changing now."""
    mine = trainings.trainings().by_place
    models = []
    for place, training in mine.items():
        if training.rests:
            title = f"{place}, {training.plan.label}" if len(mine) > 1 else "your training"
            try:
                checkpoint = training.checkpoint()
            except InputError:  # its weights have grown out of all bounds: no numbers come out of it
                continue
            key = f"{training.id} {checkpoint.step}"
            models.append(LearnedModel(title, key, checkpoint, place))
    return models


def models() -> list[LearnedModel]:
    """This visitor's models, or else that of the recorded film on screen; a notice says what is not shown yet."""
    own = own_models()
    if trainings.trainings().is_busy:
        settings.notify(_UNDER_WAY.format("the other one" if own else "a recorded model"))
    if own:
        return own
    name = recorded_films().get(st.session_state.get("live_film", ""), DEFAULT_FILM)
    checkpoint = Shipped(name).resolve().checkpoint
    return [LearnedModel(f"{checkpoint.task.title}, as recorded", f"shipped {name}", checkpoint)]
