"""How does a word become numbers? Tokens and ids, the table of vectors, and which of them are similar."""

import streamlit as st

from lab.kit.view import heading, render
from pages.embeddings import alike, cut, lookup

lede = heading(
    "embeddings",
    "A text is cut into **tokens**, each token has an **id**, and the id picks a row of a table: its **vector**.",
)
above = st.container()  # the sentence; which model reads it depends on the view
render([cut.VIEW, lookup.VIEW, alike.VIEW], "emb_part", lede=lede, places={"sentence": above})
