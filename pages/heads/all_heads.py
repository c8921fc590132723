"""All heads together: how similar their maps are, where information comes from through all of them, and in a fold, how
a layer is put together out of its heads."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.models.references import Untrained
from lab.kit.view import View, places
from pages.heads import data, figures, together
from pages.heads.subject import Subject


class Settings(NamedTuple):
    """What the heads read, and the layer after which the sources are shown."""

    subject: Subject
    layer: int


class Result(NamedTuple):
    """Cosines of every two heads' maps (LH, LH); those of an untrained model beside a trained one, else None; and
    where each token's information comes from after the chosen layer, (T, T)."""

    cosines: np.ndarray
    untrained: np.ndarray | None
    shares: np.ndarray
    together: together.Result


def ask(s: Subject) -> Settings:
    L = s.reading.ref.resolve().n_layers
    if L == 1:
        return Settings(s, 0)
    with settings.place_named("words"):
        layer = settings.choose(
            st.select_slider,
            "After layer",
            "closer_layer",
            range(L),
            L - 1,
            follows=True,
            why=f"layers here are numbered from 0 to {L - 1}, so there is no layer {{}}",
        )
    return Settings(s, layer)


def compute(of: Settings) -> Result:
    s, layer = of
    source = s.reading.ref.resolve()
    cosines, shares = data.similarity_and_rollout(s.reading)
    parts = together.compute(s)
    if not source.is_trained or len(cosines) < 2:
        return Result(cosines, None, shares[layer], parts)
    # The same words, read by as many untrained heads of the same sizes.
    untrained = s.reading._replace(ref=Untrained(source.kind, source.config, seed=0))
    return Result(cosines, data.similarity_and_rollout(untrained)[0], shares[layer], parts)


def draw(of: Settings, result: Result) -> None:
    s, layer = of
    n_heads = s.reading.ref.resolve().config.n_heads
    with places()["picture"]:
        display.figure(
            figures.similarity(result.cosines, n_heads),
            key="closer-alike",
            alt=f"Every two heads compared: cosines from {result.cosines.min():.2f} to 1.",
        )
        st.markdown(
            "Each cell compares the maps of two heads: 1 means the same map, 0 that they never look at the same word. "
            + _verdict(result)
        )
    with places()["words"]:
        st.markdown(f"**Where does information come from, after layer {layer}?**")
        display.figure(
            figures.sources(s.tokens, result.shares),
            key="closer-rollout",
            alt=f"Tokens by sources after layer {layer}; shares up to {result.shares.max():.2f}.",
        )
        st.markdown(
            "After this layer, where did each token's information come from? We multiply the maps, layer by layer, and "
            "assume that half stays put (a layer only adds) and half follows the heads' average. Every row adds up to "
            "1."
        )
        teaching.formula(r"R_l = \tfrac12\left(\w{A_l} + I\right) R_{l-1}")
        questions.ask("heads-same")
        with st.expander("How is a layer put together out of its heads?", key=together.OPEN, bind="query-params"):
            together.draw(s, result.together)


def _verdict(result: Result) -> str:
    """Trained heads beside as many untrained ones on the same words, in Markdown."""
    if len(result.cosines) < 2:
        return "There is only one head, and nothing to compare it with."
    if result.untrained is None:
        return (
            "Untrained heads look alike because all are nearly uniform. Does training make them differ? Measure it: "
            "choose a trained model above."
        )
    trained, untrained = (_mean_of_pairs(cosines) for cosines in (result.cosines, result.untrained))
    verdict = (
        "Here training made them look at different places."
        if trained < untrained
        else "Here training did **not** make them differ."
    )
    return (
        f"Measured on this text: two of these trained heads have a similarity of **{trained:.2f}** on average; two "
        f"heads of an untrained model of this size **{untrained:.2f}**. {verdict}"
    )


def _mean_of_pairs(cosines: np.ndarray) -> float:
    return float(cosines[np.triu_indices(len(cosines), 1)].mean())


VIEW = View(ask, compute, draw)
