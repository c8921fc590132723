"""How is one attention weight made? Scaled dot-product attention, one step at a time, on numbers one can change."""

import streamlit as st

from pages.attention import views as weight

st.title("How is one attention weight made?", anchor=False)
st.markdown(
    "Every word has three lists of numbers: a :blue[**query**] (what it looks for), a :orange[**key**] (what it can be"
    " found by) and a :green[**value**] (what it passes on). A query is compared with every key; the scores become"
    " :violet[**weights**] that add up to 1; the weights mix the values. Change any number."
)
weight.ways()
