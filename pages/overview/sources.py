"""What a reader should know before, and the papers that the pages are made from."""

from pathlib import Path

import streamlit as st


def draw() -> None:
    """Both, folded away."""
    with st.expander("Before you start, and sources"):
        st.markdown(Path(__file__).with_suffix(".md").read_text(encoding="utf-8"))
