"""Is attention linear? Superposition and scaling, with weights that follow the input and with fixed ones."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.blocks import data, figures
from pages.blocks.data import FACTORS, Linearity
from pages.blocks.formatting import amount
from pages.blocks.stack import Stack, ask_shallow_stack, places, say
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Curves
from pages.shared.teaching import Answer
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
            "**Linear** means that mixing first or mixing last makes no difference, and that a stretched input gives "
            "an equally stretched output. X is the input. From it come the :violet[attention weights] A (by way of "
            "queries Q and keys K) and the :green[values] V that they mix. The model here is untrained."
        )
        st.markdown(_verdict(result.mixture))
        teaching.check(
            "Every number of the input X is doubled. What comes out of attention?",
            Answer(
                "Something else: the attention weights change",
                "The values double, but queries and keys double as well. So the scores grow fourfold, and softmax "
                "makes a sharper choice of them.",
                right=True,
            ),
            Answer(
                "Twice the output",
                "That holds as long as the attention weights are held fixed. Here they are made from X as well: see "
                "the right-hand chart at c = 2.",
            ),
            Answer(
                "The same output: softmax evens it out",
                "Softmax normalises the *weights*, so that they add up to 1. The values that they mix have doubled.",
            ),
            Answer(
                "Four times the output",
                "The *scores* grow fourfold, one factor from q, one from k. Softmax turns them into shares of 1, not "
                "into something four times as large.",
            ),
            key="blocks-linear",
        )
        teaching.code_expander("transformer/inspection/linearity.py", "superposition")


def _verdict(mixture: "Superposition") -> str:
    """How far off superposition is."""
    return (
        "Mix two inputs, then attend; or attend, then mix. If the attention weights are held fixed, both give the "
        f"same (off by {amount(100 * mixture.frozen_error)}%, rounding). If they follow the input, the two differ by "
        f"**{100 * mixture.live_error:.0f}%**. At c = −1, 0 and 1 the right-hand curve touches zero: flipping every "
        "sign leaves the scores as they are."
    )


def _errors(s: Settings, result: Linearity) -> Curves:
    lines = {"weights follow the input": result.live, "weights fixed": result.frozen}
    return Curves(FACTORS, lines, ("c, how far the input is stretched", "how far off"))


VIEW = View(
    "Is it linear?",
    ask,
    compute,
    draw,
    comparison=Comparison("how far from linear", _errors),
    asks="Does twice the input give twice the output?",
    lede="If attention were linear, all dots would lie on the line, and an input stretched by c would stretch the"
    " output by c.",
)
