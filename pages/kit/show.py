"""Putting figures on screen."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from pages.kit.components.attention_view import Packed, Selection, attention_view
from pages.kit.components.model_map import model_map as _model_map
from pages.kit.controls import Sentence
from pages.kit.figures.model_map import model_map as _draw_map
from transformer.config import TransformerConfig

if TYPE_CHECKING:
    import plotly.graph_objects as go

_CONCEPTS = Path(__file__).parents[1] / "concepts"
HEADS = _CONCEPTS / "heads.py"
_PAGES = {"heads": HEADS}  # url_path -> script, for figures with doors


def notice(*sentences: str) -> None:
    """Say what was not as expected, in plain words; nothing if there is nothing to say.

    The text is shown letter by letter: nothing in it is read as Markdown or HTML.
    """
    if sentences:
        name = "-".join(map(str, map(len, sentences)))
        st.container(key=f"notice-{name}").text("\n".join(sentences))


def plain(text: str) -> str:
    """A visitor's text for a place that reads Markdown: every sign is escaped, so that none has a meaning."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def heads(packed: Packed, *, report: bool = False) -> Selection | None:
    """Every head of a model: thumbnails, one head large, its ribbons, one cell's arithmetic.

    report=True also returns the head and cell that are chosen, at the price of a message a choice.
    """
    return attention_view(packed, key="heads_view", report=report)


def picture(packed: Packed) -> None:
    """One head and its ribbons, to be looked at among words."""
    attention_view(packed, key="picture_view", url=None, compact=True)


def figure(drawing: "go.Figure", *, key: str, alt: str) -> None:
    """A plotly figure in the house's colours. `alt` says in words what is to be seen, with its numbers."""
    st.plotly_chart(drawing, key=key, alt=alt, config={"displaylogo": False, "displayModeBar": False})


def model_map(config: TransformerConfig, *, source: Sentence, target: Sentence) -> None:
    """The map of an encoder-decoder of this size between two sentences; a part with a page opens it."""
    figure = _draw_map(
        S=len(source.tokens),
        T=len(target.tokens),
        d_model=config.d_model,
        n_heads=config.n_heads,
        d_ff=config.d_ff,
        n_encoder=config.n_encoder_layers,
        n_decoder=config.n_decoder_layers,
        vocab_size=config.tgt_vocab_size,
    )
    page = _PAGES.get(_model_map(figure, key="model_map") or "")
    if page:
        st.switch_page(page)
