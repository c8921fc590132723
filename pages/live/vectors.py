"""The tables of vectors, from the first step of a training to the last."""

import streamlit as st

from pages.live import data, figures
from pages.live.data import Drift
from pages.live.models import LearnedModel, models
from pages.shared import display
from pages.shared.view import View


def ask() -> tuple[LearnedModel, ...]:
    return tuple(models())


def compute(models: tuple[LearnedModel, ...]) -> list[dict[str, Drift]]:
    """By model: the paths of its tables, by name."""
    return [data.drifts(model.key, model.checkpoint, model.snapshots) for model in models]


def draw(models: tuple[LearnedModel, ...], drifts: list[dict[str, Drift]]) -> None:
    tables = [(model, *item) for model, by_table in zip(models, drifts, strict=True) for item in by_table.items()]
    for model, table, drift in tables:
        picture, words = st.columns([3, 2], gap="large")
        with picture:
            display.figure(
                figures.drift(drift.places, drift.steps, drift.names, drift.kinds),
                key=f"live_drift_{model.title}_{table}",
                alt=f"Where the {len(drift.names)} vectors of {table} are at {len(drift.steps)} steps from "
                f"{drift.steps[0]} to {drift.steps[-1]}.",
            )
        with words:
            _explain(model.title, table, drift)
    if not tables:
        display.notice("The tables of this model are too large to be kept at every step. Train one with fewer tokens.")


def _explain(title: str, table: str, drift: Drift) -> None:
    dots = "token that is read" if table == "tokens" else "place, from the first on"
    st.markdown(
        f"**{display.plain(title)}**: a dot for the vector of every {dots}. They begin where chance has put them and "
        "are moved by the same gradient as all other weights; the thin lines lead from the first step to the one "
        "shown. Only rows that were looked up have a gradient."
        + (
            " The colours are kinds of words. We sorted them; the model was never told, and finds them by how the "
            "words are used."
            if len(set(drift.kinds) - {""}) > 1
            else ""
        )
    )
    st.caption(
        f"{drift.steps[0]:,} to {drift.steps[-1]:,} steps, on the plane that keeps most of the last table's spread. "
        + (
            "Of a stored model the first and the last table are known; train one to see those between."
            if len(drift.steps) == 2
            else "The slider needs no server."
        )
    )


VIEW = View("Vectors", ask, compute, draw)
