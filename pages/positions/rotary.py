"""Rotary positions: a query and a key that turn with their positions, stretched for longer texts, in other pairs."""

from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab.kit import questions, settings, teaching
from pages.positions import data, pairs, stretched
from pages.positions.components.position_clocks import position_clocks
from pages.positions.controls import N_PAIRS, Scheme, ask_base, ask_seed, picture_and_words, settings_line

N_PLACES, MAX_OFFSET = 165, 64
CLOCKS, STRETCHED, PAIRS = FIGURES = ("Clocks", "Longer texts", "Which pairs")


class Clocks(NamedTuple):
    n_pairs: int
    base: int
    seed: int


Settings = Clocks | stretched.Settings | pairs.Settings
Result = bytes | stretched.Result | pairs.Result


def ask() -> Settings:
    with settings.place_named("row"):
        figure = settings.choose(
            st.segmented_control, "Figure", "pos_rotary", FIGURES, CLOCKS, label_visibility="collapsed"
        )
    if figure == CLOCKS:
        return _ask_clocks()
    return stretched.ask() if figure == STRETCHED else pairs.ask()


def _ask_clocks() -> Clocks:
    with settings_line():
        n_pairs = settings.choose(
            st.select_slider,
            "Pairs (d_k ÷ 2)",
            "pos_clocks_n",
            N_PAIRS,
            8,
            help="Features 2i and 2i + 1 of q and k are an arrow. This pairing is called interleaved.",
            chip="{} pairs",
        )
        return Clocks(n_pairs, ask_base(), ask_seed())


def compute(s: Settings) -> Result:
    if isinstance(s, stretched.Settings):
        return stretched.compute(s)
    if isinstance(s, pairs.Settings):
        return pairs.compute(s)
    return data.clocks(s.n_pairs, s.base, s.seed, N_PLACES, MAX_OFFSET)


def draw(s: Settings, result: Result) -> None:
    picture, side = picture_and_words()
    if isinstance(s, stretched.Settings):
        assert isinstance(result, stretched.Result)
        with picture:
            stretched.draw_figure(result)
        with side:
            stretched.draw_words(s, result)
        stretched.draw_below()
    elif isinstance(s, pairs.Settings):
        assert isinstance(result, pairs.Result)
        with picture:
            pairs.draw_figure(result)
        with side:
            pairs.draw_words(s, result)
        pairs.draw_below()
    else:
        assert isinstance(result, bytes)
        _draw_clocks(result, picture, side)


def _draw_clocks(packed: bytes, picture: DeltaGenerator, side: DeltaGenerator) -> None:
    with picture:
        position_clocks(packed, key="pos_clocks")
    with side:
        teaching.formula(r"\q{q}_m \cdot \k{k}_n = (R_m \q{q}) \cdot (R_n \k{k}) = \q{q} \cdot R_{n-m}\, \k{k}")
        st.markdown(
            "Nothing is added. The :blue[**query**] and the :orange[**key**] are **turned** by their positions, pair"
            " by pair: $R_m$ turns by position m. When both move on together, the angle between them stays. So the"
            " score q · k, how well they fit, depends on the distance only, and no arrow gets longer or shorter."
        )
        st.caption(
            "One random query, one random key. Here features (0, 1), (2, 3), … are pairs; Llama pairs (0, d/2),"
            " (1, d/2 + 1), …. What that changes: see “Which pairs”."
        )
        questions.ask("positions-rotary")
        teaching.code_expander("transformer/core/positions.py", "RotaryPositions._turn")


SCHEME = Scheme("rotary", ask, compute, draw)
