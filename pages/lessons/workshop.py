"""A lesson of one's own: drop a file, read what is wrong with it line by line, try it, and share it as a link."""

import streamlit as st

from pages.lessons.shelf import card
from pages.shared import display
from pages.shared.lessons import shelf
from pages.shared.lessons.lesson import Lesson
from pages.shared.lessons.reader import MAX_BYTES, LessonError, read


def draw() -> None:
    st.header("Write your own", anchor=False)
    st.markdown(
        "A lesson is a text file. Open views of the app, copy their links with **Share**, and write between them what"
        " to guess, what to do and what to ask. Begin with a shipped one and change it."
    )
    _from_link()
    taken = st.file_uploader("Drop a lesson here", type=["md", "txt"], key="lesson_file")
    if taken is not None:
        _from_file(taken.getvalue() if taken.size <= MAX_BYTES else b" " * (MAX_BYTES + 1))
    with st.expander("How a lesson is written"):
        st.code(shelf.source("attention").decode().split("\n## ")[0] + "\n" + EXAMPLE, language="markdown")
        for name, lesson in shelf.shipped().items():
            st.download_button(
                f"{lesson.title}, the file", shelf.source(name), f"{name}.md", "text/markdown",
                key=f"lesson-source-{name}", type="tertiary", on_click="ignore",
            )  # fmt: skip


EXAMPLE = ""


def _from_link() -> None:
    """The lesson that the address of this page holds."""
    code = st.query_params.get("lesson", "")
    if not code:
        return
    try:
        lesson = shelf.lesson(code)
    except LessonError as error:
        display.notice(*(fault.sentence for fault in error.faults[:1]))
        return
    card(code, lesson, "linked")


def _from_file(text: bytes) -> None:
    try:
        lesson = read(text)
        code = shelf.packed(text)
    except LessonError as error:
        display.notice("This is not a lesson yet.", *(f"Line {f.line}: {f.sentence}" for f in error.faults))
        return
    _offer(code, lesson)


def _offer(code: str, lesson: Lesson) -> None:
    card(code, lesson, "own")
    st.caption("The link to any stop holds the whole lesson: press **Share** there, and pass it on.")
