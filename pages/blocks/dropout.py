"""Dropout: the attention weights of one head before it and after it, in training and in use. A fold of One layer."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.models.references import Untrained
from pages.blocks import data, figures
from pages.blocks.stack import Stack
from transformer import inspection

OPEN, TITLE = "blocks_dropout", "What does training leave out at random?"
DRAWS = 100


class Settings(NamedTuple):
    """percent: how much is dropped in training."""

    training: bool
    percent: int


class Result(NamedTuple):
    """A single draw, and the mean of DRAWS."""

    one: "inspection.dropout.DropoutRun"
    mean: "inspection.dropout.DropoutRun"


def ask() -> Settings:
    with settings.place(st.container, horizontal=True, vertical_alignment="center"):
        mode = settings.choose(
            st.segmented_control,
            "Mode",
            "blocks_mode",
            ("training", "evaluation"),
            "training",
            label_visibility="collapsed",
        )
        percent = settings.choose(st.select_slider, "p, dropped, in %", "blocks_p", range(0, 91, 10), 20, width=200)
    return Settings(mode == "training", percent)


def compute(stack: Stack, s: Settings) -> Result:
    """Of an untrained encoder of the same sizes: what was trained is read as it was stored, without dropout."""
    config = replace(stack.config, dropout=s.percent / 100, n_encoder_layers=1)
    ref = Untrained("encoder", config, 0)
    return Result(*(data.dropout(ref, stack.tokens, s.training, draws) for draws in (1, DRAWS)))


def draw(stack: Stack, s: Settings, result: Result) -> None:
    run = result.one
    picture, words = st.columns([7, 3], gap="large")
    with picture:
        display.figure(
            figures.dropped(run.before, run.after, stack.tokens),
            key="blocks_dropped",
            alt="The attention weights of one head before and after dropout.",
        )
    with words:
        teaching.formula(
            r"x_i \to \begin{cases} 0 & \text{with probability } p \\ x_i / (1-p) & \text{else} \end{cases}"
        )
        st.markdown(
            "**Dropout**: in training, each number is set to 0 with probability p (grey), so that the model learns not "
            "to rely on any single one. The others grow, so that the mean stays. This is the first head of an "
            "untrained model of these sizes."
        )
        st.markdown(_effect(s, result))
        questions.ask("blocks-drop", try_it={"blocks_mode": "evaluation"})
        teaching.code("transformer/core/random.py", "dropout")


def _effect(s: Settings, result: Result) -> str:
    """How much was dropped, and how far one draw and the mean of many are from what was there."""
    if not s.training:
        return "In evaluation nothing is dropped: both pictures are the same, and so is every pass."
    one, many = (
        float(np.abs(run.after - run.before).mean() / max(float(np.abs(run.before).mean()), 1e-30)) for run in result
    )
    return (
        f"**{result.one.kept:.0%}** of the numbers stayed. This draw is off by **{one:.0%}** of what was there, the "
        f"mean of {DRAWS} draws by **{many:.0%}**. The attention weights on all other pages are those before dropout."
    )
