"""Attention rollout: where each token's information comes from after every layer."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.heads import data, figures
from pages.heads.study import Study, Subject
from pages.shared import display, settings, teaching


def ask(s: Subject) -> int:
    """The layer after which the sources are shown, the last by default."""
    L = s.reading.ref.resolve().n_layers
    if L == 1:
        return 0
    return settings.choose(
        st.select_slider, "After layer", "closer_layer", range(L), L - 1, follows=True,
        why=f"layers here are numbered from 0 to {L - 1}, so there is no layer {{}}",
    )  # fmt: skip


def compute(s: Subject, layer: int) -> np.ndarray:
    """The shares of all sources after this layer, (T, T)."""
    return data.similarity_and_rollout(s.reading)[1][layer]


def draw(s: Subject, layer: int, shares: np.ndarray, picture: DeltaGenerator, words: DeltaGenerator) -> None:
    with words:
        st.markdown(
            "Where has each token's information come from, after this layer? Half of it is taken to stay where it "
            "is, for a layer adds to what was there, and half to follow the mean of the heads; layer after layer.\n\n"
            "Every row "
            "adds up to 1. With a window, watch how the reach grows a little with every layer."
        )
        teaching.formula(r"R_l = \tfrac12\left(\w{A_l} + I\right) R_{l-1}")
    with picture:
        display.figure(
            figures.sources(s.tokens, shares), key="closer-rollout",
            alt=f"Tokens by sources after layer {layer}; shares up to {shares.max():.2f}.",
        )  # fmt: skip


STUDY = Study("rollout", compute, draw, ask)
