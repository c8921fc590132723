"""Who may look at whom? Masks by name and painted by hand, what leaks through them, and what blocking is made of."""

from pathlib import Path

import streamlit as st

from lab.kit.view import heading, render
from pages.masks import leaks, paint, wiring

st.html(Path(__file__).with_name("page.css"))
lede = heading(
    "masks",
    "A mask says which :orange[**keys**] each :blue[**query**] may look at. Blocked cells are hatched: their"
    " :violet[**attention weight**] is exactly 0.",
)
render([paint.VIEW, leaks.VIEW, wiring.VIEW], "masks_view", lede=lede)
