"""How alike the codes of two positions are, by distance."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.positions import data, figures
from pages.positions.controls import LENGTHS, ask_base, ask_length, row
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Curves
from pages.shared.hyperparameters import D_MODEL
from pages.shared.view import Comparison, View

if TYPE_CHECKING:
    from transformer.inspection.positions import Similarity


class Settings(NamedTuple):
    d_model: int
    length: int
    base: int
    anchor: int


def ask() -> Settings:
    with row(4):
        d_model = D_MODEL.ask("d_model")
        length = ask_length(200, LENGTHS[:-2])
        base = ask_base()
        anchor = settings.choose(
            st.select_slider, "From position", "pos_anchor", range(length), 0,
            why=f"there are positions 0 to {length - 1}, not {{}}", help="Likeness to this position is drawn.",
        )  # fmt: skip
    return Settings(d_model, length, base, anchor)


def compute(s: Settings) -> "Similarity":
    return data.similarity(s.length, s.d_model, s.base)


def draw(s: Settings, similarity: "Similarity") -> None:
    matrix, curve = st.columns([4, 5], gap="medium")
    with matrix:
        display.figure(
            figures.distance_matrix(similarity.matrix, s.anchor),
            key="pos_matrix",
            alt=f"Heatmap of the dot products of {s.length} position codes: largest on the diagonal, in stripes.",
        )
    n_rises = len(similarity.rises_at)
    with curve:
        display.figure(
            figures.distance_curve(similarity.matrix, s.anchor),
            key="pos_curve",
            alt=f"Likeness to position {s.anchor} by position. Seen by distance it rises again at {n_rises} of"
            f" {s.length - 1} steps.",
        )
    words, side = st.columns(2, gap="large")
    with words:
        first = f" It first rises at offset **{similarity.rises_at[0]}**." if n_rises else ""
        st.markdown(
            "Each position has a code, a row of numbers (see Waves). **Likeness** is the dot product of two codes:"
            " multiply number by number, and add up. Codes of neighbours are much alike:"
            f" {similarity.by_offset[1]:.1f} of {similarity.by_offset[0]:.1f} at offset 1, one place apart. But it is"
            " **not** so that further always means less alike. Likeness rises at"
            f" **{n_rises} of {s.length - 1}** steps.{first} A sum of cosines ripples."
        )
        teaching.formula(r"PE_p \cdot PE_{p+k} = \sum_i \cos\left(k / l^{\,2i/d}\right)")
        if s.d_model % 2:
            st.caption(
                f"d_model={s.d_model} is odd. Its last sine stands alone, and its product depends on p a little."
            )
        else:
            st.caption("There is no p on the right side: only the distance counts. So every stripe has one colour.")
    with side:
        teaching.check(
            "You move “From position” from 0 to 50. What happens to the curve?",
            ["It moves along, and keeps its shape", "It becomes flatter", "It has another shape everywhere"],
            0,
            "Likeness depends on the distance only. The curve is the same to the left and to the right.",
            key="pos-distance",
        )
        teaching.code_expander("transformer/inspection/positions.py", "similarity")


def _likeness(s: Settings, similarity: "Similarity") -> Curves:
    axes = ("position", "dot product with the anchor's code")
    return Curves(tuple(range(s.length)), {"likeness": similarity.matrix[s.anchor]}, axes)


VIEW = View(
    "Distance", ask, compute, draw,
    question="Are close positions more alike?",
    comparison=Comparison("likeness by position", _likeness),
)  # fmt: skip
