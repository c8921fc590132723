"""Learned positions: a table before training, and the rows that one text trains."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Curves
from pages.positions import data, figures
from pages.positions.controls import Scheme, ask_seed, settings_line
from transformer import inspection


class Settings(NamedTuple):
    max_len: int
    used: int
    seed: int
    offset: int


def ask() -> Settings:
    with settings_line():
        max_len = settings.choose(
            st.select_slider,
            "Rows of the table",
            "pos_rows",
            (8, 16, 32, 48, 64),
            32,
            help="max_len: the longest text that this model can read.",
            chip="{} rows",
        )
        used = settings.choose(
            st.select_slider,
            "Tokens in the text",
            "pos_used",
            range(1, max_len + 1),
            min(12, max_len),
            why=f"the table has {max_len} rows, not {{}}",
            help="One text to learn from.",
            chip="text of {} token{s}",
        )
        offset = settings.choose(
            st.segmented_control,
            "Row of the first token",
            "pos_offset",
            (0, 2),
            0,
            help="RoBERTa and BART begin with row 2; the rows before it belong to no position.",
        )
        return Settings(max_len, used, ask_seed(), offset)


def compute(s: Settings) -> "inspection.positions.LearnedTable":
    return data.learned_table(s.max_len, s.used, s.seed, s.offset)


def draw(s: Settings, result: "inspection.positions.LearnedTable") -> None:
    last = s.offset + s.used - 1
    table, gradient = st.columns([4, 3], gap="medium")
    with table:
        display.figure(
            figures.learned_table(result.table),
            key="pos_learned",
            alt=f"Heatmap of a random table of {len(result.table)} rows by 32 features.",
        )
    with gradient:
        display.figure(
            figures.gradient(result.gradient),
            key="pos_gradient",
            alt=f"Size of the gradient by row: above 0 for rows {s.offset} to {last}, 0 for the rest.",
        )
    with display.prose():
        teaching.formula(r"x_{pos} = E_{token} + W_{pos%s}" % (f" + {s.offset}" if s.offset else ""))
        st.markdown(
            "No formula: each position has a row of numbers, learned just as the words' are; BERT and GPT-2 do it this"
            " way. At first the rows are in no order. Training moves a row by its **gradient**; without one, the row"
            f" stays as it is. A text of {s.used} tokens trains rows {s.offset} to {last} and **no other**, so only"
            " long texts train the late rows."
            + (" Rows 0 and 1 are never trained by any: no position is theirs." if s.offset else "")
        )
        st.markdown(f"Give it one token more than {s.max_len}, and the model refuses:")
        st.markdown(f"“{display.plain(result.message)}.”")
        st.caption("For the table after training, see Live, Vectors.")
        questions.ask("positions-learned", try_it={"pos_rows": 32, "pos_used": 12})
        teaching.code_expander("transformer/core/positions.py", "LearnedPositions")


def _gradient(s: Settings, result: "inspection.positions.LearnedTable") -> Curves:
    positions = tuple(range(len(result.gradient)))
    return Curves(positions, {"gradient": result.gradient}, ("row", "size of the gradient"))


SCHEME = Scheme("learned", ask, compute, draw, "what one text changes", _gradient)
