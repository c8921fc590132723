"""The page of translation: the sentence and its translation on top, one view of it below, and the model's card."""

import streamlit as st

from pages.shared import display
from pages.shared.controls import choose
from pages.translation import ablations, data, decoding, edits, model_card, sentence

VIEWS = {
    "Threads": decoding.threads_,
    "Step by step": decoding.steps,
    "All heads": decoding.heads,
    "Beam search": decoding.beams,
    "Change a word": edits.change,
    "In context": edits.context,
    "Pull a plug": ablations.plugs,
    "Padding": ablations.padding,
}


def page() -> None:
    """Everything below the page's question."""
    say: list[str] = []
    subject = sentence.subject(say)
    words = sentence.read(subject, say)
    display.notice(*say)
    if not words:
        display.notice("There is no word to translate yet. Type a sentence, or pick one of the examples.")
        return
    with display.loading(420):
        told = data.tell(subject, words)
    sentence.verdict(told)
    say = []
    name = choose(
        st.segmented_control, "View", "translation_view", VIEWS, next(iter(VIEWS)), say, label_visibility="collapsed"
    )
    display.notice(*say)
    VIEWS[name](subject, words, told)
    model_card.card(subject)
