"""A study: one way to look closer at the head that is chosen in the view, as a value.

STUDY = Study("edges", compute, draw)

`show` draws it in the right column of the page, figures above words, while the head stays in sight.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab.kit.components.attention_view import Selection
from lab.kit.figures import display
from lab.kit.models.readings import Reading

R = TypeVar("R")

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


@dataclass(frozen=True)
class Study(Generic[R]):
    """One way to look closer.

    name     on the switch, and in the link
    compute  (subject, answer) -> result; the answer is None in a study that asks nothing
    draw     puts the result on screen: (subject, answer, result, container of figures, container of words)
    ask      draws a control above the figures -> answer; None where there is nothing to ask
    asks_below  whether the control stands below them instead, above the words
    opens       (reading, layer and head that the picture opens with) -> layer and head, and perhaps a query, where
                neither a link nor the visitor has chosen any: those that show most; None for those of the picture
    """

    name: str
    compute: Callable[[Subject, Any], R]
    draw: Callable[[Subject, Any, R, DeltaGenerator, DeltaGenerator], None]
    ask: Callable[[Subject], Any] | None = None
    asks_below: bool = False
    opens: Callable[..., tuple[int, ...] | None] | None = None


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


def show(study: Study, subject: Subject) -> None:
    """Draw the study, or say that the text is too long for it."""
    if not is_possible(subject.reading):
        display.notice(
            f"Looking closer runs the model many times, so it takes at most {MAX_TOKENS} tokens. Type fewer."
        )
        return
    above, picture = st.container(), st.container(key="study-picture")
    below, words = st.container(), st.container()
    answer = None
    if study.ask:
        with below if study.asks_below else above:
            answer = study.ask(subject)
    study.draw(subject, answer, study.compute(subject, answer), picture, words)
