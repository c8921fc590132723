"""One layer, step by step: its diagram, and the stream after the step that is open."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from pages.blocks import data, figures
from pages.blocks.stack import Stack, ask_stack
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.components.model_map import model_map
from pages.shared.view import Comparison, View, places

CODE = "transformer/layers.py"
CLICKED = "_blocks_open"  # in st.session_state: the step that was clicked on the diagram, to be opened


class Settings(NamedTuple):
    stack: Stack
    step: str


def layout() -> Mapping[str, Any]:
    return {"diagram": st.container(), "step": st.container()}


def ask() -> Settings | None:
    stack = ask_stack(layer=True)
    if stack is None:
        return None
    with settings.place_named("step"):
        return Settings(stack, _ask_step(data.steps(stack.config.norm)))


def _ask_step(steps: tuple[str, ...]) -> str:
    """The step that is open, by button or by a click on the diagram."""
    key, titles = "blocks_step", {figures.STAGES[step]: step for step in steps}
    clicked = st.session_state.pop(CLICKED, None)
    if clicked in steps:
        st.session_state[key] = figures.STAGES[clicked]
    title = settings.choose(
        st.segmented_control, "Step", key, titles, figures.STAGES["norm1"], common=True, label_visibility="collapsed"
    )
    return titles[title]


def compute(s: Settings) -> dict[str, np.ndarray]:
    return data.stages(s.stack.ref, s.stack.tokens, s.stack.layer)


def draw(s: Settings, stages: dict[str, np.ndarray]) -> None:
    with places()["diagram"]:
        _diagram(s, tuple(stages))
    title = figures.STAGES[s.step]
    picture, words = st.columns([7, 3], gap="large")
    with picture:
        alt = f"Every word's vector after {title}, feature by feature, and its mean and deviation."
        display.figure(figures.stage(stages[s.step], s.stack.tokens), key="blocks_stage", alt=alt)
    with words:
        st.markdown(f"**{title.capitalize()}.** {figures.HELP[s.step]}")
        if s.stack.is_pre_norm:
            teaching.formula(r"x + \mathrm{Sublayer}(\mathrm{Norm}(x))")
        else:
            teaching.formula(r"\mathrm{Norm}(x + \mathrm{Sublayer}(x))")
        teaching.check(
            "In which step does a word learn about the other words?",
            ["Feed-forward", "Attention", "Add & norm"],
            1,
            "Feed-forward, addition and norm treat every word by itself.",
            key="blocks-mix",
        )
        teaching.code_expander(CODE, "EncoderLayer.forward", "AddNorm", icon=None)


def _diagram(s: Settings, steps: tuple[str, ...]) -> None:
    """The map of the layer; the next run opens what is clicked on it."""
    config = s.stack.config
    drawing = figures.layer_map(
        steps, s.step, T=len(s.stack.tokens), d_model=config.d_model, n_heads=config.n_heads, d_ff=config.d_ff
    )
    clicked = model_map(drawing, key="blocks_map")
    if clicked and clicked != s.step:
        st.session_state[CLICKED] = clicked
        st.rerun()


def _numbers(s: Settings, stages: dict[str, np.ndarray]) -> Sheet:
    return figures.stream_sheet(stages[s.step], s.stack.tokens)


VIEW = View(
    "One layer", ask, compute, draw,
    comparison=Comparison(lambda s: figures.STAGES[s.step], _numbers),
    layout=layout,
)  # fmt: skip
