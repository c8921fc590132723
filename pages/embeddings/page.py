"""How does a word become numbers? Tokens and ids, the table of vectors, their likeness and their size."""

import streamlit as st

from pages.embeddings import views as views
from pages.shared import controls, display

PARTS = ("Tokens", "One-hot × W_e", "Similarity", "Scale", "What learns")

st.title("How does a word become numbers?", anchor=False)
st.markdown(
    "A text is cut into **tokens**, every token has an **id**, and the id picks one row of a table: "
    "the **vector** that the model works with from then on."
)
say: list[str] = []
above = st.container()  # for the sentence: who reads it depends on the part
with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="emb-top"):
    part = controls.choose(st.segmented_control, "Look at", "emb_part", PARTS, "Tokens", say)
    with above:
        typed = views.read(part, say)
    shuffled = part == "One-hot × W_e" and views.shuffled(say)
    bench = views.asked(part, typed, say)
    tokens, *_ = bench.now

said = st.container()  # above the parts, which may have something to say as well
if not tokens.ids:
    say.append("There is nothing to cut yet. Type a sentence, or pick one of the examples.")
elif part == "Tokens":
    views.token_view(tokens)
else:
    with display.loading(420):
        if part == "One-hot × W_e":
            views.lookup_view(bench, shuffled)
        elif part == "Similarity":
            views.similarity_view(bench, say)
        elif part == "Scale":
            views.scale_view(bench, say)
        else:
            views.learning_view(bench, say)
with said:
    display.notice(*say)
