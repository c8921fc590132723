"""How is one attention weight made? Scaled dot-product attention, one step at a time, on numbers one can change."""

import streamlit as st

from pages.kit.views import attention as weight

st.title("How is one attention weight made?", anchor=False)
st.markdown(
    "A :blue[**query**] is compared with every :orange[**key**]; the scores become :violet[**weights**] that add up"
    " to 1; the weights mix the :green[**values**]. Take it one step at a time, and change any number."
)
weight.ways()
