"""What a layer of attention costs, compared with a recurrent layer and a convolution."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.shared import display, settings, teaching
from pages.shared.teaching import Answer
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
    "window": ("attention, window k", "(2k−1) · n · d", "1", "(n−1) / (k−1)"),
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
            "Does attention **scale to longer texts**? Yes and no. Yes: its sequential steps do not grow at all, so "
            "nothing has to be passed on a thousand times. No: every word is compared with every word, so operations "
            "and memory grow with **n²**. Twice the text, four times the :violet[**attention weights**]. A recurrent"
            " layer keeps one state per word, the one that it passes on."
        )
        teaching.formula(r"\text{bytes} = H \cdot n \cdot n \cdot 4 \quad \text{(4 bytes per number)}")
        st.markdown(
            "By this table, attention takes fewer operations than a recurrent layer as long as the text is shorter "
            f"than the layer is wide: n < d = {s.d}. "
            + (f"Yours is shorter: {s.n:,} words." if s.n < s.d else f"Yours is not: {s.n:,} words.")
        )
    with table:
        st.markdown(_table(costs.table[at]))
        st.caption(
            "**Sequential steps**: each needs the result of the one before. The formulas are those of “Attention Is "
            "All You Need”, Table 1, with your numbers put in. They leave out the projections, the learned matrices "
            "before and after: with W_q, W_k, W_v and W_o, an attention layer really takes "
            f"{in_words(costs.multiplications['attention'][at])} multiplications, and a recurrent one, which has two "
            f"such matrices, {in_words(costs.multiplications['recurrent'][at])}."
        )
    with st.expander("All lengths at once, on logarithmic axes"):
        _charts(s, costs, at)
    length, heads = st.columns(2, gap="large")
    with length:
        teaching.check(
            "A text becomes four times as long. How much more memory do the attention weights take?",
            Answer("16 times as much", "4n words look at 4n words: 16 n² cells.", right=True),
            Answer(
                "4 times as much",
                "That is a recurrent layer, with one state per word. In attention the rows *and* the columns become "
                "four times as many.",
            ),
            Answer(
                "8 times as much",
                "Rows and columns do not add up, they multiply: 4 × 4.",
            ),
            Answer(
                "As much as before, but it takes longer",
                "Nothing is worked off in turn: all cells of the table are there at once.",
            ),
            key="why-cost",
            try_it={"why_view": "What does it cost?", "why_by": "counted", "why_length": 4096},
        )
    with heads:
        teaching.check(
            "You double the number of heads and leave the width d as it is. What doubles?",
            Answer(
                "The memory of the attention weights",
                "Every head has its own n × n table. But each head is half as wide, so the multiplications stay the "
                "same.",
                right=True,
            ),
            Answer(
                "The number of multiplications",
                "Twice the heads, but each works on half the width: H · n² · (d / H) is n² · d for any H. The table "
                "above has no H in it.",
            ),
            Answer(
                "The number of parameters",
                "W_q, W_k, W_v and W_o are d × d, however they are cut into heads.",
            ),
            Answer(
                "The longest path",
                "Heads stand side by side. Each of them still reaches every word in one step.",
            ),
            key="why-heads",
            try_it={"why_view": "What does it cost?", "why_by": "counted", "why_heads": 16},
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
    return "| one layer | operations | sequential steps | longest path |\n|---|---|---|---|\n" + "\n".join(rows)


def _with_value(formula: str, x: int) -> str:
    return formula if formula == str(x) else f"{formula} = {in_words(x)}"


def in_words(x: int) -> str:
    """A large number with its power of ten as a word: 16,384, 1.57 million, 537 billion."""
    for size, name in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if x >= size:
            return f"{x / size:.3g} {name}" if x < 1000 * size else f"{x / size:,.0f} {name}"
    return f"{x:,}"


VIEW = View("counted", ask, compute, draw, height=450)
