"""How does a word become numbers? Tokens and ids, the table of vectors, their similarity and their size."""

import streamlit as st

from pages.embeddings import alike, gradients, lookup, scale, tokens
from pages.shared.view import heading, render

heading(
    "embeddings",
    "A text is cut into **tokens**, every token has an **id**, and the id picks one row of a table: "
    "the **vector** that the model works with from then on.",
)
above = st.container()  # the sentence; which model reads it depends on the view
render([tokens.VIEW, lookup.VIEW, alike.VIEW, scale.VIEW, gradients.VIEW], "emb_part", places={"sentence": above})
