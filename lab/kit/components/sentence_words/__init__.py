"""A sentence as words to tap: each offers what else could stand there, and at the end a blank what could come next.

It lies over the box that the sentence is typed into, as long as nobody types there, and writes into the same text.
"""

from pathlib import Path

import streamlit as st

from lab.kit.components import component, sent
from lab.kit.models.source import Source
from lab.kit.models.word_choices import Choices, choices
from lab.kit.settings import MAX_TEXT

_mount = component("sentence_words", Path(__file__).parent)


def payload(offered: Choices) -> dict:
    """What the browser is sent of the choices in a sentence; sentence.js and choice.js read it."""
    return offered._asdict() | offered.sentence._asdict()


def sentence_words(text: str, source: Source | None, key: str, max_letters: int = MAX_TEXT) -> None:
    """Put the words of a text on the page, for a model that has words to choose from.

    A choice writes the new text, of so many letters at most, into the session under this key, as the box does.
    """
    offered = choices(source.ref, text) if source else None
    if offered is None:
        return
    name = f"words-{key}"
    _mount(data=payload(offered), key=name, on_text_change=lambda: take_text(name, key, max_letters))


def take_text(component: str, key: str, max_letters: int = MAX_TEXT) -> None:
    """Write the text that a component has sent into the session under this key."""
    text = sent(component, "text", str)
    if text is not None:
        st.session_state[key] = text[:max_letters]
