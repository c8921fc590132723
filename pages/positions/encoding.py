"""The sinusoidal codes: the table, its clocks, its waves, and how similar two codes are, in one figure."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.controls.hyperparameters import D_MODEL
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet
from lab.kit.view import Comparison, View, places
from lab.kit.words import at_most
from pages.positions import data, figures, look_back
from pages.positions.components.position_code import position_code
from pages.positions.controls import LENGTHS, ask_base, settings_line
from transformer import inspection

AT = 2  # the position that is asked about: does a hand show another one like it?
LOOK_OPEN = "pos_look"  # the key of the fold on a head that looks k back


class Settings(NamedTuple):
    """look: what the fold on a head that looks k back is set to; None while it is closed."""

    d_model: int
    length: int
    base: int
    at: int
    look: look_back.Settings | None


class Result(NamedTuple):
    packed: bytes
    table: data.WaveTable
    similarity: "inspection.positions.Similarity"
    look: data.LookBack | None


def layout() -> Mapping[str, Any]:
    return {
        "picture": st.container(),
        "look": st.expander("A head that looks k positions back", key=LOOK_OPEN, bind="query-params"),
        "code": st.container(),
    }


def ask() -> Settings:
    with settings_line():
        d_model = D_MODEL.ask()
        length = settings.choose(
            st.select_slider,
            "Positions",
            "pos_length",
            LENGTHS,
            64,
            help="How many positions to show.",
            chip="{} positions",
        )
        base = ask_base(help="The larger the base, the slower the slow hands. The first clock never changes.")
    look = None
    if st.session_state.get(LOOK_OPEN):
        with settings.place_named("look"):
            look = look_back.ask()
    return Settings(d_model, length, base, AT, look)


def compute(s: Settings) -> Result:
    return Result(
        data.position_code(s.length, s.d_model, s.base, s.at),
        data.waves(s.length, s.d_model, s.base),
        data.similarity(s.length, s.d_model, s.base),
        look_back.compute(s.look) if s.look else None,
    )


def draw(s: Settings, result: Result) -> None:
    with places()["picture"]:
        _draw_code(s, result)
    if s.look and result.look:
        with places()["look"]:
            look_back.draw(s.look, result.look)
    with places()["code"]:
        _code(result.table.rounding)


def _draw_code(s: Settings, result: Result) -> None:
    position_code(result.packed, key="pos_code")
    with display.prose():
        _waves(s, result.table)
        _steps()
        _similarity(s, result.similarity)
    with st.expander("The similarity of all pairs of positions"):
        display.figure(
            figures.distance_matrix(result.similarity.matrix),
            key="pos_matrix",
            alt=f"Heatmap of the dot products of {s.length} position codes: largest on the diagonal, in stripes.",
        )


def _waves(s: Settings, table: data.WaveTable) -> None:
    waves = table.waves
    teaching.formula(
        r"\begin{aligned} PE_{pos,\,2i} &= \sin\left(pos / b^{\,2i/d}\right) \\"
        r" PE_{pos,\,2i+1} &= \cos\left(pos / b^{\,2i/d}\right) \end{aligned}"
    )
    st.markdown(
        f"**A row is the code of one position**, and every pair of columns is a clock: its sine and cosine are the tip"
        f" of the hand. Pair i turns once in $2\\pi\\, b^{{2i/d}}$ positions: the first in"
        f" {waves.wavelengths[0]:.1f}, the last in {waves.wavelengths[-1]:,.0f}."
    )
    st.caption(
        f"b is the base, here {s.base:,}; d is d_model; i counts pairs from 0. Only a very wide model comes near"
        f" $2\\pi\\, b$ = {waves.limit:,.0f} positions per turn."
    )
    questions.ask("positions-waves")


def _steps() -> None:
    teaching.formula(
        r"\begin{aligned} PE_{pos+k} &= M_k \, PE_{pos} \\ M_k &= \begin{pmatrix} \cos k\omega_i & \sin k\omega_i \\"
        r" -\sin k\omega_i & \cos k\omega_i \end{pmatrix} \end{aligned}"
    )
    st.markdown(
        "**A step of k turns each hand by a fixed angle, wherever it starts.** So one matrix $M_k$, with a block like"
        " this for each pair, moves every code by k: a model can learn this matrix, and with it “k positions back”."
    )
    st.caption(
        "$\\omega_i = b^{-2i/d}$ is the angle per position. $M_k$ only turns (it is orthogonal), and moves add up:"
        " $M_a M_b = M_{a+b}$."
    )
    questions.ask("positions-clocks")


def _similarity(s: Settings, similarity: "inspection.positions.Similarity") -> None:
    nearby = similarity.by_offset[min(1, s.length - 1)]
    teaching.formula(r"PE_p \cdot PE_{p+k} = \sum_i \cos\left(k / b^{\,2i/d}\right)")
    st.markdown(
        f"**Are close positions more similar?** The similarity of two codes, their dot product, is"
        f" {similarity.by_offset[0]:.1f} for a code with itself and {nearby:.1f} for neighbours."
        f" {_rises(s.length, similarity)}"
    )
    st.caption(
        f"d_model={s.d_model} is odd: the last sine has no cosine, so its product depends a little on p."
        if s.d_model % 2
        else "p cancels out, so only the distance matters: move the position, and the curve moves with it."
    )
    questions.ask("positions-distance")


def _rises(length: int, similarity: "inspection.positions.Similarity") -> str:
    """Whether a position that is farther away can be the more similar one, in Markdown."""
    rises = similarity.rises_at
    if not len(rises):
        return (
            f"Among these {length} positions, farther always means less similar. Over longer distances a sum of cosines"
            " ripples, and similarity goes up again."
        )
    return (
        "But farther does not always mean less similar. A sum of cosines ripples: at"
        f" **{len(rises)} of the {length - 1}** steps similarity goes up again, first at distance **{rises[0]}**."
    )


def _code(difference: float) -> None:
    teaching.code_expander("transformer/core/positions.py", "sinusoids", "wavelengths")
    with st.expander("Two ways to write the same turns, the matrix, and similarity", icon=":material/code:"):
        for name in ("powers", "div_term", "rotation", "similarity"):
            teaching.code("transformer/inspection/positions.py", name)
        st.caption(f"The first two were run in float32. They differ by {at_most(difference)}.")


def _codes(s: Settings, result: Result) -> Sheet:
    return Sheet(result.table.waves.table, "value", ("position", "column"))


VIEW = View(ask, compute, draw, comparison=Comparison("the position codes", _codes), layout=layout, height=480)
