"""What a layer of attention costs, compared with a recurrent layer and a convolution."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.view import View, places
from lab.kit.words import in_bytes, in_words
from pages.why import data, draw_first, measure, scaling
from pages.why.components.area import area, dragged
from pages.why.controls import LENGTHS, STOPS, TEXTS, ask_d, ask_k, ask_n_heads
from transformer import inspection

D_MODELS = (16, 32, 64, 128, 256, 512, 1024)
# A row of Table 1 by the network: its name, and the formulas of its operations, sequential operations and path length.
FORMULAS = {
    "attention": ("attention", "n² · d", "1", "1"),
    "recurrent": ("recurrent", "n · d²", "n", "n"),
    "convolution": ("convolution", "k · n · d²", "1", "(n−1) / (k−1)"),
    "window": ("attention, window k", "(2k−1) · n · d", "1", "(n−1) / (k−1)"),
}


GUESS = "why_guess"  # the key of the toggle that hides the picture until its curve is drawn
TIMED_OPEN, BIGGER_OPEN = "why_timed", "why_bigger"  # the keys of two folds


class Settings(NamedTuple):
    """timed, bigger: what these two folds are set to; None while they are closed."""

    n: int
    d: int
    n_heads: int
    k: int
    guess: bool
    timed: measure.Settings | None
    bigger: scaling.Settings | None


class Result(NamedTuple):
    costs: data.Costs
    timed: measure.Result | None
    bigger: data.Scaled | None


def layout() -> Mapping[str, Any]:
    return {
        "picture": st.container(),
        "words": display.prose(),
        "timed": st.expander("How long does it take? Measured", key=TIMED_OPEN, bind="query-params"),
        "bigger": st.expander("Does bigger help? What the costs of training buy", key=BIGGER_OPEN, bind="query-params"),
    }


def ask() -> Settings:
    with settings.place_named("row"):
        guess = st.toggle(
            "Draw it first", key=GUESS, bind="query-params", help="Draw how the cost grows before you see the picture."
        )
        with settings.line():
            n = settings.choose(
                st.select_slider, "Number of words n", "why_length", LENGTHS, TEXTS["page"], chip="{n:,} words"
            )
            d = ask_d(D_MODELS, 512)
            n_heads = ask_n_heads(8)
            k = ask_k()
    timed = bigger = None
    if st.session_state.get(TIMED_OPEN):
        with settings.place_named("timed"):
            timed = measure.ask(d, n_heads)
    if st.session_state.get(BIGGER_OPEN):
        with settings.place_named("bigger"):
            bigger = scaling.ask()
    return Settings(n, d, n_heads, k, guess, timed, bigger)


def compute(s: Settings) -> Result:
    return Result(
        data.costs((s.n,), s.d, s.n_heads, s.k),
        measure.compute(s.timed) if s.timed else None,
        scaling.compute(s.bigger) if s.bigger else None,
    )


def draw(s: Settings, result: Result) -> None:
    with places()["picture"]:
        if s.guess:
            draw_first.draw(draw_first.cost_curve())
        else:
            area(s.n, s.d, s.n_heads, lengths=LENGTHS, stops=sorted(STOPS), texts=TEXTS, on_drag=_take, key="why_area")
    if not s.guess:
        with places()["words"]:
            _explain(s, result.costs)
    if s.timed and result.timed:
        with places()["timed"]:
            measure.draw(s.timed, result.timed)
    if s.bigger and result.bigger:
        with places()["bigger"]:
            scaling.draw(s.bigger, result.bigger)


def _explain(s: Settings, costs: data.Costs) -> None:
    st.markdown(
        "The larger the area, the more multiplications: attention fills a square, n × n, a recurrent layer a rectangle,"
        " n × d. From which length on is the square larger?"
    )
    st.markdown(
        "Does attention **scale to longer texts**? Yes and no. Yes: its sequential steps do not grow at all, so "
        "nothing has to be passed on a thousand times. No: every word is compared with every word, so operations "
        "and memory grow with **n²**. Twice the text, four times the :violet[**attention weights**]. A recurrent"
        " layer keeps one state per word, the one that it passes on."
    )
    teaching.formula(
        rf"H \cdot n \cdot n \cdot 4 \text{{ bytes}} = {s.n_heads} \cdot {s.n}^2 \cdot 4 \text{{ bytes}}"
        rf" = \text{{{in_bytes(costs.weights[0])}}}"
    )
    st.markdown(
        "Counted this way, attention takes fewer operations than a recurrent layer if the text is shorter "
        f"than the layer is wide: n < d = {s.d}. "
        + (f"Yours is shorter: {s.n:,} words." if s.n < s.d else f"Yours is not: {s.n:,} words.")
    )
    with st.expander("The table of the paper, with your numbers"):
        st.markdown(_table(costs.table[0]))
        st.caption(
            "**Sequential steps**: each needs the result of the one before. The formulas are those of “Attention Is"
            " All You Need”, Table 1, and one for a window, in which a word sees itself and k − 1 words to either"
            " side. They leave out the projections, the learned matrices before and after: with W_q, W_k, W_v and"
            f" W_o, an attention layer really takes {in_words(costs.multiplications['attention'][0])}"
            " multiplications, and a recurrent one, which has two such matrices,"
            f" {in_words(costs.multiplications['recurrent'][0])}."
        )
    questions.ask("why-cost", try_it={"why_view": "What does it cost?", "why_length": 4096})
    questions.ask("why-heads", try_it={"why_view": "What does it cost?", "why_heads": 16})


def _take() -> None:
    """The square's corner was dragged: its setting follows."""
    value = dragged("why_area", LENGTHS)
    if value is not None:
        st.session_state["why_length"] = value


def _table(costs: "dict[str, inspection.costs.Cost]") -> str:
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


VIEW = View(ask, compute, draw, layout=layout, height=450)
