"""Putting figures on screen."""

import streamlit as st

from pages.kit.components.attention_view import Packed, attention_view


def notice(*sentences: str) -> None:
    """Say what was not as expected, in plain words; nothing if there is nothing to say.

    The text is shown letter by letter: nothing in it is read as Markdown or HTML.
    """
    if sentences:
        st.container(key=f"notice-{len(sentences)}-{sentences[0][:8].encode().hex()}").text("\n".join(sentences))


def heads(packed: Packed) -> None:
    """Every head of a model: thumbnails, one head large, its ribbons, one cell's arithmetic."""
    attention_view(packed, key="heads_view")
