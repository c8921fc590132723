"""What a layer of attention costs, compared with a recurrent layer and a convolution."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.shared import display, settings, teaching
from pages.shared.teaching import Answer, check
from pages.shared.view import View
from pages.why import data, figures
from pages.why.components.area import area, dragged
from pages.why.controls import LENGTHS, SLIDER, ask_d, ask_k, ask_n_heads

if TYPE_CHECKING:
    from transformer.inspection.costs import Cost

D_MODELS = (16, 32, 64, 128, 256, 512, 1024)
# A row of Table 1 by the network: its name, and the formulas of its operations, sequential operations and path length.
FORMULAS = {
    "attention": ("attention", "n² · d", "1", "1"),
    "recurrent": ("recurrent", "n · d²", "n", "n"),
    "convolution": ("convolution", "k · n · d²", "1", "(n−1) / (k−1)"),
    "window": ("attention, window k", "k · n · d", "1", "(n−1) / (k−1)"),
}


class Settings(NamedTuple):
    n: int
    d: int
    n_heads: int
    k: int


def ask() -> Settings:
    with settings.place_named("row"):
        n = settings.choose(st.select_slider, "Words n", "why_length", LENGTHS, 1024, width=SLIDER)
        with settings.line():
            d = ask_d(D_MODELS, 512)
            n_heads = ask_n_heads(8)
            k = ask_k()
    return Settings(n, d, n_heads, k)


def compute(s: Settings) -> data.Costs:
    return data.costs(LENGTHS, s.d, s.n_heads, s.k)


def draw(s: Settings, costs: data.Costs) -> None:
    at = LENGTHS.index(s.n)
    area(s.n, s.d, s.n_heads, lengths=LENGTHS, widths=D_MODELS, on_drag=_take, key="why_area")
    words, table = st.columns([5, 6], gap="large")
    with words:
        st.markdown(
            "Does attention **scale to longer texts**? Both answers are true. The steps that wait for each other do not"
            " grow at all, so nothing has to be handed on a thousand times. But every word is compared with every"
            " word: operations and memory grow with **n²**. Twice the text, four times the"
            " :violet[**attention weights**]. A recurrent layer keeps one state per word: what it hands on."
        )
        teaching.formula(r"\text{bytes} = H \cdot n \cdot n \cdot 4 \quad \text{(4 bytes per number)}")
        st.markdown(
            f"By Table 1, attention is the cheaper one while the text is shorter than the width: n < d = {s.d}. "
            + (f"Yours is: {s.n:,} words." if s.n < s.d else f"Yours is not: {s.n:,} words.")
        )
    with table:
        st.markdown(_table(costs.table[at]))
        st.caption(
            "**Steps that wait**: each needs what the one before has found. The formulas are those of “Attention Is "
            "All You Need”, Table 1, with your numbers put in. They leave out the linear maps, the learned matrices "
            "before and after: with W_q, W_k, W_v and W_o an attention layer really multiplies "
            f"{in_words(costs.multiplications['attention'][at])} times, and a recurrent one, which has two maps, "
            f"{in_words(costs.multiplications['recurrent'][at])} times."
        )
    with st.expander("All lengths at once, on logarithmic axes"):
        _charts(s, costs, at)
    check(
        "A text becomes three times as long. What happens to the attention weights in memory?",
        Answer("Three times as many", ""),
        Answer("Nine times as many", "Each of 3n words looks at 3n words: 9 n².", right=True),
        Answer("As many, in more steps", ""),
        key="why-cost",
    )


def _take(side: str) -> None:
    """A side of the picture was dragged: its setting follows."""
    key, options = {"n": ("why_length", LENGTHS), "d": ("why_d", D_MODELS)}[side]
    value = dragged("why_area", side, options)
    if value is not None:
        st.session_state[key] = value


def _charts(s: Settings, costs: data.Costs, at: int) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Attention, as a multiple of a recurrent layer**")
        display.figure(
            figures.ratios(LENGTHS, costs.ratios, s.n, s.d),
            key="why_compared",
            alt=f"At {s.n:,} words, as a multiple of a recurrent layer: "
            + ", ".join(f"{name} {values[at]:.3g}" for name, values in costs.ratios.items()),
        )
    with right:
        st.markdown(f"**The attention weights of one layer, for one text: {figures.in_bytes(costs.weights[at])}**")
        display.figure(
            figures.memory(LENGTHS, costs.weights, costs.states, s.n),
            key="why_memory",
            alt=f"{s.n:,} words: attention weights {figures.in_bytes(costs.weights[at])}, states of a recurrent layer "
            f"{figures.in_bytes(costs.states[at])}.",
        )


def _table(costs: "dict[str, Cost]") -> str:
    """Table 1 with numbers, in Markdown."""
    rows = []
    for network, cost in costs.items():
        name, operations, sequential, path_length = FORMULAS[network]
        cells = (
            f"**{name}**",
            _with_value(operations, cost.operations),
            _with_value(sequential, cost.sequential),
            _with_value(path_length, cost.path_length),
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "| one layer | operations | steps that wait | longest path |\n|---|---|---|---|\n" + "\n".join(rows)


def _with_value(formula: str, x: int) -> str:
    return formula if formula == str(x) else f"{formula} = {in_words(x)}"


def in_words(x: int) -> str:
    """A large number with its power of ten as a word: 16,384, 1.57 million, 537 billion."""
    for size, name in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if x >= size:
            return f"{x / size:.3g} {name}" if x < 1000 * size else f"{x / size:,.0f} {name}"
    return f"{x:,}"


VIEW = View("What does it cost?", ask, compute, draw, height=450)
