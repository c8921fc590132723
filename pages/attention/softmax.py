"""Softmax of one head's scores: a row that sharpens as it is divided, along the right axis or the wrong one."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from pages.attention import data, figures, saturation, subject
from pages.attention.data import Softmax
from pages.attention.subject import Subject
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Numbers
from pages.shared.teaching import Answer, check
from pages.shared.view import Comparison, View, places

if TYPE_CHECKING:
    from transformer.inspection.steps import Axis, Steps

AXES: "dict[str, Axis]" = {"keys": "keys", "queries": "queries"}
TEMPERATURES = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)
ADDED = (-50, -5, 0, 5, 50)
WIDTHS_OPEN = "att_widths"  # the key of the fold on the width of vectors


class Settings(NamedTuple):
    """widths: what the fold on wide vectors is set to; None while it is closed."""

    subject: Subject
    along: "Axis"
    temperature: float
    add: int
    query: int  # whose row is looked at
    widths: saturation.Settings | None


class Result(NamedTuple):
    """undivided: the weights (T, S) of the scores as they are, not divided by sqrt(d_k)."""

    steps: "Steps"
    softmax: Softmax
    undivided: Softmax
    widths: saturation.Result | None


def layout() -> Mapping[str, Any]:
    row, map_ = st.columns([6, 7], gap="large")
    picture, controls = row.container(), row.container()
    words = st.container()
    widths = st.expander(
        "Why √d_k? What softmax does to queries and keys from 1 to 1,024 numbers wide",
        key=WIDTHS_OPEN, bind="query-params",
    )  # fmt: skip
    return {"picture": picture, "controls": controls, "map": map_, "words": words, "widths": widths}


def ask() -> Settings | None:
    shown_on = subject.ask()
    if shown_on is None:
        return None
    # A word can occur twice, so each option has its position.
    names = shown_on.names("q")
    queries = {name if shown_on.matrices else f"{n} {name}": n for n, name in enumerate(names)}
    with settings.place_named("controls"), settings.place(st.container, horizontal=True, vertical_alignment="bottom"):
        temperature = settings.choose(
            st.select_slider, "Temperature τ", "att_t", TEMPERATURES, 1.0, quiet=True, width=250,
            help="Scores are divided by it before softmax. Low: only the best key counts. High: all count alike.",
        )  # fmt: skip
        default = list(queries)[0 if shown_on.matrices else -1]
        query = settings.choose(
            st.selectbox, "The row of", "att_query", queries, default, quiet=True, follows=True, width=130
        )
        with settings.line(key="softmax"):
            along = settings.choose(
                st.segmented_control, "Softmax runs along", "att_axis", AXES, "keys", quiet=True, chip="along the {}",
                help="Along the keys is right: each query shares 1 among them. The other way is a classic mistake.",
            )  # fmt: skip
            add = settings.choose(
                st.select_slider, "Add to every score", "att_add", ADDED, 0, quiet=True, chip="{} added",
                help="Softmax sees only the differences between scores.",
            )  # fmt: skip
    widths = None
    if st.session_state.get(WIDTHS_OPEN):
        with settings.place_named("widths"):
            widths = saturation.ask()
    return Settings(shown_on, AXES[along], temperature, add, queries[query], widths)


def compute(s: Settings) -> Result:
    steps = subject.steps(s.subject)
    undivided = data.softmax_of(steps, steps.q.shape[1] ** -0.5, 0, "keys")
    widths = saturation.compute(s.widths) if s.widths else None
    return Result(steps, data.softmax_of(steps, s.temperature, s.add, s.along), undivided, widths)


def draw(s: Settings, result: Result) -> None:
    queries, keys, softmax = s.subject.names("q"), s.subject.names("k"), result.softmax
    name, total, row = queries[s.query], softmax.row_sums[s.query], softmax.weights[s.query]
    plain, undivided = softmax.plain[s.query], result.undivided.weights[s.query]
    d_k = result.steps.q.shape[1]
    with places()["picture"]:
        display.figure(
            figures.row_bars(row, plain, undivided, keys, name, d_k),
            key="att_softmax_bars",
            alt=f"Bars: the attention weights of {name} at temperature {s.temperature:g}; the largest is"
            f" {row.max():.2f}. At temperature 1 it is {plain.max():.2f}, and {undivided.max():.2f} if scores are not"
            f" divided by √{d_k}.",
        )
    with places()["map"]:
        display.figure(
            figures.softmax_map(softmax.weights, queries, keys, s.query, softmax.allowed),
            key="att_softmax_map",
            alt=f"Heatmap of attention weights, {len(queries)} queries by {len(keys)} keys, with the sums of rows and"
            f" columns. The row of {name} adds up to {total:.2f}.",
        )
    with places()["words"]:
        if s.along == "queries":
            display.notice(
                f"Wrong axis. Every column now adds up to 1, and a query's row does not: the row of {name} adds up"
                f" to {total:.2f}. A query no longer shares out exactly 1, so its output is no longer an average."
            )
        _explain(s, d_k, float(plain.max()), float(undivided.max()))
    if s.widths and result.widths:
        with places()["widths"]:
            saturation.draw(s.widths, result.widths)


def _explain(s: Settings, d_k: int, plain: float, undivided: float) -> None:
    words, question = st.columns(2, gap="large")
    with words:
        st.markdown(
            "Softmax takes e to the power of each score and divides by the sum of the row. Dividing the scores first"
            f" keeps it soft: that is what √$d_k$ is for. Without ÷ √{d_k}, as if the temperature were"
            f" {d_k**-0.5:.2f}, the largest attention weight of this row would be :violet[**{undivided:.2f}**] instead"
            f" of :violet[**{plain:.2f}**]."
        )
        teaching.formula(
            r"\w{w_{ij}} = \frac{e^{s_{ij} / \tau}}{\sum_{\k{j'}} e^{s_{ij'} / \tau}}"
            if s.along == "keys"
            else r"\text{wrong: } \frac{e^{s_{ij} / \tau}}{\sum_{\q{i'}} e^{s_{i'j} / \tau}}"
        )
        teaching.code_expander("transformer/attention.py", "masked_softmax")
    with question:
        check(
            "You add 50 to **every** score of a row. What happens to its :violet[attention weights]?",
            Answer(
                "Nothing at all",
                "Every power of e grows by the same factor, and dividing by the sum takes that factor out again. Only "
                "the differences between scores matter.",
                right=True,
            ),
            Answer(
                "They all grow",
                "They share exactly 1, so they cannot all grow. The powers of e do grow, and so does the sum that "
                "divides them.",
            ),
            Answer(
                "The largest takes everything",
                "That happens if you *multiply* the scores: then the gaps between them grow. Adding leaves the gaps "
                "alone.",
            ),
            Answer(
                "They become equal",
                "It may seem that 50 drowns the differences. But softmax sees nothing else than differences, and these "
                "stay.",
            ),
            key="attention-softmax",
            try_it={"att_add": 50},
        )


def _numbers(s: Settings, result: Result) -> Numbers | None:
    if s.widths and result.widths:
        return saturation.ranked(result.widths)
    return subject.sheet(s.subject, result.softmax.weights, result.steps)


VIEW = View(
    "Softmax", ask, compute, draw, layout=layout,
    comparison=Comparison(lambda s: "the mean attention weights of a row" if s.widths else "the attention weights",
                          _numbers),
    asks="How do scores become shares of 1?",
    lede="Softmax turns a row of scores into :violet[**attention weights**], shares of 1. A high temperature evens them"
    " out.",
)  # fmt: skip
