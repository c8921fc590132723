"""One query's edges, measured in three ways: a large weight need not matter."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions
from lab.kit.figures import display
from lab.kit.models.readings import Reading
from lab.kit.view import View, places
from pages.heads import data, figures
from pages.heads.subject import Subject
from transformer import inspection


class Result(NamedTuple):
    """The query's edges, and a head without effect: its weights (T, T), values (T, d_k) and output (T, D)."""

    edges: "inspection.head_effects.EdgeEffects"
    built_head: tuple[np.ndarray, np.ndarray, np.ndarray]


def ask(s: Subject) -> Subject:
    return s


def compute(s: Subject) -> Result:
    return Result(data.edge_effects(s.reading, s.layer, s.head, s.query), data.head_without_effect())


def draw(s: Subject, result: Result) -> None:
    edges = result.edges
    weights, values, output = result.built_head
    with places()["picture"]:
        with st.container(key="result-edges"):
            st.markdown(
                f"**What matters to** :blue[**{display.plain(s.tokens[s.query])}**]**?** (layer {s.layer}, head"
                f" {s.head})"
            )
        display.figure(
            figures.edges_three_ways(s.tokens, edges.weight, edges.moved, edges.effect),
            key="closer-edges",
            alt=f"Bars per key: weights up to {edges.weight.max():.3f}, effects up to {edges.effect.max():.4f}.",
        )
    with places()["words"]:
        st.markdown(
            "An edge is one cell of the map: one word looking at one other. "
            "A large :violet[attention weight] looks important. But what is passed on is the weight times the "
            ":green[value], and that may be small, or drowned, or undone by later layers. So each edge is measured in "
            "three ways: its attention weight; that weight times the length of what the value adds; and its effect, "
            "which is how far the token’s last vector moves without this one edge."
        )
        with st.container(key="result-built-head"):
            st.markdown("**A head built to fool you**")
            st.markdown(
                f"Every query gives its first key an attention weight of :violet[**{weights[-1, 0]:.0f}**]. The value "
                f"there has a length of :green[**{abs(values[0]).sum():.0f}**], so "
                f"{abs(output).max():.0f} comes out everywhere."
            )
        questions.ask("heads-closer-edges")


def opens(reading: Reading, layer: int, head: int) -> tuple[int, ...] | None:
    """The row in which the largest weight and the largest effect are farthest apart."""
    query = data.telling_query(reading, layer, head)
    return None if query is None else (layer, head, query)


VIEW = View(ask, compute, draw, opens=opens)
