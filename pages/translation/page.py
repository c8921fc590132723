"""How does a Transformer translate? Watch a small translator at work, try to mislead it, and choose among its texts."""

from pathlib import Path

import streamlit as st

from lab.kit.view import heading, render
from pages.translation import ablations, change_word, model_card, sentence, steps, threads

st.html(Path(__file__).with_name("page.css"))
lede = heading(
    "translation",
    "For each word that it writes, it sends a :blue[query] to the :orange[keys] of your sentence."
    " :violet[**Threads**] show where it looks.",
)
if sentence.show():
    render([threads.VIEW, steps.VIEW, change_word.VIEW, ablations.VIEW], "translation_view", lede=lede)
    model_card.show(sentence.current().ref)
