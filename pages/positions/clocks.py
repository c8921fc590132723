"""Every pair of columns of a code as the hand of a clock."""

from typing import NamedTuple

import streamlit as st

from pages.positions import data
from pages.positions.components.position_clocks import position_clocks
from pages.positions.controls import N_PAIRS, ask_base, picture_and_words, row
from pages.shared import settings, teaching
from pages.shared.view import View

N_PLACES, MAX_OFFSET = 133, 32


class Settings(NamedTuple):
    n_clocks: int
    base: int


def ask() -> Settings:
    with row(2):
        n_clocks = settings.choose(
            st.select_slider, "Clocks (d_model ÷ 2)", "pos_clocks_n", N_PAIRS, 8,
            help="Every pair of columns is a clock.",
        )  # fmt: skip
        base = ask_base("Base: the gears", help="The larger, the slower the slow hands. The first clock never changes.")
    return Settings(n_clocks, base)


def compute(s: Settings) -> bytes:
    return data.clocks("code", s.n_clocks, s.base, 0, N_PLACES, MAX_OFFSET)


def draw(s: Settings, packed: bytes) -> None:
    picture, side = picture_and_words()
    with picture:
        position_clocks(packed, key="pos_clocks")
    with side:
        teaching.formula(r"PE_{pos+k} = M_k \, PE_{pos}")
        teaching.formula(
            r"M_k = \begin{pmatrix} \cos k\omega_i & \sin k\omega_i \\"
            r" -\sin k\omega_i & \cos k\omega_i \end{pmatrix} \text{ for each pair}"
        )
        st.markdown(
            "The sine and cosine of a pair are the tip of a hand. A step of the position turns hand i by the angle"
            " $\\omega_i = l^{-2i/d}$ (l is the base, d is d_model). **k steps turn each hand by a fixed angle,"
            " wherever it starts.** So one matrix $M_k$ moves every code PE by k, and a model, which multiplies by"
            " matrices that it learns, can learn “k places back”."
        )
        st.caption(
            "Move the position: the hands turn, the grey wedges keep their size, the curve stays. $M_k$ only"
            " turns (it is orthogonal), and two moves add up: $M_a M_b = M_{a+b}$."
        )
        teaching.check(
            "You change the position, not k. What happens to the matrix?",
            ["It turns along", "Nothing", "It grows"],
            1,
            "It is made of k and the base alone. Look at its cells while you move the position.",
            key="pos-clocks",
        )
        teaching.code_expander("transformer/inspection/positions.py", "rotation")


VIEW = View(
    "Clocks", ask, compute, draw,
    question="What does a step of k do? It turns every hand by a fixed angle",
)  # fmt: skip
