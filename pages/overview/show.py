"""The components of this page, each under its key."""

import streamlit as st

from attention_view import Packed
from pages.overview.settings import Sizes
from pages.shared.catalogue import PAGES, page
from pages.shared.components.attention_view import attention_view
from pages.shared.components.model_map import model_map as _model_map
from pages.shared.model_map import model_map as _draw_map


def doors() -> None:
    """The pages, each with the question it answers, in the order to read them in."""
    with st.grid(3, min_column_width=230, gap="small", key="doors"):
        for n, entry in enumerate(PAGES[1:], start=1):
            st.page_link(entry.script, label=f"{n}. **{entry.door}**: {entry.question}", width="stretch")


def picture(packed: Packed) -> None:
    """One head and its ribbons, to be looked at among words."""
    attention_view(packed, key="picture_view", url=None, compact=True)


def model_map(sizes: Sizes) -> None:
    """The map of an encoder-decoder of these sizes; a part with a page opens it."""
    config = sizes.config
    figure = _draw_map(
        B=sizes.batch,
        S=sizes.S,
        T=sizes.T,
        d_model=config.d_model,
        n_heads=config.n_heads,
        d_ff=config.d_ff,
        n_encoder=config.n_encoder_layers,
        n_decoder=config.n_decoder_layers,
        vocab_size=config.tgt_vocab_size,
    )
    opened = _model_map(figure, key="model_map")
    if opened in {entry.url for entry in PAGES[1:]}:
        st.switch_page(page(opened).script)
