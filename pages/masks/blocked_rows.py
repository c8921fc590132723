"""A row of scores, blocked in three ways: what remains if no key is open? A fold of Paint."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings
from lab.kit.figures import display
from lab.kit.words import significant
from pages.masks import data, figures
from pages.masks.controls import Reading, row
from transformer import inspection

EMPTY_ROW_OPEN = "masks_empty"  # the key of the fold that this stands in
MAX_KEYS = 6  # so that every weight of the row can be read on a phone


class Settings(NamedTuple):
    reading: Reading
    n_allowed: int  # keys, from the first, that are open
    dtype: str

    @property
    def keys(self) -> tuple[str, ...]:
        return self.reading.tokens[:MAX_KEYS]


def ask(reading: Reading) -> Settings:
    tokens = reading.tokens
    with row():
        n_allowed = settings.choose(
            st.select_slider,
            "Open keys",
            "masks_allowed",
            range(min(len(tokens), MAX_KEYS) + 1),
            0,
            why="the row shows fewer than {} keys",
            width=300,
        )
        dtype = settings.choose(
            st.segmented_control,
            "Precision",
            "masks_precision",
            ("float32", "float16", "bfloat16"),
            "float32",
            help="float16 ends at 65504. bfloat16 reaches as far as float32, with fewer digits.",
        )
    return Settings(reading, n_allowed, dtype)


def compute(s: Settings) -> "list[inspection.masks.Fill]":
    return data.fills(s.keys, s.n_allowed, s.dtype, s.reading.ref)


def draw(s: Settings, fills: "list[inspection.masks.Fill]") -> None:
    figure, words = st.columns([3, 2], gap="large")
    with figure:
        display.figure(
            figures.blocked_rows(
                [fill.name for fill in fills],
                [fill.weights for fill in fills],
                [n < s.n_allowed for n in range(len(s.keys))],
                s.keys,
            ),
            key="mask_fills",
            alt=f"One row of attention weights with {s.n_allowed} open keys, in {s.dtype}: "
            + "; ".join(map(_outcome, fills)),
        )
        st.markdown(
            "| blocked with | weights sum to | output | gradient of the values |\n|---|---|---|---|\n"
            + "\n".join(map(_table_row, fills))
        )
    with words:
        _explain()


def _outcome(fill: "inspection.masks.Fill") -> str:
    return f"{fill.name} fails" if fill.weights is None else f"{fill.name} sums to {significant(fill.weights.sum())}"


def _table_row(fill: "inspection.masks.Fill") -> str:
    """One way of blocking as a row of a Markdown table."""
    if fill.weights is None or fill.gradient is None:
        return f"| **{fill.name}** | – | – | {fill.error} |"
    gradient = "finite" if abs(fill.gradient).max() < float("inf") else "NaN"
    return f"| **{fill.name}** | {significant(fill.weights.sum())} | {significant(fill.output)} | {gradient} |"


def _explain() -> None:
    st.markdown(
        "Softmax raises e to the power of each score and divides by the row's sum. To block a :orange[key], its score "
        "is made so low that the power is 0: −∞, or −1e9, which is minus a billion.\n\n"
        "But a row can be left with **no key at all**: when everything it could see is padding, say. Then 0 is divided "
        "by 0.\n\n"
        "- **−∞** gives NaN (not a number), in the output and in everything that learns from it.\n"
        "- **−1e9** makes all scores equal, so the row looks at *all* keys evenly, even at the blocked ones. In "
        "float16 there is no such number.\n"
        "- **Ours** gives zeros: whoever may look at nothing adds nothing, and every gradient is finite.\n\n"
        "Unblock one key, and all three agree."
    )
    questions.ask("masks-fill", try_it={"masks_view": "Paint", EMPTY_ROW_OPEN: True, "masks_allowed": 1})
