"""The tables of vectors, from the first step of a training to the last."""

import streamlit as st

from pages.live import data, figures
from pages.live.data import Drift
from pages.live.models import LearnedModel, models
from pages.shared import display, teaching
from pages.shared.teaching import Answer
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
        display.notice("The tables of this model are too large to keep at every step. Train one with fewer tokens.")
    _ask_back()


def _ask_back() -> None:
    teaching.check(
        "After a training on stories, the dots of names lie close together. What has brought them there?",
        Answer(
            "They are used in the same places of a story",
            "So their gradients push them the same way. Words that can take one another’s place get similar vectors.",
            right=True,
        ),
        Answer(
            "They are spelled alike",
            "The model never sees a letter of a word. It sees an id, and the ids of two names have nothing in common.",
        ),
        Answer(
            "Somebody told it which words are names",
            "The colours were added for you, afterwards. Training only ever said which token comes next.",
        ),
        Answer(
            "They began there",
            "Follow the thin lines back: chance had scattered them.",
        ),
        key="live-vectors",
        try_it={"live_below": "Vectors", "live_film": "Short stories, recorded"},
    )


def _explain(title: str, table: str, drift: Drift) -> None:
    dots = "token that it reads" if table == "tokens" else "position, from the first on"
    st.markdown(
        f"**{display.plain(title)}**: one dot for the vector of every {dots}. They begin where chance has put them, "
        "and the gradient moves them like all other parameters; the thin lines lead from the first step to the one "
        "shown. A row gets a gradient when its token is read; in a table that also writes the output, at every step."
        + (
            " The colours are kinds of words. We sorted them; the model was never told, and finds the kinds by how "
            "the words are used."
            if len(set(drift.kinds) - {""}) > 1
            else ""
        )
    )
    st.caption(
        f"{drift.steps[0]:,} to {drift.steps[-1]:,} steps, on the plane that keeps most of the spread of the last "
        "table. "
        + (
            "A stored model keeps only its first and last table; train one to see those in between."
            if len(drift.steps) == 2
            else "The slider needs no server."
        )
    )


VIEW = View("Vectors", ask, compute, draw, asks="How do the vectors of the tokens move while it learns?")
