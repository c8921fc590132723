"""Why scores are divided by √d_k: what wide queries and keys do to softmax and to its gradient. A fold of the steps."""

import math
from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.controls.hyperparameters import SCALING, SCALINGS, SEED
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Curves
from pages.attention import data, figures
from transformer import inspection

WIDTHS = tuple(2**n for n in range(11))
MEASURES = {"entropy, of 1": "entropy", "largest weight": "largest", "gradient": "gradient"}


class Settings(NamedTuple):
    d_k: int
    scaled: bool
    seed: int


class Result(NamedTuple):
    sweep: "dict[bool, list[inspection.saturation.Saturation]]"
    chosen: "inspection.saturation.Saturation"


def ask() -> Settings:
    with settings.place(st.container, horizontal=True, vertical_alignment="bottom"):
        d_k = settings.choose(st.select_slider, "d_k, the width of queries and keys", "att_dk", WIDTHS, 64, width=300)
        scaled = SCALINGS[SCALING.ask("att_scaling", default="not divided", help=None)]
        seed = SEED.ask("att_seed", help="A different seed gives different random numbers.", width=170)
    return Settings(d_k, scaled, seed)


def compute(s: Settings) -> Result:
    sweep = data.saturation_sweep(s.seed)
    return Result(sweep, sweep[s.scaled][WIDTHS.index(s.d_k)])


def draw(s: Settings, result: Result) -> None:
    chosen = result.chosen
    n_keys = len(chosen.weights)
    scores, curves = st.columns(2, gap="large")
    with scores:
        display.figure(
            figures.score_histogram(chosen.scores, 1.0 if s.scaled else math.sqrt(s.d_k), s.scaled),
            key="att_scores",
            alt=f"Histogram of {len(chosen.scores):,} scores at d_k {s.d_k}. The variance of q·k is"
            f" {chosen.variance:.1f}.",
        )
        display.figure(
            figures.ranked_weights(chosen.weights),
            key="att_ranked",
            alt=f"Bars: the mean weights of a row of {n_keys} keys, largest first; the largest is"
            f" {chosen.largest:.2f}.",
        )
    with curves:
        measures: dict[str, tuple[list[float], list[float]]] = {
            title: ([getattr(at, name) for at in result.sweep[True]], [getattr(at, name) for at in result.sweep[False]])
            for title, name in MEASURES.items()
        }
        display.figure(
            figures.saturation_curves(WIDTHS, measures, s.d_k, s.scaled),
            key="att_curves",
            alt=f"Three curves over d_k. At d_k {s.d_k}: entropy {chosen.entropy:.2f} of 1, largest weight"
            f" {chosen.largest:.2f}, gradient {chosen.gradient:.2f}.",
        )
    st.markdown(
        f"At d_k = {s.d_k}, {'divided by √d_k' if s.scaled else 'not divided'}: the variance of q·k is"
        f" **{chosen.variance:.1f}** (expected: {s.d_k}). The largest of {n_keys} attention weights is"
        f" :violet[**{chosen.largest:.2f}**], the entropy is **{chosen.entropy:.2f}** of 1, and the gradient that"
        f" passes through softmax is **{chosen.gradient:.3f}**."
    )
    _explain()


def _explain() -> None:
    teaching.formula(r"\operatorname{var}(\q{q} \cdot \k{k}) = d_k \;\Rightarrow\; \text{divide by } \sqrt{d_k}")
    st.caption(
        "Variance is the spread, squared. Entropy says how evenly a row is shared: 1 if all keys get the same, 0 if"
        " one key gets everything. The gradient says how much the attention weights react to a small change of the"
        " scores; training follows it, and where it is near 0, learning stalls. Queries and keys here are random"
        " numbers with mean 0 and variance 1: 768 queries, 16 keys each. (Gradient: the norm of the derivatives of a"
        " row's weights by its scores, computed by autograd.)"
    )
    questions.ask("attention-wide", try_it={"att_dk": 1024, "att_scaling": "not divided"})


def ranked(result: Result) -> Curves:
    """The mean weights of a row, largest first, for A | B."""
    weights = result.chosen.weights
    axes = ("key, largest first", "mean attention weight")
    return Curves(tuple(range(1, len(weights) + 1)), {"attention weight": weights}, axes)
