"""Dropout: a tensor of the first layer before it and after it, in training and in evaluation."""

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import streamlit as st

from pages.blocks import data, figures
from pages.blocks.stack import Stack, ask_shallow_stack, places
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.teaching import Answer
from pages.shared.view import Comparison, View

if TYPE_CHECKING:
    from transformer.inspection.dropout import DropoutRun

PLACES = {"weights": "weights", "attention's update": "update", "embedding": "embedding"}


class Settings(NamedTuple):
    """p: the probability; where: one of the places of inspection.dropout; draw: the seed of what is dropped."""

    stack: Stack
    training: bool
    p: float
    where: str
    draws: int
    draw: int


def ask() -> Settings | None:
    at = places()
    stack = ask_shallow_stack(at)
    if stack is None:
        return None
    choose = settings.choose
    with at.primary:
        mode = choose(
            st.segmented_control, "Mode", "blocks_mode", ("training", "evaluation"), "training",
            label_visibility="collapsed",
        )  # fmt: skip
        with settings.line(key="draws"):
            percent = choose(st.select_slider, "p, dropped, in %", "blocks_p", range(0, 91, 10), 20, chip="p = {}%")
            where = choose(st.selectbox, "Dropped from", "blocks_where", PLACES, "weights", chip="from {}")
            draws = choose(
                st.select_slider, "Mean of draws", "blocks_draws", (1, 10, 100), 1, chip="mean of {} draw{s}",
                help="Each pass in training drops different numbers. Their mean comes back to what was there.",
            )  # fmt: skip
            draw = choose(
                st.select_slider, "Draw", "blocks_draw", range(100), 0, help="Which numbers are dropped.",
            )  # fmt: skip
    return Settings(stack, mode == "training", percent / 100, PLACES[where], draws, draw)


def compute(s: Settings) -> "DropoutRun":
    ref = s.stack.untrained
    ref = replace(ref, config=replace(ref.config, dropout=s.p))
    return data.dropout(ref, s.stack.tokens, s.where, s.training, s.draws, s.draw)


def draw(s: Settings, run: "DropoutRun") -> None:
    picture, words = st.columns([7, 3], gap="large")
    with picture:
        alt = f"The {s.where} of the first layer before and after dropout."
        drawing = figures.dropped(run.before, run.after, s.where, s.stack.tokens, s.draws > 1)
        display.figure(drawing, key="blocks_dropped", alt=alt)
    with words:
        teaching.formula(
            r"x_i \to \begin{cases} 0 & \text{with probability } p \\ x_i / (1-p) & \text{else} \end{cases}"
        )
        st.markdown(
            "**Dropout**: in training, each number is set to 0 with probability p, so that the model learns not to "
            "rely on any single one. The others grow a little. The model here is untrained."
        )
        st.markdown(_effect(s, run))
        teaching.check(
            "A model was trained with p = 20%. Now it is used. How many of its numbers does it drop?",
            Answer(
                "None",
                "Dropout is a training exercise: do it with a part of your strength, and rely on no single number.",
                right=True,
            ),
            Answer(
                "20%, as in training",
                "Then every answer would be worse than it need be. Outside of training, dropout is switched off.",
            ),
            Answer(
                "20%, which is why it writes something else each time",
                "That comes from *drawing* the next token at random. The probabilities themselves are the same each "
                "time.",
            ),
            Answer(
                "The 20% that were dropped in training are gone for good",
                "Every step of training drops others, and drops *results*, not parameters. Nothing is lost.",
            ),
            key="blocks-drop",
            try_it={"blocks_part": "Dropout", "blocks_mode": "evaluation"},
        )
        teaching.check(
            "Why are the numbers that stay divided by 1 − p?",
            Answer(
                "So that the mean stays the same",
                "Take the mean of 100 draws: it comes back to what was there.",
                right=True,
            ),
            Answer(
                "So that training is faster",
                "Dropped numbers are computed like all others, and set to 0 afterwards. Nothing is saved, and learning "
                "takes more steps.",
            ),
            Answer(
                "So that every row of attention weights adds up to 1",
                "In a single draw it no longer does: some cells are 0, the others larger than they were. Only on "
                "average does it add up to 1.",
            ),
            key="blocks-drop-mean",
            try_it={"blocks_part": "Dropout", "blocks_mode": "training", "blocks_draws": 100},
        )
        teaching.code_expander("transformer/random.py", "dropout")


def _effect(s: Settings, run: "DropoutRun") -> str:
    """How much was dropped, and how far the result is from what was there."""
    if not s.training:
        return "In evaluation nothing is dropped: both pictures are the same, and every pass gives the same."
    error = float(np.abs(run.after - run.before).mean() / max(float(np.abs(run.before).mean()), 1e-30))
    draws = f"The mean of {s.draws} draws" if s.draws > 1 else "A single draw"
    which = "in the last draw" if s.draws > 1 else "in this draw (the dropped ones are grey)"
    return (
        f"**{100 * run.kept:.0f}%** of the numbers stayed {which}. {draws} is off by **{100 * error:.0f}%** of what "
        "was there. The attention weights on all other pages are those before dropout."
    )


def _after(s: Settings, run: "DropoutRun") -> Sheet:
    tokens = s.stack.tokens
    if s.where == "weights":
        return Sheet(run.after, "attention weight", ("query", "key"), tokens, tokens)
    return figures.stream_sheet(run.after, tokens)


VIEW = View(
    "Dropout", ask, compute, draw,
    comparison=Comparison(lambda s: f"{s.where} after dropout", _after),
    asks="What does training leave out at random?",
    lede="In training, numbers are set to 0 at random: the grey cells. Those that are left grow to make up for them.",
)  # fmt: skip
