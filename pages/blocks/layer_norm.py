"""Layer norm: mean and deviation of every word before it and after it, and whether the batch matters."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from pages.blocks import data, figures
from pages.blocks.data import GainRange
from pages.blocks.formatting import amount
from pages.blocks.stack import Stack, ask_stack
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.view import Comparison, View, places


class Settings(NamedTuple):
    stack: Stack
    batch: int


class Result(NamedTuple):
    """stages: the stream after each step; under_*: the largest change by the other sentences of the batch."""

    stages: dict[str, np.ndarray]
    under_layer_norm: float
    under_batch_norm: float


def layout() -> Mapping[str, Any]:
    picture, words = st.columns([7, 3], gap="large")
    with words:
        return {"picture": picture, "above": st.container(), "batch": st.container(), "below": st.container()}


def ask() -> Settings | None:
    stack = ask_stack(layer=True)
    if stack is None:
        return None
    with settings.place_named("batch"):
        batch = settings.choose(
            st.select_slider, "Sentences in the batch", "blocks_company", (1, 2, 4, 8, 16), 8, common=True,
            help="How many sentences are computed together. The others are random texts of the same length.",
        )  # fmt: skip
    return Settings(stack, batch)


def compute(s: Settings) -> Result:
    tokens, ref, layer = s.stack
    return Result(data.stages(ref, tokens, layer), *data.batch_dependence(ref, tokens, layer, s.batch))


def draw(s: Settings, result: Result) -> None:
    containers = places()
    with containers["above"]:
        teaching.formula(r"\frac{x - \mathrm{mean}(x)}{\sqrt{\mathrm{var}(x) + \varepsilon}}\;\gamma + \beta")
        st.markdown(
            "A line is one word: its mean, and how far its numbers spread. Mean and variance (the spread, squared) are "
            "taken over the features of *one* word, the numbers of its vector. "
            + _gains(data.gain_range(s.stack.ref, s.stack.layer) if s.stack.is_trained else None)
        )
    with containers["below"]:
        st.markdown(
            f"Company changes this sentence's numbers by at most **{amount(result.under_layer_norm)}**. Were they "
            f"normalised over the whole batch (batch norm), by **{amount(result.under_batch_norm)}**."
        )
        teaching.check(
            "Another sentence joins the batch, to be computed together. What changes in this one?",
            ["Its means", "Everything a little", "Nothing"],
            2,
            "Layer norm looks along the features of one word, never across words or sentences.",
            key="blocks-norm",
        )
        teaching.code_expander("transformer/layers.py", "AddNorm", icon=None)
    with containers["picture"]:
        input = "in" if s.stack.is_pre_norm else "add1"
        before, after = data.statistics(result.stages[input]), data.statistics(result.stages["norm1"])
        alt = "Mean and standard deviation of every word before layer norm, and after it" + (
            ", where γ and β have moved them." if s.stack.is_trained else ": 0 and 1 for all."
        )
        display.figure(figures.layer_norm(before, after, s.stack.tokens), key="blocks_norm_stats", alt=alt)


def _gains(learned: GainRange | None) -> str:
    """What γ and β are; `learned` of a trained model."""
    if not learned:
        return "γ is 1 and β is 0 in a fresh model; training moves them."
    return (
        f"γ was 1 and β was 0 before this model was trained. Now γ lies from {learned.min_gain:.2f} to "
        f"{learned.max_gain:.2f} and β from {learned.min_bias:.2f} to {learned.max_bias:.2f}, so what comes out has "
        "other means and deviations than 0 and 1."
    ).replace("-", "−")


def _normed(s: Settings, result: Result) -> Sheet:
    return figures.stream_sheet(result.stages["norm1"], s.stack.tokens)


VIEW = View(
    "Layer norm", ask, compute, draw,
    comparison=Comparison("after the first norm", _normed),
    layout=layout,
)  # fmt: skip
