"""What do the heads of real models do? Published models come in here, and all of their heads are seen at once."""

from pathlib import Path

import streamlit as st

from lab.kit.view import heading, render
from pages.pretrained import bring, heads, lens, which_head

st.html(Path(__file__).with_name("page.css"))
lede = heading(
    "pretrained",
    "These models have read more than anyone could in a lifetime. Nobody gave their heads a job; many found one.",
)
render([heads.VIEW, which_head.VIEW, lens.VIEW, bring.VIEW], "pretrained_view", lede=lede)
