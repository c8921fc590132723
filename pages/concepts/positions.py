"""How does a Transformer know the order of the words? Every way to tell it, one question at a time."""

import streamlit as st

from pages.kit.views import positions as places

st.title("How does it know the order?", anchor=False)
st.markdown(
    "Attention alone does not: it sees a bag of words. So every token is told its place. Some schemes **add** a"
    " pattern to it, some **turn** its :blue[**query**] and :orange[**key**], some change the **score** by distance."
)
places.open_view(places.view())
