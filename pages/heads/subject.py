"""What a study is about: a head and a query that were chosen in the picture, on the text that the page shows."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from lab.kit.components.attention_view import Selection
from lab.kit.models.readings import Reading

MAX_TOKENS = 64  # studies run the model once per head or once per token
MAX_CELLS = 3_000_000  # of all maps together


class Subject(NamedTuple):
    """What a study is about: a model that reads a text, and in it one head and one query."""

    reading: Reading
    layer: int
    head: int
    query: int

    @property
    def tokens(self) -> tuple[str, ...]:
        """The text."""
        return self.reading.tokens


def subject_of(
    reading: Reading, selection: Selection | None, in_view: tuple[int, int], opens: tuple[int, ...] | None
) -> Subject:
    """The head and the query that are chosen in the view; before it has told, the head in view, and the query of the
    link, or the one that the study opens with, or the third."""
    if selection is None:
        named = st.query_params.get("query", "")
        usual = opens[2] if opens and len(opens) > 2 else 2
        query = int(named) if named.isascii() and named.isdecimal() and len(named) < 5 else usual
        return Subject(reading, *in_view, min(len(reading.tokens) - 1, query))
    return Subject(reading, selection.layer, selection.head, selection.query)


def is_possible(reading: Reading) -> bool:
    """Whether the text is short enough to run the model on it many times."""
    source, T = reading.ref.resolve(), len(reading.tokens)
    return T <= MAX_TOKENS and source.n_layers * source.config.n_heads * T * T <= MAX_CELLS


def places() -> Mapping[str, Any]:
    """The containers of a study: its controls, its figures, and below them its words."""
    return {"controls": st.container(), "picture": st.container(key="study-picture"), "words": st.container()}
