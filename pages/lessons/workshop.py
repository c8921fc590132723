"""A lesson of one's own: drop a file, read what is wrong with it line by line, try it, and share it as a link."""

import re
from hashlib import sha256

import streamlit as st

from lab.kit import pictures, settings
from lab.kit.figures import display
from lab.kit.lessons import shelf
from lab.kit.lessons.board import as_html
from lab.kit.lessons.reader import MAX_BYTES, read
from lab.kit.texts.markdown import TextError
from lab.server.incoming import ask_file
from pages.lessons import data
from pages.lessons.shelf import card
from pages.lessons.short import ask_short
from transformer.core.checks import InputError


def draw() -> None:
    st.header("Write your own", anchor=False)
    st.markdown(
        "A lesson is a text file. Open a view, press **Share** and then *As a stop of a lesson*: that is a stop, with"
        " its link, in which you write what to guess, what to do and what to ask. Drop the file here: you can try it at"
        " once, give it a short address, and open a room on it."
    )
    file = ask_file("A lesson, as a .md file", ("md", "txt"), 1, key="lesson_file")
    if file is not None:
        # Of a file that is too large, no more is read than tells so.
        _from_file(file.getvalue() if file.size <= MAX_BYTES else b" " * (MAX_BYTES + 1))
    with st.expander("A picture for a board"):
        _picture()
    with st.expander("How to write one, and a lesson to begin with"):
        st.code(_example(), language="markdown", wrap_lines=True)
        for title in ("The parts of a stop", "For the class"):
            st.subheader(title, anchor=False)
            st.markdown(_told(title))
        st.subheader("The lessons above, as files", anchor=False)
        for name, lesson in shelf.shipped().items():
            st.download_button(
                f"{lesson.title}: the file",
                shelf.source(name),
                f"{name}.md",
                "text/markdown",
                key=f"lesson-source-{name}",
                type="tertiary",
                icon=":material/download:",
                on_click="ignore",
            )


def _example() -> str:
    """The lesson that lessons/README.md teaches with."""
    match = re.search(r"```markdown\n(.*?)```", _readme(), re.DOTALL)
    assert match, "lessons/README.md shows a lesson"
    return match[1]


def _told(title: str) -> str:
    """What lessons/README.md says below this heading."""
    return _readme().partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def _readme() -> str:
    return (shelf.FOLDER / "README.md").read_text(encoding="utf-8")


def _from_file(text: bytes) -> None:
    try:
        lesson = read(text, shared=settings.shared())
    except TextError as error:
        display.notice("This is not a lesson yet.", *(f"Line {f.line}: {f.sentence}" for f in error.faults))
        return
    try:
        code = ask_short(text) or shelf.packed(text)
    except TextError:
        st.caption("This lesson is too long for a link. Give it a short address, and start it then.")
        return
    card(code, lesson, "own")
    st.caption("Start it, and press **Share** at any stop: the link holds the whole lesson. Keep the file as well.")


# ---- a picture for a board -----------------------------------------------------------------------------------------


def _picture() -> None:
    """A picture dropped, and the line that brings it onto the board of a stop."""
    file = ask_file("A PNG or JPEG picture", ("png", "jpg", "jpeg"), pictures.MAX_BYTES >> 20, key="lesson_picture")
    if file is None:
        st.caption("It comes back as one line of text, small enough to stand in the lesson’s own file.")
        return
    given = file.getvalue()
    try:
        picture = data.small(sha256(given).hexdigest(), given)
    except InputError as error:
        display.notice(str(error))
        return
    st.html(f'<div class="st-key-lesson-board">{as_html(picture)}</div>')
    st.caption("Below a line `### Board` of your stop, put this line, and say in it what the picture shows.")
    st.code(picture.line, language=None, height=80)
