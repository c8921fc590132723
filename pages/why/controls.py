"""Controls and words that several views of this page share."""

from typing import Any

import streamlit as st

from lab.kit import settings
from lab.kit.controls.hyperparameters import D_MODEL

WIDTHS = (2, 3, 4, 5, 7, 9)  # of a convolution, or a window
TEXTS = {"sentence": 20, "page": 500, "chapter": 5_000, "novel": 100_000}  # about as many words as people know them by
POWERS = tuple(2**n for n in range(1, 18))
PAGES = (250, 1_000, 2_000)  # half a page, two and four
STOPS = (*(n for n in POWERS if n < 256), *PAGES, *(n for n in POWERS if n > 2048), *TEXTS.values())  # of keys
FINE = (*range(10, 1_000, 10), *range(1_000, 2_000, 20), *range(2_000, 10_000, 100), *range(10_000, 131_000, 500))
LENGTHS = tuple(sorted({*POWERS, *FINE, *STOPS}))  # that can be chosen: 2 to 131,072 words
HEADS = (1, 2, 4, 8, 16)
MEASURED_WIDTHS = (32, 64, 128, 256)  # that can be measured in about a second


def ask_k() -> int:
    return settings.choose(
        st.select_slider,
        "Width k",
        "why_k",
        WIDTHS,
        3,
        chip="a convolution sees {} words",
        help="How many neighbouring words a convolution sees at once. Attention with a window sees the word itself and "
        "k − 1 words to either side.",
    )


def ask_d(options: tuple[int, ...], default: int) -> int:
    return D_MODEL.ask(
        "why_d",
        label="Width d",
        options=options,
        default=default,
        help="d_model: how many numbers represent a word.",
        chip="{} wide",
    )


def ask_n_heads(default: int) -> int:
    return settings.choose(
        st.select_slider,
        "Heads H",
        "why_heads",
        HEADS,
        default,
        chip="{} head{s}",
        help="Attention runs several times side by side, each time on its own part of the width. Each of them is a "
        "head.",
    )


def n_measured(key: str) -> int:
    """How often the button of this key was pressed to measure."""
    return st.session_state.get(f"_{key}", 0)


def measure_button(key: str, **look: Any) -> None:
    def press() -> None:
        st.session_state[f"_{key}"] = n_measured(key) + 1

    if not settings.replaying():
        label = "Measure again" if n_measured(key) else "Measure on this machine"
        about = "This takes about two seconds."
        st.button(label, icon=":material/timer:", key=key, on_click=press, help=about, **look)
