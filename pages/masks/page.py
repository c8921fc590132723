"""Who may look at whom? Masks by name and painted by hand, what leaks through them, and what blocking is made of."""

import streamlit as st

from pages.masks import views

st.title("Who may look at whom?", anchor=False)
st.markdown(
    "A mask says which :orange[**keys**] (words to be looked at) a :blue[**query**] (the word that looks) may look at. "
    "What it closes, hatched here, gets a :violet[**weight**], a share of the attention, of exactly 0."
)
views.open_view()
