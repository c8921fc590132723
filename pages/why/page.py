"""Why attention? What it has that recurrent networks and convolutions have not, and what it costs."""

import streamlit as st

from pages.shared.catalogue import page
from pages.shared.view import render
from pages.why import cost, duration, heads, path_length

st.title(page("why").question, anchor=False)
st.markdown(
    "Before attention, networks read a text word by word, or through a narrow window. With :violet[**attention**] every"
    " word is one step away from every other. Here is what that brings, and what it costs."
)
render([path_length.VIEW, cost.VIEW, duration.VIEW, heads.VIEW], "why_view")
