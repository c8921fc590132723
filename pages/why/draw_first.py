"""What attention costs, as a curve to draw before it is shown."""

import streamlit as st

from pages.why import data
from pages.why.components.curve_guess import Curve, curve_guess

LENGTHS = tuple(range(250, 2001, 250))  # words
WIDTH, HEADS, WINDOW = 512, 8, 3  # of the layer that is drawn


def cost_curve() -> Curve:
    """Megabytes of attention weights by the number of words, with a recurrent layer's states beside them."""
    costs = data.costs(LENGTHS, WIDTH, HEADS, WINDOW)
    weights, states = ([size / 1e6 for size in sizes] for sizes in (costs.weights, costs.states))
    return Curve(
        tuple(f"{n:,}" for n in LENGTHS),
        weights,
        (0, 150),
        ("words in the text", "attention weights of one layer, MB"),
        others={"recurrent": states},
        digits=1,
        unit=" MB",
        after=f"Every word is compared with every word: {LENGTHS[-1] // LENGTHS[0]} times the text takes"
        f" {weights[-1] / weights[0]:.0f} times the memory. A recurrent layer keeps one state per word, so its line is"
        " all but flat.",
    )


def draw(curve: Curve) -> None:
    st.markdown(
        f"One layer with {HEADS} heads reads {LENGTHS[0]} words: its :violet[**attention weights**] take"
        f" {curve.truth[0]:.1f} MB. How much do they take as the text grows to {LENGTHS[-1]:,} words? **Draw it"
        " first.**"
    )
    with st.container(key="figure-why-draw"):
        curve_guess(curve, key="why_curve")
