"""How long attention and a recurrent layer take on this machine, and what they multiply."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from pages.shared import display, settings, teaching
from pages.shared.view import View, places
from pages.why import data, figures
from pages.why.controls import Measured, ask_measured, beside_measured

if TYPE_CHECKING:
    from transformer.inspection.timing import Timings


class Result(NamedTuple):
    """The number of multiplications, and the times once they have been measured."""

    operations: data.Lines
    timings: "Timings | None"


def layout() -> Mapping[str, Any]:
    return beside_measured("counted", "Counted")


def ask() -> Measured:
    return ask_measured("why_measure_lengths")


def compute(s: Measured) -> Result:
    operations = data.operations(s.d)
    if not s.n_measured:
        return Result(operations, None)
    with settings.place_named("measured"), st.spinner("Measuring, about a second"):
        return Result(operations, data.time_lengths(s.d, s.n_heads, s.n_measured))


def draw(s: Measured, result: Result) -> None:
    lengths, lines = result.operations
    timings = result.timings
    with places()["counted"]:
        display.figure(
            figures.operations(lengths, lines, s.d),
            key="why_operations",
            alt=f"Multiplications at {lengths[-1]:,} words: " + ", ".join(f"{a} {b[-1]:.3g}" for a, b in lines.items()),
        )
    if timings:
        with places()["measured"]:
            display.figure(
                figures.measured(timings.at, {"attention": timings.first, "torch.nn.RNN": timings.second}, "words n"),
                key="why_lengths",
                alt=f"Milliseconds on this machine at {timings.at[-1]:,} words: attention {timings.first[-1]:.3g}, "
                f"recurrent {timings.second[-1]:.3g}.",
            )
    words, more = st.columns(2, gap="large")
    with words:
        st.markdown(
            "A recurrent layer reads word by word, so it has to wait: word 512 cannot begin before word 511 is done. "
            "Attention has nothing to wait for, so it may be done sooner although it multiplies more. (“Table 1” "
            "counts as the paper does; “really” adds the learned matrices before and after.) But what attention "
            "multiplies grows with n², and "
            "on a long text that outweighs everything."
            + ("" if timings else " Where? That depends on the machine: measure it.")
        )
        if timings:
            st.markdown(_crossing(timings))
            st.caption(
                f"Median of {min(timings.rounds)} to {max(timings.rounds)} runs each, one text, one thread of this "
                "machine, float32. Recurrent: torch.nn.RNN with tanh, torch's own loop in C++. Attention: ours. "
                "Another machine gives other numbers; the more it can multiply at once, the more attention gains."
            )
    with more:
        teaching.check(
            "With more processors side by side, which of the two gains more?",
            ["The recurrent layer", "Attention", "Both alike"],
            1,
            "All rows of attention can be worked on at once. The steps of a recurrent layer have to wait, however many "
            "processors there are.",
            key="why-long",
        )
        teaching.code_expander("transformer/inspection/timing.py", "time_lengths", icon=None)


def _crossing(timings: "Timings") -> str:
    """From which length on attention takes longer, in Markdown."""
    at = timings.crossing()
    if at is None:
        return f"Measured here: attention takes less time up to the longest text, {timings.at[-1]:,} words."
    if at == timings.at[0]:
        return "Measured here: attention takes longer at every length."
    before = timings.at[timings.at.index(at) - 1]
    return f"Measured here: attention is done sooner up to **{before:,}** words, and takes longer from **{at:,}** on."


VIEW = View("How long does it take?", ask, compute, draw, layout=layout)
