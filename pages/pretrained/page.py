"""What do the heads of real models do? Published models come in here, and all of their heads are seen at once."""

from dataclasses import replace
from pathlib import Path

import streamlit as st

from pages.pretrained import attribution, door, grammar, heads, induction, lens, patching, tensors, unplug
from pages.shared.view import heading, render

st.html(Path(__file__).with_name("page.css"))
heading(
    "pretrained",
    "These models have read more than anyone could in a lifetime. Nobody gave their heads a job; many found one.",
)
STUDIES = [
    replace(view, deeper=True) for view in (patching.VIEW, attribution.VIEW, lens.VIEW, induction.VIEW, grammar.VIEW)
]
render([heads.VIEW, unplug.VIEW, door.VIEW, tensors.VIEW, *STUDIES], "pretrained_view")
