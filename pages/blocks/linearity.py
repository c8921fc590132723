"""Is attention linear? In its values, with fixed weights; not in its input. A fold of One layer."""

import streamlit as st

from lab.kit import questions, teaching
from lab.kit.figures import display
from lab.kit.words import at_most
from pages.blocks import data
from pages.blocks.data import Linearity
from pages.blocks.stack import Stack

OPEN, TITLE = "blocks_linear", "Is attention linear?"


def compute(stack: Stack) -> Linearity:
    return data.linearity(stack.ref, stack.tokens, stack.layer)


def draw(result: Linearity) -> None:
    with display.prose():
        teaching.formula(
            r"\w{A}(X)\,\v{V} = \w{\mathrm{softmax}}\!\left(\tfrac{\q{Q}\k{K}^\top}{\sqrt{d_k}}\right)\v{V}"
        )
        st.markdown(
            "**Linear** means that mixing first or mixing last makes no difference, and that twice the input gives "
            "twice the output. Attention is linear in its :green[values] alone."
        )
        st.markdown(
            "Tried on this layer: what it reads of your text is mixed, half and half, with its reverse. As long "
            "as the :violet[attention weights] are held fixed, mixing first and mixing last differ by "
            f"{at_most(max(result.mixed_frozen, result.doubled_frozen))}. In the model the weights follow the "
            f"input, and the two differ by **{result.mixed_live:.0%}**; what comes of twice the input is "
            f"**{result.doubled_live:.0%}** off twice the output."
        )
        questions.ask("blocks-linear")
