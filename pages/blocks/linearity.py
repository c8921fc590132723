"""Is attention linear? In its values, with fixed weights; not in its input. A fold of One layer."""

import streamlit as st

from lab.kit import rounding, teaching
from lab.kit.teaching import Answer
from pages.blocks import data
from pages.blocks.data import Linearity
from pages.blocks.stack import Stack

OPEN, TITLE = "blocks_linear", "Is attention linear?"


def compute(stack: Stack) -> Linearity:
    return data.linearity(stack.ref, stack.tokens, stack.layer)


def draw(result: Linearity) -> None:
    words, question = st.columns(2, gap="large")
    with words:
        teaching.formula(
            r"\w{A}(X)\,\v{V} = \w{\mathrm{softmax}}\!\left(\tfrac{\q{Q}\k{K}^\top}{\sqrt{d_k}}\right)\v{V}"
        )
        st.markdown(
            "**Linear** means that mixing first or mixing last makes no difference, and that twice the input gives "
            "twice the output. Attention is linear in its :green[values] alone."
        )
        st.markdown(
            "Tried on this layer: what it reads of your text is mixed, half and half, with the same backwards. As long "
            "as the :violet[attention weights] are held fixed, mixing first and mixing last differ by "
            f"{rounding.by(max(result.mixed_frozen, result.doubled_frozen))}. In the model the weights follow the "
            f"input, and the two differ by **{result.mixed_live:.0%}**; what comes of twice the input is "
            f"**{result.doubled_live:.0%}** off twice the output."
        )
    with question:
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
                "That holds as long as the attention weights are held fixed. Here they are made from X as well.",
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
