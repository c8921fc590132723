"""Controls and words that several views of this page share."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from pages.shared import settings
from pages.shared.hyperparameters import D_MODEL

WIDTHS = (2, 3, 4, 5, 7, 9)  # of a convolution, or a window
LENGTHS = tuple(2**n for n in range(1, 18))  # of the charts: 2 to 131,072 words
HEADS = (1, 2, 4, 8, 16)
MEASURED_WIDTHS = (32, 64, 128, 256)  # that can be measured in about a second


class Measured(NamedTuple):
    """The sizes of what is measured, and how often the visitor asked for it; 0: not yet."""

    d: int
    n_heads: int
    n_measured: int


def row(n: int) -> Any:
    """The row of a view's controls."""
    return settings.place(st.grid, n, min_column_width=150, gap="small", vertical_alignment="bottom", key="why-row")


def ask_d(options: tuple[int, ...], default: int, **more: Any) -> int:
    return D_MODEL.ask(
        "why_d", label="Width d", options=options, default=default,
        help="d_model: how many numbers stand for a word.", **more,
    )  # fmt: skip


def ask_n_heads(default: int) -> int:
    return settings.choose(
        st.select_slider, "Heads H", "why_heads", HEADS, default,
        help="Attention is done several times side by side, on a part of the width each. Each time is a head.",
    )  # fmt: skip


def beside_measured(name: str, heading: str) -> Mapping[str, Any]:
    """The layout of a view that measures: a column of this name and heading, and one for what is measured."""
    left, right = st.columns(2, gap="large")
    left.markdown(f"##### {heading}")
    right.markdown("##### Measured")
    return {name: left, "measured": right}


def ask_measured(key: str) -> Measured:
    """Width and heads, and in the column for what is measured the button that measures them."""
    with row(3):
        d = ask_d(MEASURED_WIDTHS, 64, why="it is measured at the widths here, not at {}")
        n_heads = ask_n_heads(4)
    with settings.place_named("measured"):
        return Measured(d, n_heads, _measure_button(key))


def _measure_button(key: str) -> int:
    """A button to measure with; returns how often it was pressed."""

    def press() -> None:
        st.session_state[f"_{key}"] = st.session_state.get(f"_{key}", 0) + 1

    n_pressed = st.session_state.get(f"_{key}", 0)
    label = "Measure again" if n_pressed else "Measure on this machine"
    st.button(label, icon=":material/timer:", key=key, on_click=press, type="secondary" if n_pressed else "primary")
    return n_pressed


def in_layers(n: int) -> str:
    return f"{n} layer{'' if n == 1 else 's'}"
