"""Softmax of one head's scores: along the right axis or the wrong one, at any temperature."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.attention import data, figures, subject
from pages.attention.data import Softmax
from pages.attention.subject import Subject
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.view import Comparison, View

if TYPE_CHECKING:
    from transformer.inspection.steps import Axis, Steps

AXES: "dict[str, Axis]" = {"keys": "keys", "queries": "queries"}
TEMPERATURES = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)
ADDED = (-50, -5, 0, 5, 50)


class Settings(NamedTuple):
    subject: Subject
    along: "Axis"
    temperature: float
    add: int
    query: int  # whose row is looked at


class Result(NamedTuple):
    steps: "Steps"
    softmax: Softmax


def ask() -> Settings | None:
    shown_on = subject.ask()
    if shown_on is None:
        return None
    with settings.place(st.container, horizontal=True, vertical_alignment="top", key="softmax-row"):
        axis = settings.choose(
            st.segmented_control, "Softmax runs along", "att_axis", AXES, "keys", quiet=True,
            help="Right: each query shares 1 among the keys. The other way round is a classic mistake.",
        )  # fmt: skip
        temperature = settings.choose(
            st.select_slider, "Temperature", "att_t", TEMPERATURES, 1.0, quiet=True, width=210,
            help="τ in the formula. Scores are divided by it before softmax. Low: only the best counts. High: all"
            " alike.",
        )  # fmt: skip
        add = settings.choose(
            st.select_slider, "Add to every score", "att_add", ADDED, 0, quiet=True, width=190,
            help="Softmax sees only how far apart scores are.",
        )  # fmt: skip
        # A word can occur twice, so each option has its position.
        names = shown_on.names("q")
        queries = {name if shown_on.matrices else f"{n} {name}": n for n, name in enumerate(names)}
        default = next(iter(queries))
        query = settings.choose(st.selectbox, "Query", "att_query", queries, default, quiet=True, width=150)
    return Settings(shown_on, AXES[axis], temperature, add, queries[query])


def compute(s: Settings) -> Result:
    steps = subject.steps(s.subject)
    return Result(steps, data.softmax_of(steps, s.temperature, s.add, s.along))


def draw(s: Settings, result: Result) -> None:
    queries, keys, softmax = s.subject.names("q"), s.subject.names("k"), result.softmax
    name, total, row = queries[s.query], softmax.row_sums[s.query], softmax.weights[s.query]
    if s.along == "queries":
        display.notice(
            f"Wrong axis. Now every column adds up to 1, but a query's row does not: the row of {name} adds up"
            f" to {total:.2f}. Nobody shares out 1 any more, and outputs are no longer averages."
        )
    left, right = st.columns([6, 5], gap="large")
    with left:
        display.figure(
            figures.softmax_map(softmax.weights, queries, keys, s.query, softmax.allowed),
            key="att_softmax_map",
            alt=f"Heatmap of weights, {len(queries)} queries by {len(keys)} keys, with the sums of rows and columns."
            f" The row of {name} adds up to {total:.2f}.",
        )
    with right:
        display.figure(
            figures.row_bars(row, softmax.plain[s.query], keys, name),
            key="att_softmax_bars",
            alt=f"Bars: the weights of {name} at temperature {s.temperature:g}; the largest is {row.max():.3f}.",
        )
        teaching.formula(
            r"\w{w_{ij}} = \frac{e^{s_{ij} / \tau}}{\sum_{\k{j'}} e^{s_{ij'} / \tau}}"
            if s.along == "keys"
            else r"\text{wrong: } \frac{e^{s_{ij} / \tau}}{\sum_{\q{i'}} e^{s_{i'j} / \tau}}"
        )
        st.caption(
            "Softmax turns scores into shares of 1: take e to the power of each score, then divide by the sum of the"
            " row. $s_{ij}$ is how well query i and key j fit."
        )
    question, code = st.columns(2, gap="large")
    with question:
        teaching.check(
            "You add 50 to **every** score of a row. What happens to its weights?",
            ["Nothing at all", "They all grow", "The largest takes everything"],
            0,
            "Every e-power grows by the same factor, and dividing by the row's sum takes it out again. Only differences"
            " between scores matter. Move “Add to every score” and see.",
            key="att-softmax",
        )
    with code:
        teaching.code("transformer/attention.py", "masked_softmax")


def _weights(s: Settings, result: Result) -> Sheet:
    return subject.sheet(s.subject, result.softmax.weights, result.steps)


VIEW = View("Softmax", ask, compute, draw, comparison=Comparison("the weights", _weights))
