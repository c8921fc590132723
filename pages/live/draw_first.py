"""The loss of a training is drawn before it is shown."""

import math
from typing import TYPE_CHECKING

import streamlit as st

from pages.live.models import LearnedModel, models
from pages.shared import display, settings
from pages.shared.components.curve_guess import Curve, curve_guess
from pages.shared.view import View

if TYPE_CHECKING:
    import numpy as np

    from transformer.training.film import Film

N_PLACES = 9


def ask() -> LearnedModel | None:
    for model in models():
        film = model.checkpoint.film
        if film is not None and curve(film, 0) is not None:
            return model
    settings.notify("This training is too short for a curve. Choose a recorded film.")
    return None


def compute(model: LearnedModel) -> Curve:
    film = model.checkpoint.film
    assert film is not None
    drawn = curve(film, len(model.checkpoint.task.target))
    assert drawn is not None
    return drawn


def curve(film: "Film", n_tokens: int) -> Curve | None:
    """The validation loss of a training at places that are equally far apart; None where there are too few.

    n_tokens  that the model can write: before it has learned anything, its loss is about their logarithm
    """
    import numpy as np

    known = ~np.isnan(film.curves["val_loss"])
    steps, losses = film.steps[known], film.curves["val_loss"][known]
    if len(steps) < N_PLACES or steps[0] != 0:
        return None
    places = np.unique(np.linspace(0, steps[-1], N_PLACES).round().astype(int))
    truth = np.interp(places, steps, losses)
    high = float(math.ceil(max(losses.max(), math.log(max(n_tokens, 2))) + 0.2))
    path = zip(np.interp(steps, places, range(len(places))), losses, strict=True)
    half, tenth = (_below(steps, losses, share * losses[0]) for share in (0.5, 0.1))
    return Curve(
        tuple(f"{step:,}" for step in places), truth.tolist(), (0.0, high), ("training step", "loss on new examples"),
        path=tuple((float(x), float(y)) for x, y in path), digits=2,
        after=f"Half of the first loss is gone {half}, nine tenths of it {tenth}.",
    )  # fmt: skip


def _below(steps: "np.ndarray", losses: "np.ndarray", level: float) -> str:
    """When a loss came down to this level for the first time."""
    there = losses <= level
    return f"by step {steps[there.argmax()]:,}" if there.any() else "at no step"


def draw(model: LearnedModel, drawn: Curve) -> None:
    st.markdown(
        f"**{display.plain(model.title)}**: before its first step, its loss is {drawn.truth[0]:.2f}; it guesses among"
        f" {len(model.checkpoint.task.target)} tokens, and ln {len(model.checkpoint.task.target)} is"
        f" {math.log(len(model.checkpoint.task.target)):.2f}. How does the loss go on, to step {drawn.names[-1]}?"
        " **Draw it first.**"
    )
    with st.container(key="figure-live-draw"):
        curve_guess(drawn, key="live_curve")


VIEW = View("Draw the loss", ask, compute, draw, asks="Can you draw how the error will fall?")
