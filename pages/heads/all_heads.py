"""Every head of a model on a text, and beneath it the ways to go on: A | B of all heads, and studies of one."""

import streamlit as st

from pages.heads import ablation, compare, edges, likeness, output, rollout, study, subspace, two_places
from pages.heads.controls import ask_sentence_and_model
from pages.heads.data import Reading
from pages.shared import display, pictures, settings, teaching
from pages.shared.compare import Current, pin
from pages.shared.components.attention_view import attention_view

NO_STUDY = "the heads"  # costs nothing: no message per choice in the view, nothing computed
STUDIES = {
    entry.name: entry
    for entry in (
        ablation.STUDY, edges.STUDY, output.STUDY, two_places.STUDY, subspace.STUDY, likeness.STUDY, rollout.STUDY
    )
}  # fmt: skip


def ask() -> Reading:
    """The sentence and the model that reads it."""
    typed, model = ask_sentence_and_model()
    return Reading(model.ref, model.mask, typed.tokens)


def show() -> None:
    """The sentence and the model, the view of all heads, the choice of a study and of A, and what is chosen there."""
    with settings.collecting() as answers:
        reading = ask()
    notices = st.container()  # filled last: the controls below the view have notices too
    sentences = list(answers.notices)
    if reading.tokens:
        with settings.collecting() as below:
            _explore(Current(reading, ask, answers))
        if len(reading.tokens) == 1:
            sentences.append("A single word can only look at itself. Add another to give it a choice.")
        sentences += below.notices
    else:
        sentences.append("There is no word to look at yet. Type a sentence, or pick one of the examples.")
    with notices:
        display.notice(*sentences)


def _explore(current: Current[Reading]) -> None:
    """The view of all heads, and what is chosen below it."""
    reading = current.now
    with display.loading(480):
        packed = pictures.heads(*reading)
    view = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        name = settings.choose(
            st.segmented_control, "Look closer", "closer", (NO_STUDY, *STUDIES), NO_STUDY, why="there is no study “{}”",
            help="What the chosen head does to the rest of the model. Choose the head in the view above.",
        )  # fmt: skip
        pinned = pin(current)
    with view:
        # The view reports what is chosen in it only where that is needed: each report is a message to the server.
        selection = attention_view(packed, key="heads_view", report=name != NO_STUDY or pinned is not None)
    if pinned is not None and pinned.settings is not None:
        compare.all_heads(pinned.settings, reading, selection)
    if name == NO_STUDY:
        _ask_who_looks()
    else:
        study.show(STUDIES[name], study.subject_of(reading, selection))


def _ask_who_looks() -> None:
    teaching.check(
        "The cell in the row of one word and the column of another is dark. Who looks at whom?",
        ["The row's word at the column's", "The column's word at the row's", "Both at each other"],
        0,
        "The row asks. The other way round is another cell, and that may be pale: find both in the map.",
        key="heads-row",
    )
