"""How long attention takes: beside a recurrent layer, and all heads at once beside one by one. A fold of the costs.

What is shown at first was measured when the project was made, and is dotted; the button measures on the machine that
runs the page, and draws that on top.
"""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings
from lab.kit.figures import display
from lab.kit.words import at_most
from pages.why import data, figures
from pages.why.controls import HEADS, MEASURED_WIDTHS, measure_button, n_measured
from transformer import inspection

BUTTON = "why_measure"


class Settings(NamedTuple):
    """The sizes of what is measured, and how often the visitor asked for it; 0: not yet."""

    d: int
    n_heads: int
    n_measured: int


class Result(NamedTuple):
    """Times by length and by the number of heads: those that are stored, and the visitor's own once there are any.

    difference  how far all heads at once and one by one differ
    """

    stored: data.Measured
    own: data.Measured | None
    difference: data.HeadDifference


def ask(d: int, n_heads: int) -> Settings:
    """The layer to measure: as wide as that of the view, or as near to it as was measured."""
    measure_button(BUTTON, type="secondary" if n_measured(BUTTON) else "primary")
    return Settings(settings.nearest(d, MEASURED_WIDTHS), n_heads, n_measured(BUTTON))


def compute(s: Settings) -> Result:
    own = None
    if s.n_measured:
        with st.spinner("Measuring: two seconds"):
            own = data.Measured(
                data.time_lengths(s.d, s.n_heads, s.n_measured), data.time_heads(s.d, HEADS, s.n_measured)
            )
    return Result(data.stored(s.d, s.n_heads), own, data.head_difference(s.d, s.n_heads))


def draw(s: Settings, result: Result) -> None:
    shown = result.own or result.stored
    lengths, heads = st.columns(2, gap="large")
    with lengths:
        st.markdown(f"**Attention and a recurrent layer**, {s.d} wide")
        _figure(
            "why_lengths",
            ("attention", "recurrent"),
            shown.lengths,
            result.stored.lengths if result.own else None,
            is_stored=result.own is None,
            title="words n",
        )
        st.markdown(_crossing(shown.lengths, is_stored=result.own is None))
        st.markdown(
            "A recurrent layer reads word by word: word 512 cannot begin before word 511 is done. Attention waits for"
            " nothing, so it can finish sooner although it multiplies more. But its multiplications grow with n², and"
            " on a long text that outweighs everything."
        )
    with heads:
        st.markdown(f"**All heads at once, or one by one**, {s.d} wide")
        _figure(
            "why_heads_figure",
            ("at once", "one by one"),
            shown.heads,
            result.stored.heads if result.own else None,
            is_stored=result.own is None,
            title="heads H",
            chosen=s.n_heads,
        )
        at = HEADS.index(s.n_heads)
        at_once, one_by_one = shown.heads.first[at], shown.heads.second[at]
        st.markdown(_compared(s.n_heads, at_once, one_by_one))
        st.markdown(
            "Attention runs several times side by side; each of these is a **head**. No head needs the result of "
            f"another, so {_all(s.n_heads)} can be computed together, as one multiplication of larger arrays (B, H, T, "
            "d_k): texts, heads, words, width of a head. A loop over the heads gives the same result: on"
            f" {result.difference.n_words} random words, the two outputs differ by"
            f" {at_most(result.difference.largest)}."
        )
    with display.prose():
        st.caption(_conditions(result))
        questions.ask("why-wait")


def _compared(n_heads: int, at_once: float, one_by_one: float) -> str:
    """How many times as long a loop over the heads takes, in Markdown; of one head there is nothing to compare."""
    if n_heads == 1:
        return f"With **one** head there is nothing to do at once: {at_once:.2f} ms, and {one_by_one:.2f} ms in a loop."
    return (
        f"With **{n_heads}** heads: {at_once:.2f} ms at once, {one_by_one:.2f} ms one by one,"
        f" {one_by_one / at_once:.1f} times as long."
    )


def _all(n_heads: int) -> str:
    return f"all {n_heads}" if n_heads > 1 else "any number of them"


def _figure(
    key: str,
    names: tuple[str, str],
    shown: "inspection.timing.Timings",
    behind: "inspection.timing.Timings | None",
    *,
    is_stored: bool,
    title: str,
    chosen: int | None = None,
) -> None:
    lines = dict(zip(names, (shown.first, shown.second), strict=True))
    machine = "the project's machine" if is_stored else "this machine"
    display.figure(
        figures.measured(
            shown.at,
            lines,
            title,
            chosen=chosen,
            behind=(behind.first, behind.second) if behind else (),
            is_stored=is_stored,
        ),
        key=key,
        alt=f"Milliseconds on {machine}, {title}, {shown.at[-1]:,}: "
        + ", ".join(f"{name} {values[-1]:.3g}" for name, values in lines.items()),
    )


def _conditions(result: Result) -> str:
    """Where, when and how it was measured."""
    where = f"Dotted: measured when this project was made, as processor time on {data.machine()}."
    if result.own:
        rounds = result.own.lengths.rounds + result.own.heads.rounds
        where = f"Lines: median of {min(rounds)} to {max(rounds)} runs each, one thread of this machine. {where}"
    else:
        where += " Other machines give other numbers: measure on this one."
    return (
        f"{where} One text, float32. Recurrent: torch.nn.RNN with tanh, in torch's own C++ loop. Attention: ours. The"
        " more a machine can multiply at once, the more attention gains."
    )


def _crossing(timings: "inspection.timing.Timings", *, is_stored: bool) -> str:
    """From which length on attention takes longer, in Markdown."""
    where = "On that machine" if is_stored else "Measured here"
    at = timings.crossing()
    if at is None:
        return f"{where}: attention is faster even on the longest text, {timings.at[-1]:,} words."
    if at == timings.at[0]:
        return f"{where}: attention is slower at every length."
    before = timings.at[timings.at.index(at) - 1]
    return f"{where}: attention is faster up to **{before:,}** words, and slower from **{at:,}** on."
