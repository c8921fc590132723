"""Is attention linear? Superposition and scaling, with weights that follow the input and with fixed ones."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.blocks import data, figures
from pages.blocks.data import FACTORS, Linearity
from pages.blocks.formatting import amount
from pages.blocks.stack import Stack, ask_shallow_stack, places, say
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Curves
from pages.shared.teaching import Answer, check
from pages.shared.view import Comparison, View

if TYPE_CHECKING:
    from transformer.inspection.linearity import Superposition


class Settings(NamedTuple):
    """percent: the share of this sentence in the mixture."""

    stack: Stack
    percent: int


def ask() -> Settings | None:
    at = places()
    stack = ask_shallow_stack(at)
    if stack is None:
        return None
    with at.primary:
        say("% of this sentence")
        percent = settings.choose(
            st.select_slider, "Share of this sentence in the mixture, %", "blocks_mix", range(0, 101, 10), 50,
            label_visibility="collapsed", width=200,
        )  # fmt: skip
    return Settings(stack, percent)


def compute(s: Settings) -> Linearity:
    return data.linearity(s.stack.untrained, s.stack.tokens, s.percent)


def draw(s: Settings, result: Linearity) -> None:
    left, right, words = st.columns([7, 7, 6], gap="medium")
    with left:
        alt = "Attention of a mixture against the mixture of attentions: on the diagonal only with fixed weights."
        drawing = figures.superposition(result.mixture.live, result.mixture.frozen)
        display.figure(drawing, key="blocks_super", alt=alt)
    with right:
        alt = "How far attention of a stretched input is from stretched attention: zero only with fixed weights."
        display.figure(figures.scaling(FACTORS, result.live, result.frozen), key="blocks_stretch", alt=alt)
    with words:
        teaching.formula(
            r"\w{A}(X)\,\v{V} = \w{\mathrm{softmax}}\!\left(\tfrac{\q{Q}\k{K}^\top}{\sqrt{d_k}}\right)\v{V}"
        )
        st.markdown(
            "**Linear** means: mixing first or last makes no difference, and twice the input gives twice the output. "
            "X is what comes in. From it come the :violet[attention weights] A (by way of queries Q and keys K) "
            "and the :green[values] V, which they mix. The model here is untrained."
        )
        st.markdown(_verdict(result.mixture))
        check(
            "In what is attention linear?",
            Answer(
                "In V, at fixed weights",
                "The weights are made from X, too, through a softmax: X enters twice.",
                right=True,
            ),
            Answer("In its input X", ""),
            Answer("In Q", ""),
            key="blocks-linear",
        )
        teaching.code_expander("transformer/inspection/linearity.py", "superposition")


def _verdict(mixture: "Superposition") -> str:
    """How far off superposition is."""
    return (
        f"Mix two inputs, then attend; or attend, then mix. With the weights held fixed both give the same: off by "
        f"{amount(100 * mixture.frozen_error)}%, rounding. With weights that follow the input, off by "
        f"**{100 * mixture.live_error:.0f}%**. At c = −1, 0 and 1 the right-hand curve touches zero: turning "
        "every sign leaves the scores alone."
    )


def _errors(s: Settings, result: Linearity) -> Curves:
    lines = {"weights follow the input": result.live, "weights fixed": result.frozen}
    return Curves(FACTORS, lines, ("c, how far the input is stretched", "how far off"))


VIEW = View("Is it linear?", ask, compute, draw, comparison=Comparison("how far from linear", _errors), deeper=True)
