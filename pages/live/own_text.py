"""The visitor's own text to learn from: typed or uploaded, and how to cut it."""

import re
from pathlib import Path

import streamlit as st

from lab.kit import settings
from lab.server.incoming import ask_file
from pages.live import panel
from pages.live.values import Values
from transformer.training.tasks.own_text import MAX_TEXT, MIN_TEXT
from transformer.training.text import clean

HAMLET = Path(__file__).with_name("hamlet.txt")  # act 3, scene 1
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufffe\uffff]")  # signs that no text has


def ask(values: Values) -> tuple[Values, str]:
    """These values with how the text is cut, and the text; "" where it cannot be learned from."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="live-own-text"):
        with st.popover("Your text", icon=":material/edit_note:"):
            typed = st.text_area(
                "Your text",
                key="live_text",
                max_chars=MAX_TEXT,
                height=170,
                placeholder=f"Paste at least {MIN_TEXT} characters: a story, a song, a page of code",
                persist_state="session",
            )
            file = ask_file("or a plain text file", ("txt",), 1, key="live_file")
            values = panel.ask("window", panel.ask("level", values))
        if not typed:
            st.button("Take Hamlet’s monologue", icon=":material/theater_comedy:", key="hamlet", on_click=_take_hamlet)
    text, reason = typed or "", ""
    if file is not None:
        text, reason = _read(clean(file.name)[:60], file.getvalue())
    if reason := reason or _unfit(text):
        settings.notify(reason)
        return values, ""
    return values, text


def _read(name: str, data: bytes) -> tuple[str, str]:
    """The text in a file, and why there is none. In UTF-16, say, every other byte is a sign that no text has."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\x00"
    if _NO_TEXT.search(text):
        return "", f"{name} is not plain text in UTF-8. Save it as UTF-8 and upload it again."
    empty = f"{name} has nothing in it but spaces. Upload a file with a text in it."
    return text, "" if text.strip() else empty


def _unfit(text: str) -> str:
    """Why this text cannot be learned from; "" if it can."""
    if len(text) > MAX_TEXT:
        return (
            f"This text has {len(text):,} characters, and at most {MAX_TEXT:,} can be learned from. Please shorten it."
        )
    if not text:
        return f"There is no text to learn from yet. Paste one of at least {MIN_TEXT} characters, or upload it."
    return f"This text has {len(text):,} characters; give one of at least {MIN_TEXT}." if len(text) < MIN_TEXT else ""


def _take_hamlet() -> None:
    st.session_state["live_text"] = HAMLET.read_text(encoding="utf-8")
