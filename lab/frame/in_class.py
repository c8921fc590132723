"""The way from any lesson or page with questions to a room in which a class answers them."""

import streamlit as st

from lab.kit import catalogue
from lab.kit.texts.questions import of_page

PAGE = "classroom"


def link(url: str) -> None:
    """Put it on the page at this path: for the lesson that leads there, or for the page's own questions."""
    lesson = st.query_params.get("lesson")
    if not lesson and not of_page(url):
        return
    st.page_link(
        catalogue.page(PAGE).script,
        label="Ask a class",
        icon=":material/groups:",
        query_params={"class_of": lesson or f"page:{url}"},
    )
