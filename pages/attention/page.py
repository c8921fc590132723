"""How is one attention weight made? Scaled dot-product attention, one step at a time, on numbers one can change."""

import streamlit as st

from pages.attention import guess_row, mix, saturation, softmax, step_by_step
from pages.shared.catalogue import page
from pages.shared.view import render

st.title(page("attention").question, anchor=False)
st.markdown(
    "Every word has three lists of numbers: a :blue[**query**] (what it looks for), a :orange[**key**] (what it can be"
    " found by) and a :green[**value**] (what it passes on). A query is compared with every key; the scores become"
    " :violet[**weights**] that add up to 1; the weights mix the values. Change any number."
)
render(
    [step_by_step.VIEW, softmax.VIEW, mix.VIEW, saturation.VIEW, guess_row.VIEW],
    "att_way",
    label="Look at it",
    label_visibility="visible",
    row=st.container(horizontal=True, vertical_alignment="top", key="attention-row"),
)
