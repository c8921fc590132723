"""How does a Transformer translate? A small translator at work: its threads, its steps, its beams, its plugs."""

import streamlit as st

from pages.translation import views

st.title("How does a Transformer translate?", anchor=False)
st.markdown(
    "The **encoder** reads the whole sentence. The **decoder** writes the translation word by word; for each, it asks "
    "with a :blue[**query**] which words of the sentence matter now, compares it with their :orange[**keys**], and "
    "takes in their :green[**values**]: that is cross-attention, drawn here as :violet[**threads**]."
)
views.page()
