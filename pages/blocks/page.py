"""What happens inside one layer? Its parts one by one, the stream that runs through, and what breaks without them."""

import streamlit as st

from pages.blocks import views

st.title("What happens inside one layer?", anchor=False)
st.markdown(
    "Words look at each other (:violet[**attention**]), then each is worked on alone (**feed-forward**). What these "
    "two *sublayers* find is added to the :green[**stream**]: one vector a word, through all layers. The weights are "
    "random where nothing else is said."
)
say: list[str] = []
views.open_part(views.part(say), say)
