"""A head built by hand to look exactly k positions back, in a text of the trained length and in a longer one. A fold of
the code."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.controls.hyperparameters import BASE, POSITION_SCHEME, POSITIONS
from lab.kit.figures import display
from pages.positions import data, figures

T, LONGER = 24, 36  # tokens: the longest text of training, and the one that is drawn
SCHEMES = ("none", "sinusoidal", "learned", "rotary")  # that the head is built for


class Settings(NamedTuple):
    positions: str
    k: int
    d_k: int
    sharpness: int


def ask() -> Settings:
    with settings.place(st.container, horizontal=True, vertical_alignment="bottom"):
        positions = settings.choose(
            st.segmented_control,
            POSITION_SCHEME.label,
            "positions",
            SCHEMES,
            POSITION_SCHEME.default,
            why="this head is not built for {} positions",
            wrap=True,
        )
        k = settings.choose(st.select_slider, "Back by k", "pos_back", range(13), 3, width=200)
        d_k = settings.choose(
            st.select_slider,
            "d_k",
            "pos_dk",
            (4, 8, 16, 32, 64, 128),
            64,
            width=200,
            help="The width of the head: how many numbers its queries and keys have.",
        )
        sharpness = settings.choose(
            st.select_slider,
            "Sharpness",
            "pos_sharp",
            (1, 2, 4, 8, 16, 32),
            8,
            width=200,
            help="How large the query is, s in the formula. A larger query chooses more sharply.",
        )
    return Settings(positions, k, d_k, sharpness)


def compute(s: Settings) -> data.LookBack:
    return data.look_back(POSITIONS[s.positions], s.k, T, LONGER, s.d_k, BASE.default, s.sharpness)


def draw(s: Settings, head: data.LookBack) -> None:
    _draw_map(s, head)
    with display.prose():
        _describe(s, head)


def _draw_map(s: Settings, head: data.LookBack) -> None:
    beyond = "there are no rows" if head.beyond is None else f"it is {head.beyond:.2f}"
    display.figure(
        figures.look_back(head.weights, s.k, T),
        key="pos_look_back",
        alt=f"Attention map of {LONGER} positions, {T} of them trained. The mean attention weight {s.k} positions back"
        f" is {head.on_diagonal:.2f}; past the trained length {beyond}; chance is {head.chance:.2f}.",
    )


def _describe(s: Settings, head: data.LookBack) -> None:
    one, two, three = st.columns(3)
    one.metric(
        f"Mean weight {s.k} back", f"{head.on_diagonal:.2f}", help=f"The attention weight, in a text of {T} tokens."
    )
    two.metric("Past training", "no row" if head.beyond is None else f"{head.beyond:.2f}")
    three.metric("By chance", f"{head.chance:.2f}", help=f"1/{T}: the same attention weight for every token.")
    teaching.formula(r"\q{q}_i = s\,M_{-k}\,PE_i \qquad \k{k}_j = PE_j")
    st.markdown(_what(s))
    st.caption(
        "A row is a token that looks, a column one that is looked at; the dotted line is where it should look. "
        + (f"The first {s.k} rows have nothing {s.k} back. " if s.k else "")
        + "Whether training finds such a head is another question: see Live, Longer texts."
    )
    questions.ask("positions-back", try_it={"positions": "sinusoidal", "pos_sharp": 32})
    teaching.code_expander("transformer/inspection/positions.py", "look_back")


def _what(s: Settings) -> str:
    built = "This head is **built by hand**: "
    if s.positions == "none":
        return "**Without positions no head can do it.** All keys are the same, so all get the same attention weight."
    if s.positions == "sinusoidal":
        return (
            f"{built}its :blue[**query**] is the code of the position k back, made by the matrix $M$ of the clocks. It"
            " fits the :orange[**key**] there best, and similar codes nearly as well. $M$ is the same everywhere, so"
            " the line runs on past the training length."
        )
    if s.positions == "learned":
        return (
            f"{built}in place of $M$ it has the matrix that comes closest to moving every row of the table by k (least"
            " squares). Inside the table it works. **Past the last row there is nothing to look with**, and the model"
            " stops with an error."
        )
    return (
        f"{built}the same :orange[**key**] everywhere, and a :blue[**query**] that is turned back by k. The rotation of"
        " the model does the rest, at any length."
    )
