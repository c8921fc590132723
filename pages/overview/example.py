"""One finished picture: what stands for all models on the front page."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from attention_view import Packed
from pages.shared import catalogue, pictures
from pages.shared.components.attention_view import attention_view
from pages.shared.hyperparameters import ModelChoice
from pages.shared.models import Mask, Untrained
from pages.shared.text_input import EXAMPLES, cut
from pages.shared.view import View, places
from transformer.config import TransformerConfig

# The heads of this model differ although it has learned nothing.
EXAMPLE = ModelChoice(
    Untrained(
        "decoder",
        TransformerConfig(d_model=64, n_heads=4, n_encoder_layers=1, n_decoder_layers=1, positions="alibi"),
        seed=0,
    ),
    Mask("causal"),
)
LINK = {"model": "Decoder", "positions": "ALiBi", "layers": "1"}  # the same model on the page of heads
HOW_TO_READ = """
#### How to read it
A word :blue[**asks**]: its row.

It :orange[**looks at**] words: the columns. Each gets a share of its attention, and the shares of a row add up to 1.

The darker the cell, the larger the :violet[**weight**]. Hatched cells are masked: this model may not look ahead.

One such table is a **head**. A model has several side by side (heads), and several on top of each other (layers),
counted from 0.

This model has random weights; it has learned nothing. The fading to the left is its sense of distance (a rule
called ALiBi).
"""


def layout() -> Mapping[str, Any]:
    """The words are on screen before the picture, which may wait for torch."""
    picture, words = st.columns([7, 3], gap="large")
    with words:
        st.markdown(HOW_TO_READ)
        st.page_link(
            catalogue.page("heads").script,
            label="**Open it, and every other head**",
            icon=":material/grid_on:",
            query_params=LINK,
        )
    return {"picture": picture}


def compute(choice: ModelChoice) -> Packed:
    return pictures.heads(choice.ref, choice.mask, cut(EXAMPLES[0]).tokens)


def draw(choice: ModelChoice, packed: Packed) -> None:
    with places()["picture"]:
        attention_view(packed, key="picture_view", url=None, compact=True)


VIEW = View("One picture", lambda: EXAMPLE, compute, draw, layout=layout, height=420)
