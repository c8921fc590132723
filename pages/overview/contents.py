"""Every page, by the section of the menu that it stands in; and those that a part of the scene opens."""

from typing import NamedTuple

import streamlit as st

from lab.kit import catalogue
from lab.kit.page import CONCEPTS, LEARN, MODELS

RECAP = """<p class="recap">A page's number is its place in the story. <span class="progress-of-all"></span>, kept in
your browser and nowhere else. <button type="button" class="forget-progress">Forget my progress</button></p>"""
# Where pages are in a scene: the part of the model, as scene_marks.js names it, and the page about it.
PARTS = (
    ("words", "embeddings"),
    ("start", "positions"),
    ("attention", "attention"),
    ("heads", "heads"),
    ("masks", "masks"),
    ("forward", "blocks"),
    ("cross", "translation"),
    ("out", "generation"),
)


class Mark(NamedTuple):
    """A page as a scene marks it: at which part of the model, by its path, number, title and question."""

    at: str
    page: str
    number: int
    title: str
    question: str


def marks() -> list[Mark]:
    """The pages that explain a part of the model, from the bottom of the scene to its top."""
    pages = [(part, catalogue.page(url)) for part, url in PARTS]
    return [Mark(part, page.url, catalogue.number(page), page.title, page.question) for part, page in pages]


def draw() -> None:
    """A door to each page; how many of its questions are solved stands beside it."""
    with st.container(key="contents"):
        columns = st.columns(3, gap="medium")
        for column, section in zip(columns, (CONCEPTS, MODELS, LEARN), strict=True):
            with column:
                st.subheader(section, anchor=False)
                for page in catalogue.PAGES:
                    if page.section == section:
                        label = f"**{catalogue.name(page)}** {page.question}"
                        st.page_link(page.script, label=label, help=page.help)
    st.html(RECAP)
