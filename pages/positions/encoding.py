"""The sinusoidal codes: the table, its clocks, its waves, and how alike two codes are, in one figure."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.positions import data, figures
from pages.positions.components.position_code import position_code
from pages.positions.controls import LENGTHS, N_PAIRS, ask_base, settings_line
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.hyperparameters import D_MODEL
from pages.shared.teaching import Answer, check
from pages.shared.view import Comparison, View

if TYPE_CHECKING:
    from transformer.inspection.positions import Similarity

AT = 4  # the position that is chosen at first
OLD_NAME = "_pos_old_view"  # in the session: the name of the view that a link was made for


class Settings(NamedTuple):
    d_model: int
    length: int
    base: int
    at: int


class Result(NamedTuple):
    packed: bytes
    table: data.WaveTable
    similarity: "Similarity"


def ask() -> Settings:
    _follow_old_link()
    with settings_line():
        d_model = D_MODEL.ask("d_model")
        length = settings.choose(
            st.select_slider, "Positions", "pos_length", LENGTHS, 64, help="How many positions to show.",
            chip="{} positions",
        )  # fmt: skip
        base = ask_base(help="The larger, the slower the slow hands turn. The first clock never changes.")
    return Settings(d_model, length, base, st.session_state.get("_pos_start", AT))


def _follow_old_link() -> None:
    """Clocks had their own number of pairs, and likeness its own name for the position."""
    name = st.session_state.pop(OLD_NAME, None)
    asked = {key: int(text) for key, text in st.query_params.items() if text.isascii() and text.isdecimal()}
    if name == "Clocks" and "d_model" not in st.query_params:
        n = asked.get("pos_clocks_n", 8)
        st.session_state["d_model"] = 2 * (n if n in N_PAIRS else 8)
    if name == "Distance" and "pos_anchor" not in asked:
        st.session_state["_pos_start"] = 0


def compute(s: Settings) -> Result:
    return Result(
        data.position_code(s.length, s.d_model, s.base, s.at),
        data.waves(s.length, s.d_model, s.base),
        data.similarity(s.length, s.d_model, s.base),
    )


def draw(s: Settings, result: Result) -> None:
    position_code(result.packed, key="pos_code")
    one, two, three = st.columns(3, gap="large")
    with one:
        _waves(s, result.table)
    with two:
        _steps()
    with three:
        _likeness(s, result.similarity)
    with st.expander("The likeness of all pairs of positions"):
        display.figure(
            figures.distance_matrix(result.similarity.matrix),
            key="pos_matrix",
            alt=f"Heatmap of the dot products of {s.length} position codes: largest on the diagonal, in stripes.",
        )
    _code(result.table.rounding)


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
    check(
        "Compare rows 3 and 4 of the table. Which columns tell these two positions apart best?",
        Answer(
            "The first ones",
            (
                "The first waves are short, so one step changes them most. The last ones hardly move from one word "
                "to the next:"
                " they tell the beginning of a long text from its end."
            ),
            right=True,
        ),
        Answer("The last ones", ""),
        Answer("All equally well", ""),
        key="positions-waves",
    )


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
    check(
        "You change the position, not k. What happens to the 2 × 2 block?",
        Answer("It turns with the position", ""),
        Answer(
            "Nothing",
            "It depends on k and on the base only. Look at its numbers while you move the position.",
            right=True,
        ),
        Answer("It grows", ""),
        key="positions-clocks",
    )


def _likeness(s: Settings, similarity: "Similarity") -> None:
    n_rises = len(similarity.rises_at)
    first = f", first at distance **{similarity.rises_at[0]}**" if n_rises else ""
    nearby = similarity.by_offset[min(1, s.length - 1)]
    teaching.formula(r"PE_p \cdot PE_{p+k} = \sum_i \cos\left(k / b^{\,2i/d}\right)")
    st.markdown(
        f"**Are close positions more alike?** Likeness, the dot product, is {similarity.by_offset[0]:.1f} of a code"
        f" with itself and {nearby:.1f} with its neighbour. But farther does not always mean less alike. A sum of"
        f" cosines ripples: at **{n_rises} of the {s.length - 1}** steps likeness goes up again{first}."
    )
    st.caption(
        f"d_model={s.d_model} is odd: its last sine is alone, and its product depends a little on p."
        if s.d_model % 2
        else "p cancels out, so only the distance matters: move the position, and the curve moves with it."
    )
    check(
        "You move the position from 0 to 50. What happens to the curve of likeness?",
        Answer(
            "It moves along, and keeps its shape",
            "Likeness depends on the distance only. The curve is the same on both sides of the position.",
            right=True,
        ),
        Answer("It becomes flatter", ""),
        Answer("It has another shape everywhere", ""),
        key="positions-distance",
    )


def _code(rounding: float) -> None:
    teaching.code_expander("transformer/positions.py", "sinusoids", "wavelengths")
    with st.expander("Two ways to write the same turns, the matrix, and likeness", icon=":material/code:"):
        for name in ("powers", "div_term", "rotation", "similarity"):
            teaching.code("transformer/inspection/positions.py", name)
        st.caption(f"The first two were run in float32. They differ by at most {figures.short(rounding)}: rounding.")


def _codes(s: Settings, result: Result) -> Sheet:
    return Sheet(result.table.waves.table, "value", ("position", "column"))


VIEW = View(
    "The code", ask, compute, draw,
    question="How do sines and cosines tell the positions apart?",
    comparison=Comparison("the position codes", _codes),
    height=480,
    formerly={
        "Waves": {},
        "Clocks": {OLD_NAME: "Clocks", "pos_length": 128},
        "Distance": {OLD_NAME: "Distance", "pos_length": 200},
    },
)  # fmt: skip
