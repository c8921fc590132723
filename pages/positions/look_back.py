"""A head built by hand to look exactly k places back."""

from typing import NamedTuple

import streamlit as st

from pages.positions import data, figures
from pages.positions.controls import picture_and_words, row
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.hyperparameters import BASE, POSITION_SCHEME, POSITIONS
from pages.shared.view import Comparison, View

T = 24
SCHEMES = ("none", "sinusoidal", "rotary")  # that the head is built for


class Settings(NamedTuple):
    positions: str
    k: int
    d_k: int
    sharpness: int


def ask() -> Settings:
    with row(4):
        positions = POSITION_SCHEME.ask(
            "positions", options=SCHEMES, why="this head is not built for {} positions", help=None
        )
        k = settings.choose(st.select_slider, "Back by k", "pos_back", range(13), 3)
        d_k = settings.choose(
            st.select_slider, "d_k", "pos_dk", (4, 8, 16, 32, 64, 128), 64,
            help="The width of the head: how many numbers its queries and keys have.",
        )  # fmt: skip
        sharpness = settings.choose(
            st.select_slider, "Sharpness", "pos_sharp", (1, 2, 4, 8, 16, 32), 8,
            help="How large the query is, s in the formula. A larger one makes a sharper choice.",
        )  # fmt: skip
    return Settings(positions, k, d_k, sharpness)


def compute(s: Settings) -> data.LookBack:
    return data.look_back(POSITIONS[s.positions], s.k, T, s.d_k, BASE.default, s.sharpness)


def draw(s: Settings, head: data.LookBack) -> None:
    picture, side = picture_and_words()
    with picture:
        display.figure(
            figures.look_back(head.weights, s.k),
            key="pos_look_back",
            alt=f"Attention map of {T} positions. The mean weight {s.k} places back is {head.on_diagonal:.2f}; chance"
            f" is {head.chance:.2f}.",
        )
    with side:
        one, two = st.columns(2)
        one.metric(f"Mean weight {s.k} back", f"{head.on_diagonal:.2f}")
        two.metric("By chance", f"{head.chance:.2f}")
        teaching.formula(r"\q{q}_i = s\,M_{-k}\,PE_i \qquad \k{k}_j = PE_j")
        if s.positions == "none":
            st.markdown("**Without positions no head can do it.** All keys are the same, so all get the same weight.")
        elif s.positions == "sinusoidal":
            st.markdown(
                "This head is **built by hand**: its :blue[**query**] is the code of the place k back, made by the"
                " matrix $M$ of the clocks. It fits best the :orange[**key**] that stands there; the more alike"
                " another place's code is, the better that fits, too. The dotted line is where the :violet[weight]"
                " should be."
            )
        else:
            st.markdown(
                "This head is **built by hand**: the same :orange[**key**] everywhere, and a :blue[**query**] that is"
                " turned back by k. The rotation of the model does the rest."
            )
        st.caption(
            "A row is a token that looks, a column one that is looked at. How alike codes of neighbours are: see"
            " Distance. "
            + (f"The first {s.k} rows have no such place. " if s.k else "")
            + "Whether training finds such a head is another question; it is measured on a later page."
        )
        teaching.check(
            "With sinusoidal positions, why do the weights spread to the neighbours of that place?",
            ["Their codes are much alike", "The head is random", "Softmax adds noise"],
            0,
            "Neighbours have similar codes, so their scores are close. A sharper query tells them apart, and so does a"
            " wider head or a smaller base.",
            key="pos-back",
        )
        teaching.code_expander("transformer/inspection/positions.py", "look_back")


def _weights(s: Settings, head: data.LookBack) -> Sheet:
    return Sheet(head.weights, "weight", ("query", "key"))


VIEW = View(
    "Look back", ask, compute, draw,
    question="Can a head look exactly k places back?",
    comparison=Comparison("where the head looks", _weights),
)  # fmt: skip
