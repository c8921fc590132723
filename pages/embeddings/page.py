"""How does a word become numbers? Tokens and ids, the table of vectors, their similarity and their size."""

import streamlit as st

from pages.embeddings import gradients, lookup, scale, similarity, tokens
from pages.shared.catalogue import page
from pages.shared.view import render

st.title(page("embeddings").question, anchor=False)
st.markdown(
    "A text is cut into **tokens**, every token has an **id**, and the id picks one row of a table: "
    "the **vector** that the model works with from then on."
)
above = st.container()  # the sentence; which model reads it depends on the view
row = st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="emb-top")
render(
    [tokens.VIEW, lookup.VIEW, similarity.VIEW, scale.VIEW, gradients.VIEW], "emb_part",
    label="Look at", label_visibility="visible", row=row, places={"sentence": above},
)  # fmt: skip
