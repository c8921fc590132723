"""Two curves to draw before they are shown: what attention costs, and how far back a recurrent network remembers."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.shared import settings
from pages.shared.view import View
from pages.why import data
from pages.why.components.curve_guess import Curve, curve_guess

if TYPE_CHECKING:
    import numpy as np

COST, RECALL = "what it costs", "how far it remembers"
LENGTHS = tuple(range(250, 2001, 250))  # words
WIDTH, HEADS, WINDOW = 512, 8, 3  # of the layer that is drawn
KEPT = 4  # names to remember, as in the view that shows all of these trainings
N_PLACES = 10


class Settings(NamedTuple):
    which: str


class Result(NamedTuple):
    """The curve; and what blind guessing gives, in %, where something is answered."""

    curve: Curve
    chance: float = 0.0


def ask() -> Settings:
    with settings.place_named("row"):
        return Settings(
            settings.choose(
                st.segmented_control, "Curve", "why_draw", (COST, RECALL), COST, label_visibility="collapsed"
            )
        )


def compute(s: Settings) -> Result:
    if s.which == COST:
        return Result(cost_curve())
    recalled = data.recalled(KEPT)
    return Result(recall_curve(recalled), 100 / recalled.setting.n_colours)


def cost_curve() -> Curve:
    """Megabytes of attention weights by the number of words, with a recurrent layer's states beside them."""
    costs = data.costs(LENGTHS, WIDTH, HEADS, WINDOW)
    weights, states = ([size / 1e6 for size in sizes] for sizes in (costs.weights, costs.states))
    return Curve(
        tuple(f"{n:,}" for n in LENGTHS), weights, (0, 150),
        ("words in the text", "attention weights of one layer, MB"),
        others={"recurrent": states}, digits=1, unit=" MB",
        after=f"Every word is compared with every word: {LENGTHS[-1] // LENGTHS[0]} times the text takes"
        f" {weights[-1] / weights[0]:.0f} times the memory. A recurrent layer keeps one state per word, so its line is"
        " all but flat.",
    )  # fmt: skip


def recall_curve(recalled: data.Recalled) -> Curve:
    """How often a plain recurrent network answers right, in %, by the distance of the needed token; beside it,
    attention with as many parameters."""
    share = {name: 100 * shares.mean(0) for name, shares in recalled.shares.items()}
    n = len(share["tanh"])
    places = sorted({round(1 + i * (n - 1) / (N_PLACES - 1)) for i in range(N_PLACES)})
    return Curve(
        tuple(map(str, places)), tuple(float(share["tanh"][place - 1]) for place in places), (0, 100),
        ("tokens back", "right answers, %"), path=tuple(_between(share["tanh"], places)),
        others={"attention": tuple(float(share["attention"][place - 1]) for place in places)}, unit="%",
        after=f"The mean of {len(recalled.shares['tanh'])} trainings, which the view “How far back can it remember?”"
        " shows one by one. What a network could learn from fades with every token in between; attention looks back in"
        " one step.",
    )  # fmt: skip


def _between(values: "np.ndarray", places: list[int]) -> Iterator[tuple[float, float]]:
    """(place, value) at every distance, those between two places too."""
    for left, right in zip(range(len(places) - 1), places[1:], strict=True):
        for distance in range(places[left], right):
            yield left + (distance - places[left]) / (right - places[left]), float(values[distance - 1])
    yield len(places) - 1, float(values[-1])


def draw(s: Settings, result: Result) -> None:
    curve = result.curve
    if s.which == COST:
        st.markdown(
            f"One layer with {HEADS} heads reads {LENGTHS[0]} words: its :violet[**attention weights**] take"
            f" {curve.truth[0]:.1f} MB. How much do they take as the text grows to {LENGTHS[-1]:,} words? **Draw it"
            " first.**"
        )
    else:
        st.markdown(
            "Far back in a text stands *anna=red*; at its end somebody asks *anna?*. A recurrent network passes a state"
            f" from token to token. Right behind it, it answers {curve.truth[0]:.0f}% right. How often is it right if"
            " the answer stands further back? Blind guessing gives"
            f" {result.chance:.0f}%. **Draw it first.**"
        )
    with st.container(key="figure-why-draw"):
        curve_guess(curve, key="why_curve")


VIEW = View(
    "Draw it first", ask, compute, draw, height=420, asks="Can you draw what it costs, and how far back it remembers?",
    lede="Draw the curve before you see it; then the true one is laid over yours.",
)  # fmt: skip
