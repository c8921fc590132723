"""A word to guess before a trained model does, what a published model looks at, and a door to each page."""

from html import escape

import streamlit as st

from lab.kit import catalogue, settings, view
from lab.kit.controls.reader import STORIES
from lab.kit.lessons import shelf
from lab.kit.lessons.shelf import Place
from lab.kit.page import Page
from lab.kit.view import heading
from pages.overview import contents, example, guess, pronoun, sources
from pages.overview.others import models

# A link with one of these is older than the question: it means the picture that stood in its place.
PICTURE = ("weights", "text", "state", "layer", "head", "query", "key")
FIRST = shelf.ORDER[0]  # of the lessons
DOOR = """<a class="lesson-move" href="{}" target="_self">New here? <b>{}</b>&nbsp;→</a>"""
OPEN = "front_picture"  # in a link: the picture stays open, whatever becomes of its settings


def show(page: Page) -> None:
    """The whole front page."""
    if OPEN in st.query_params or any(name in st.query_params for name in PICTURE):
        st.query_params[OPEN] = "open"
        heading(
            catalogue.page("heads")._replace(
                lede="A real model computes this as you watch: type a sentence, and point at a word."
            )
        )
        view.show(example.VIEW)
    else:
        row = st.container(horizontal=True, vertical_alignment="center", gap="medium", key="controls-front")
        with settings.collecting() as answers, row:
            above = st.container(width="stretch")
            model = models.choose()
            st.html(DOOR.format(escape(Place(FIRST, 1).address), escape(shelf.shipped()[FIRST].title)), width="content")
        with above:
            heading(models.said(page, model))
        if model == STORIES:
            view.show(guess.VIEW, notices=answers.notices)
        else:
            view.show(models.VIEW, subject=model, notices=answers.notices)
    st.space("small")
    st.header("A bigger model: what does “it” refer to?", anchor=False)
    view.show(pronoun.VIEW)
    st.space("small")
    st.header("Every page, a question", anchor=False)
    contents.draw()
    sources.draw()
