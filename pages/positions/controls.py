"""Controls, columns and words that several views of this page share."""

from typing import Any

import streamlit as st

from pages.shared import settings
from pages.shared.hyperparameters import BASE, SEED

LENGTHS = (8, 16, 24, 32, 48, 64, 100, 128, 200, 256, 512)
N_TOKENS = (8, 12, 16, 24, 32, 48, 64)
N_PAIRS = (2, 3, 4, 6, 8, 12, 16, 32)
MAX_DISTANCES = (20, 32, 64, 128, 256)
HEAD_HELP = "Attention is done several times side by side. Each time is a head, with queries and keys of its own."
UNTRAINED = "The weights are random: this model has learned nothing yet."


def row(n: int) -> Any:
    """The row of a view's controls."""
    return settings.place(st.grid, n, min_column_width=130, gap="medium", vertical_alignment="top", key="model-row")


def picture_and_words() -> list[Any]:
    """A wide column and a narrow one."""
    return st.columns([7, 4], gap="large")


def ask_length(default: int, options: tuple[int, ...] = LENGTHS) -> int:
    return settings.choose(
        st.select_slider, "Positions", "pos_length", options, default, help="How many positions to show."
    )


def ask_base(label: str = "Base", **more: Any) -> int:
    return BASE.ask("base", label=label, **more)


def ask_seed() -> int:
    return SEED.ask("seed", help="Another seed draws other random numbers.")
