"""Every head of a model on a text; beside it the ways to study one, and above it A | B of all heads."""

import streamlit as st

from lab.kit import carried, presenting, questions, settings, view
from lab.kit.compare import Current, pin
from lab.kit.components.attention_view import attention_view, head_in_view
from lab.kit.controls.reader import STORIES, source_row
from lab.kit.figures import display, head_differences
from lab.kit.models import pictures
from lab.kit.models.python_lines import python_lines
from lab.kit.models.readings import Reading
from lab.kit.page import Page, Tab
from lab.server import gate
from pages.heads import subject
from pages.heads.model_controls import ask_sentence_and_model
from pages.heads.subject import MAX_TOKENS


def ask() -> Reading:
    """The sentence and the model that reads it."""
    typed, model = ask_sentence_and_model()
    return Reading(model.ref, model.mask, typed.tokens)


def show(page: Page) -> None:
    """One line with the ways to study a head, the sentence and the model; below it the view of all heads and what is
    chosen there."""
    head = view.heading(page)
    with gate.refusals_to(display.notice):
        _show(page, head)


def _show(page: Page, head: view.Heading) -> None:
    tools = st.container(horizontal=True, vertical_alignment="center", gap="small", key="tool-line")
    with settings.collecting() as closer, tools:
        tab = view.choose(page, "Look closer")
    head.ask(tab)
    with settings.collecting() as answers, tools:
        reading = ask()
    notices = st.container()  # filled last: the controls below the view have notices too
    sentences = list(answers.notices)
    if reading.tokens:
        with settings.collecting() as below:
            _explore(page, tab, Current(reading, ask, answers))
        if len(reading.tokens) == 1:
            sentences.append("A single word can only look at itself. Add another to give it a choice.")
        sentences += closer.notices + below.notices
    else:
        sentences.append("There is no word to look at yet. Type a sentence, or choose one of the examples.")
    with notices:
        display.notice(*sentences)


def _explore(page: Page, tab: Tab, current: Current[Reading]) -> None:
    """The picture of all heads with a study in its right column, A | B above it, and the facts of the model below."""
    reading = current.now
    source = reading.ref.resolve()
    L, H = source.n_layers, source.config.n_heads
    carried.bring_head(layer="layer", head="head", fits=lambda layer, head: layer < L and head < H, in_browser=True)
    comparison = st.container()
    with comparison:
        pinned = pin(current, lambda a: head_differences.can_subtract(a, reading))
    with display.loading(480):
        packed = pictures.heads(*reading)
    stage = st.container(key="heads-stage")
    picture = stage.container()
    with stage.container(key="heads-right"):
        study = view.opened(page, tab) if tab.module else None
        # The view reports what is chosen in it only where that is needed: each report is a message to the server.
        report = study is not None or pinned is not None
        opens = None
        if study is not None and study.opens and subject.is_possible(reading):
            opens = study.opens(reading, *packed.opens)
        with picture:
            selection = attention_view(
                packed,
                key="heads_view",
                report=report,
                beside="study" if study else "class" if presenting.is_on() else "tabs",
                opens=opens,
                code=python_lines(reading),
            )
        in_view = head_in_view(packed, key="heads_view", opens=opens)
        if study is not None and not subject.is_possible(reading):
            display.notice(
                f"Looking closer runs the model many times, so it takes at most {MAX_TOKENS} tokens. Type fewer."
            )
        elif study is not None:
            of = subject.subject_of(reading, selection, in_view, opens)
            view.show(study, subject=of, places=subject.places())
    if pinned is not None and pinned.settings is not None:
        with comparison:
            head_differences.draw(pinned.settings, reading, selection or in_view)
    if source.labels:  # a trained model, or one before its training
        source_row(source)
    if study is None:
        with display.prose():
            _ask_who_told(is_trained=bool(source.labels))


def _ask_who_told(*, is_trained: bool) -> None:
    questions.ask("heads-trained", try_it={"state": "before training"} if is_trained else {"weights": STORIES})
