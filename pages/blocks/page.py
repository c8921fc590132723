"""What happens inside one layer? Its stations, the stream that runs through, and what breaks without them."""

from pathlib import Path

import streamlit as st

from lab.kit.view import heading, render
from pages.blocks import ablation, modern, one_layer, residual_stream

st.html(Path(__file__).with_name("page.css"))
lede = heading(
    "blocks",
    "**Attention** lets tokens look at one another, **feed-forward** works on each alone; both add to one **stream**.",
)
render([one_layer.VIEW, residual_stream.VIEW, ablation.VIEW, modern.VIEW], "blocks_part", lede=lede)
