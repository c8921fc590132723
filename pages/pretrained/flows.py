"""Rollout: the choice between it and the attention weights, its picture, and what it is."""

from collections.abc import Iterable

import numpy as np
import streamlit as st

from attention_view import Marks, Picture
from lab.kit import settings, teaching
from transformer import inspection

WEIGHTS, ROLLOUT = "attention weights", "rollout"


def is_asked_for(chip: str = "") -> bool:
    """Whether the rollout is to be shown in place of the attention weights; chip: how a line of settings says so."""
    chosen = settings.choose(
        st.segmented_control,
        "Shown",
        "pretrained_map",
        (WEIGHTS, ROLLOUT),
        WEIGHTS,
        label_visibility="collapsed",
        chip=chip,
    )
    return chosen == ROLLOUT


def flow_picture(
    layers: Iterable[np.ndarray], tokens: tuple[str, ...], marks: Marks, mask: np.ndarray | None
) -> Picture:
    """The rollout through these layers, each (H, T, T): one map for each, opened after the last one."""
    shares = np.stack([after.astype("<f4") for after in inspection.head_effects.rollout_by_layer(layers)])  # (L, T, T)
    return Picture(
        queries=tokens,
        keys=tokens,
        weights=shares[:, None],
        query_marks=marks,
        key_marks=marks,
        label="rollout",
        mask=mask,
        opens=(len(shares) - 1, 0),
        flow=True,
    )


def explain() -> None:
    """Say what a rollout is, and what it leaves out."""
    st.markdown(
        "**Rollout** multiplies the maps, layer by layer: where did the information in each token come from? It takes "
        "the mean of the heads, and assumes that half of each token stays where it is and half follows that mean. What "
        "the values and the feed-forward layers do to the information is left out, so it is a rough guide, no proof."
    )
    teaching.formula(r"R_l = \tfrac12\left(\w{A_l} + I\right) R_{l-1}")
