"""T5's relative positions: a bias for every bucket of distances."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures.compare_figures import Tiles
from pages.positions import data, score_bias
from pages.positions.controls import MAX_DISTANCES, Scheme, picture_and_words, settings_line
from transformer import inspection


class Settings(NamedTuple):
    T: int
    n_heads: int
    max_distance: int


def ask() -> Settings:
    with settings_line():
        T, n_heads = score_bias.ask_size()
        max_distance = settings.choose(
            st.select_slider,
            "Max distance",
            "pos_max_distance",
            MAX_DISTANCES,
            128,
            help="From about here on all distances share one bucket.",
            chip="buckets to {}",
        )
    return Settings(T, n_heads, max_distance)


def compute(s: Settings) -> "inspection.positions.ScoreBias":
    return data.score_bias("relative", s.T, 2 * s.max_distance, s.n_heads, s.max_distance)


def draw(s: Settings, bias: "inspection.positions.ScoreBias") -> None:
    picture, side = picture_and_words()
    with picture:
        score_bias.draw_maps(bias, "T5")
    with side:
        teaching.formula(r"\text{score}_{ij} = \frac{\q{q}_i \cdot \k{k}_j}{\sqrt{d_k}} + b_{\,\text{bucket}(j-i)}")
        st.markdown(
            "Each head has one number for each **bucket** of distances and adds it to the score of query i and key j:"
            " the **bias**, b. Near distances have a bucket each; far ones share buckets that get wider and wider. The"
            " bias is the same along every diagonal, because it knows only the distance."
        )
        st.caption(
            f"32 buckets: 16 look behind, 16 ahead. Of the distances 0 to {bias.reach} behind, the last"
            f" {bias.n_shared} share one bucket. There is one table for all layers: each adds the same numbers. They"
            " are learned; these are untrained."
        )
        questions.ask("positions-t5")
        teaching.code_expander("transformer/core/positions.py", "relative_buckets", "RelativePositions.bias")


def _tiles(s: Settings, bias: "inspection.positions.ScoreBias") -> Tiles:
    return score_bias.tiles(bias)


SCHEME = Scheme("T5 relative", ask, compute, draw, score_bias.COMPARED, _tiles)
