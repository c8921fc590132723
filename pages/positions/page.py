"""How does a Transformer know the order of the words? Every way to tell it, one question at a time."""

import streamlit as st

from pages.positions import shuffle
from pages.positions import views as places
from pages.shared.view import View, render

st.title("How does it know the order?", anchor=False)
st.markdown(
    "Attention alone does not: it sees a bag of words, as if their order were lost. So every token (a word, or a piece"
    " of one) is told its place. Some schemes **add** a pattern to its numbers; some **turn** its :blue[**query**]"
    " (what it asks with) and :orange[**key**] (what it is found by); some change the **score**, how well a query and"
    " a key fit, by distance."
)
# The rest of the views, until each has a file of its own.
REST = [
    View(name, ask=lambda: (), compute=lambda _: None, draw=lambda *_, draw=draw: draw(), question=question)
    for name, (question, draw) in places.VIEWS.items()
]
render([shuffle.VIEW, *REST], "pos_view", label="What to look at")
