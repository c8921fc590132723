"""Controls, columns and words that several views of this page share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st

from lab.kit import settings
from lab.kit.controls.hyperparameters import BASE, POSITIONS, SEED
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Numbers

LENGTHS = (8, 16, 24, 32, 48, 64, 100, 128, 200, 256, 512)
N_TOKENS = (8, 12, 16, 24, 32, 48, 64)
N_PAIRS = (2, 3, 4, 6, 8, 12, 16, 32)
MAX_DISTANCES = (20, 32, 64, 128, 256)
HEAD_HELP = "Attention runs several times side by side. Each run is a head, with queries and keys of its own."
UNTRAINED = "This model is untrained: it has learned nothing yet."


S = TypeVar("S")
R = TypeVar("R")


class Scheme(NamedTuple, Generic[S, R]):
    """One of the other ways: it asks, computes and draws as a view does. `title` and `numbers` are for A | B."""

    name: str
    ask: Callable[[], S]
    compute: Callable[[S], R]
    draw: Callable[[S, R], None]
    title: str = ""
    numbers: Callable[[S, R], Numbers | None] = lambda s, result: None


def open_way(name: str) -> None:
    """Open the figure of one scheme among the other ways; that of the sinusoidal codes is a view of its own."""
    if name == "sinusoidal":
        st.session_state["pos_view"] = "Sines and cosines"
    elif name in POSITIONS and name != "none":
        st.session_state["pos_view"] = "Other ways"
        st.session_state["pos_scheme"] = name


@contextmanager
def settings_line() -> Iterator[None]:
    """Controls asked for within are one quiet line in the row of the view."""
    with settings.place_named("row"), settings.line():
        yield


def picture_and_words() -> tuple[Any, Any]:
    """The place of the figure, as wide as the page, and below it the column of words."""
    return st.container(), display.prose()


def ask_base(**more: Any) -> int:
    return BASE.ask(label="Base", chip="base {}", **more)


def ask_seed() -> int:
    return SEED.ask(help="A different seed gives different random numbers.", chip="")
