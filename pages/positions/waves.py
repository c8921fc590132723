"""The sinusoidal table: a wave for every pair of columns."""

from typing import NamedTuple

import streamlit as st

from pages.positions import data, figures
from pages.positions.controls import ask_base, ask_length, picture_and_words, row
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.hyperparameters import D_MODEL
from pages.shared.view import Comparison, View


class Settings(NamedTuple):
    d_model: int
    length: int
    base: int
    pair: int

    @property
    def n_pairs(self) -> int:
        return -(-self.d_model // 2)


def ask() -> Settings:
    with row(4):
        d_model = D_MODEL.ask("d_model")
        length = ask_length(64)
        base = ask_base()
        n_pairs = -(-d_model // 2)
        pair = settings.choose(
            st.select_slider, "Pair i", "pos_pair", range(n_pairs), min(4, n_pairs - 1),
            why=f"d_model={d_model} has pairs 0 to {n_pairs - 1}, not {{}}",
            help="Columns 2i and 2i + 1 turn together.",
        )  # fmt: skip
    return Settings(d_model, length, base, pair)


def compute(s: Settings) -> data.WaveTable:
    return data.waves(s.length, s.d_model, s.base)


def draw(s: Settings, result: data.WaveTable) -> None:
    waves = result.waves
    wavelength = waves.wavelengths[s.pair]
    picture, side = picture_and_words()
    with picture:
        display.figure(
            figures.heatmap(waves.table, s.pair),
            key="pos_heatmap",
            alt=f"Heatmap of {s.length} positions by {s.d_model} columns between -1 and 1. Left columns change fast"
            " with the position, right columns slowly.",
        )
        left, right = st.columns([3, 2], gap="medium")
        with left:
            st.markdown(f"**Pair {s.pair}**: one turn in {wavelength:,.1f} positions")
            display.figure(
                figures.curves(waves.table, s.pair),
                key="pos_curves",
                alt=f"Pair {s.pair} by position: waves that repeat every {wavelength:,.1f} positions.",
            )
        with right:
            st.markdown("**All pairs**: positions a turn")
            display.figure(
                figures.wavelengths(waves.wavelengths, s.length, s.pair),
                key="pos_wavelengths",
                alt=f"Positions per turn by pair, from {waves.wavelengths[0]:.2f} to {waves.wavelengths[-1]:,.0f}, a"
                " straight line on a logarithmic axis.",
            )
    with side:
        _words(s, result)


def _words(s: Settings, result: data.WaveTable) -> None:
    waves = result.waves
    teaching.formula(
        r"\begin{aligned} PE_{pos,\,2i} &= \sin\left(pos / l^{\,2i/d}\right) \\"
        r" PE_{pos,\,2i+1} &= \cos\left(pos / l^{\,2i/d}\right) \end{aligned}"
    )
    st.markdown(
        "Each **row** is the code of one position: PE, its positional encoding. Each **pair** of columns is one"
        f" wave; i counts pairs, from 0 to {s.n_pairs - 1}. Pair {s.pair} is columns {2 * s.pair}"
        + (f" and {2 * s.pair + 1}" if 2 * s.pair + 1 < s.d_model else " alone, for d_model is odd")
        + f". It needs **{waves.wavelengths[s.pair]:,.1f} positions** for a full turn."
    )
    st.caption(
        f"In the formula l is the base and d is d_model. The slowest pair needs {waves.wavelengths[-1]:,.0f}"
        " positions: $2\\pi\\, l^{2i/d}$ for the last i. Only"
        f" a very wide model comes near $2\\pi\\, l$, here {waves.limit:,.0f}."
    )
    teaching.check(
        "Compare rows 3 and 4 of the picture. Which columns tell these two positions apart best?",
        ["The first ones", "The last ones", "All alike"],
        0,
        "The first waves are short, so one step changes them most. The last ones hardly move from a word to the"
        " next: they tell the beginning of a long text from its end.",
        key="pos-waves",
    )
    teaching.code_expander("transformer/positions.py", "sinusoids", "wavelengths")
    with st.expander("Two ways to write the same turns", icon=":material/code:"):
        teaching.code("transformer/inspection/positions.py", "powers")
        teaching.code("transformer/inspection/positions.py", "div_term")
        st.caption(f"Both were run in float32. They differ by at most {result.rounding:.0e} of a value: rounding.")


def _codes(s: Settings, result: data.WaveTable) -> Sheet:
    return Sheet(result.waves.table, "value", ("position", "column"))


VIEW = View(
    "Waves", ask, compute, draw,
    question="A pattern for every position: sines and cosines",
    comparison=Comparison("the position codes", _codes),
)  # fmt: skip
