"""An input of the visitor's own that is watched while a model learns."""

import streamlit as st

from lab.kit import settings
from pages.live import data, own_picture
from pages.live.values import Values, made_of


def ask(values: Values, text: str) -> str:
    """What is asked of the model; "" where there is nothing, or the task cannot read it. text: to learn from."""
    task = values.declaration
    if task.reads_pictures:
        return own_picture.ask()
    typed = st.text_input(
        "Your own input",
        key=f"live_ask_{task.name}",
        width=150,
        max_chars=120,
        placeholder=f"your own: {task.to_ask}",
        label_visibility="collapsed",
        persist_state="session",
        help="The model on screen answers it at once, once it is trained. A new training is watched with it.",
    )
    asked = (typed or "").strip()
    if not asked or (task.needs_text and not text):
        return ""
    if reason := data.unreadable(task.name, tuple(made_of(values, text).items()), asked):
        settings.notify(f"Your own input cannot be shown: {reason}.")
        return ""
    return asked
