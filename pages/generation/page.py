"""How does a model choose the next word? Its probabilities, the draw, branches, and what makes it quick."""

import streamlit as st

from pages.generation import views

st.title("What comes next?", anchor=False)
st.markdown(
    "A decoder gives every token a probability of coming next, and one is drawn. Take the model's word, or another:"
    " it has to go on from there."
)
views.page()
