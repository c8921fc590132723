"""What do the heads of real models do? Published models come in here, and all of their heads are seen at once."""

from pathlib import Path

import streamlit as st

from pages.pretrained import attribution, door, grammar, heads, induction, lens, patching, tensors, unplug
from pages.shared.view import heading, render

st.html(Path(__file__).with_name("page.css"))
lede = heading(
    "pretrained",
    "These models have read more than anyone could in a lifetime. Nobody gave their heads a job; many found one.",
)
render(
    [heads.VIEW, unplug.VIEW, door.VIEW, tensors.VIEW],
    "pretrained_view",
    lede=lede,
    deeper=[patching.VIEW, attribution.VIEW, lens.VIEW, induction.VIEW, grammar.VIEW],
)
