"""How is attention learned? Train a small Transformer on a task, and watch every head find out where to look."""

import streamlit as st

from pages.live import trainings, views
from pages.shared import display

st.title("How is attention learned?", anchor=False)
st.markdown(
    "The model is only asked for the right token. Watch its :violet[**attention weights**] find, step by step, "
    "the places that the answer is made from: the outlined cells, which it is never shown."
)
with display.loading(480):
    trainings.ready()
views.stage()
views.below()
