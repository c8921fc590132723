"""Where does each word look? Every head of a Transformer on a sentence that the visitor types."""

import streamlit as st

from pages.heads import compare as heads_compare
from pages.heads import show, studies
from pages.shared import compare, controls, display, readers

st.title("Where does each word look?", anchor=False)
st.markdown(
    "Every row is a word :blue[**asking**]; every column a word :orange[**being looked at**]. "
    "The darker the cell, the larger the :violet[**attention weight**]; each row adds up to 1. Each small map is a "
    "**head**."
)
say: list[str] = []
bench = compare.ask(controls.read_with_model, say)
sentence, choice = bench.now
display.notice(*say, *sentence.notices, *choice.notices)

if not sentence.tokens:
    display.notice("There is no word to look at yet. Type a sentence, or pick one of the examples.")
else:
    with display.loading(480):
        packed = readers.heads(choice.kind, choice.config, choice.seed, choice.mask, sentence.tokens)
    if len(sentence.tokens) == 1:
        display.notice("A single word can only look at itself. Add another to give it a choice.")
    view = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        way = studies.way()
        a = compare.pin(bench)
    with view:
        chosen = show.heads(packed, report=way != studies.WAYS[0] or a is not None)
    if a:
        heads_compare.heads(a, bench.now, chosen)
    studies.closer(way, choice, sentence.tokens, chosen)
