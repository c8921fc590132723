"""How does a Transformer know the order of the words? Every way to tell it, one question at a time."""

import streamlit as st

from pages.positions import views as places

st.title("How does it know the order?", anchor=False)
st.markdown(
    "Attention alone does not: it sees a bag of words, as if their order were lost. So every token (a word, or a piece"
    " of one) is told its place. Some schemes **add** a pattern to its numbers; some **turn** its :blue[**query**]"
    " (what it asks with) and :orange[**key**] (what it is found by); some change the **score**, how well a query and"
    " a key fit, by distance."
)
places.open_view(places.view())
