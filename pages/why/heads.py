"""All heads at once and head by head: the same numbers, and the times of both."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from pages.shared import display, settings, teaching
from pages.shared.view import View, places
from pages.why import data, figures
from pages.why.controls import HEADS, Measured, ask_measured, beside_measured

if TYPE_CHECKING:
    from transformer.inspection.timing import Timings


class Result(NamedTuple):
    """How far both ways differ, and their times once they have been measured."""

    difference: data.HeadDifference
    timings: "Timings | None"


def layout() -> Mapping[str, Any]:
    return beside_measured("numbers", "The same numbers, two ways")


def ask() -> Measured:
    return ask_measured("why_measure_heads")


def compute(s: Measured) -> Result:
    difference = data.head_difference(s.d, s.n_heads)
    if not s.n_measured:
        return Result(difference, None)
    with settings.place_named("measured"), st.spinner("Measuring, less than a second"):
        return Result(difference, data.time_heads(s.d, HEADS, s.n_measured))


def draw(s: Measured, result: Result) -> None:
    with places()["numbers"]:
        st.markdown(
            "Attention is done several times side by side; each time is a **head**. Heads do not wait for each other, "
            f"so nobody has to take them one by one. All {s.n_heads} of them are one multiplication of larger arrays, "
            "(B, H, T, d_k): texts, heads, words, width of a head. A loop over heads comes to the same: on "
            f"{result.difference.n_words} random words the two outputs differ by at most "
            f"**{_power_of_ten(result.difference.largest)}**."
        )
        one, other = st.tabs(["All at once", "Head by head"])
        with one:
            teaching.code("transformer/attention.py", "split_heads")
        with other:
            teaching.code("transformer/inspection/timing.py", "head_by_head")
    with places()["measured"]:
        if result.timings:
            _times(s, result.timings, result.difference.n_words)
        teaching.check(
            "Why can heads be computed at the same time?",
            ["They share their weights", "None of them needs what another has found", "They look at different words"],
            1,
            "They meet only afterwards, when W_o mixes what they found.",
            key="why-heads",
        )


def _times(s: Measured, timings: "Timings", n_words: int) -> None:
    at = HEADS.index(s.n_heads)
    at_once, one_by_one = timings.first[at], timings.second[at]
    display.figure(
        figures.measured(
            HEADS, {"all at once": timings.first, "head by head": timings.second}, "heads H", chosen=s.n_heads
        ),
        key="why_heads_figure",
        alt=f"{s.n_heads} heads: {at_once:.3g} ms at once, {one_by_one:.3g} ms head by head.",
    )
    st.markdown(
        f"With **{s.n_heads}** heads: {at_once:.2f} ms at once, {one_by_one:.2f} ms head by head, "
        f"{one_by_one / at_once:.1f} times as long."
    )
    st.caption(
        f"Median of {min(timings.rounds)} to {max(timings.rounds)} runs each, {n_words} words, one thread of this "
        "machine. What is saved here is the loop; with many processors the heads also run side by side."
    )


def _power_of_ten(x: float) -> str:
    """A small number, not as 1.2e-07 but as 1 × 10⁻⁷; "0" for 0."""
    if x == 0:
        return "0"
    mantissa, power = f"{x:.0e}".split("e")
    return f"{mantissa} × 10{str(int(power)).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


VIEW = View("All heads at once", ask, compute, draw, layout=layout)
