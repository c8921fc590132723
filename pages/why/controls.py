"""Controls and words that several views of this page share."""

from typing import Any

import streamlit as st

from pages.shared import settings
from pages.shared.hyperparameters import D_MODEL

WIDTHS = (2, 3, 4, 5, 7, 9)  # of a convolution, or a window
LENGTHS = tuple(2**n for n in range(1, 18))  # of the charts: 2 to 131,072 words
HEADS = (1, 2, 4, 8, 16)
MEASURED_WIDTHS = (32, 64, 128, 256)  # that can be measured in about a second


def row(n: int) -> Any:
    """The row of a view's controls."""
    return settings.place(st.grid, n, min_column_width=150, gap="small", vertical_alignment="bottom", key="why-row")


def ask_d(options: tuple[int, ...], default: int, **more: Any) -> int:
    return D_MODEL.ask(
        "why_d", label="Width d", options=options, default=default,
        help="d_model: how many numbers stand for a word.", **more,
    )  # fmt: skip


def ask_measured_d() -> int:
    return ask_d(MEASURED_WIDTHS, 64, why="it is measured at the widths here, not at {}")


def ask_n_heads(default: int) -> int:
    return settings.choose(
        st.select_slider, "Heads H", "why_heads", HEADS, default,
        help="Attention is done several times side by side, on a part of the width each. Each time is a head.",
    )  # fmt: skip


def measure_button(key: str) -> int:
    """A button to measure with; returns how often it was pressed."""

    def press() -> None:
        st.session_state[f"_{key}"] = st.session_state.get(f"_{key}", 0) + 1

    n_pressed = st.session_state.get(f"_{key}", 0)
    label = "Measure again" if n_pressed else "Measure on this machine"
    st.button(label, icon=":material/timer:", key=key, on_click=press, type="secondary" if n_pressed else "primary")
    return n_pressed


def in_layers(n: int) -> str:
    return f"{n} layer{'' if n == 1 else 's'}"
