"""The page of translation: the sentence and its translation on top, one view of it below, and the model's card."""

import streamlit as st

from pages.kit import show, translated
from pages.kit.controls import choose
from pages.kit.views.translation import card, changing, sentence, telling, unplugging

VIEWS = {
    "Threads": telling.threads_,
    "Step by step": telling.steps,
    "All heads": telling.heads,
    "Beam search": telling.beams,
    "Change a word": changing.change,
    "In context": changing.context,
    "Pull a plug": unplugging.plugs,
    "Padding": unplugging.padding,
}


def page() -> None:
    """Everything below the page's question."""
    say: list[str] = []
    subject = sentence.subject(say)
    words = sentence.read(subject, say)
    show.notice(*say)
    if not words:
        show.notice("There is no word to translate yet. Type a sentence, or pick one of the examples.")
        return
    with show.loading(420):
        told = translated.tell(subject, words)
    sentence.verdict(told)
    say = []
    name = choose(
        st.segmented_control, "View", "translation_view", VIEWS, next(iter(VIEWS)), say, label_visibility="collapsed"
    )
    show.notice(*say)
    VIEWS[name](subject, words, told)
    card.card(subject)
