"""Texts that are longer than those of the training: how far does a model get?"""

import streamlit as st

from pages.live import data, figures
from pages.live.data import Score
from pages.live.models import LearnedModel, models
from pages.shared import display, settings
from pages.shared.view import View
from transformer.training.tasks import TASKS

Scores = dict[str, tuple[Score, ...]]  # by the title of the model: from length 1 on


def ask() -> tuple[LearnedModel, ...] | None:
    found = tuple(model for model in models() if TASKS[model.checkpoint.task.name].max_length)
    if not found:
        *names, last = [declaration.label.lower() for declaration in TASKS.values() if declaration.max_length]
        settings.notify(
            f"Only {', '.join(names)} and {last} have texts of any length. Train one of them, or pick a film of one."
        )
        return None
    return found


def compute(models: tuple[LearnedModel, ...]) -> Scores:
    longest = data.max_length(models[0].checkpoint.task)
    return {model.title: data.score_by_length(model.key, model.checkpoint, longest) for model in models}


def draw(models: tuple[LearnedModel, ...], scores: Scores) -> None:
    task = models[0].checkpoint.task
    shortest, longest, far = task.settings["shortest"], task.settings["longest"], data.max_length(task)
    figure, thread = st.columns([3, 2], gap="large")
    with figure:
        rows = {title: [(s.length, s.tokens, s.exact) for s in some if s.n] for title, some in scores.items()}
        display.figure(
            figures.by_length(rows, shortest, longest),
            key="live_lengths",
            alt="; ".join(
                f"{title}: " + ", ".join(f"{length} letters {exact:.0%}" for length, _, exact in some)
                for title, some in rows.items()
            ),
        )
    with thread:
        schemes = {model.title: model.checkpoint.config.positions for model in models}
        st.markdown(
            f"Trained on texts of {shortest} to {longest} letters (shaded), asked about texts of up to {far}: at most "
            "40 of each length that it never saw, each new token built on its own previous output. This is measured "
            "here and now: train **Copy** with **sinusoidal | ALiBi** above and compare.\n\n"
            + "\n".join(f"- {display.plain(title)}: positions **{scheme}**" for title, scheme in schemes.items())
        )
        if "learned" in schemes.values():
            st.markdown(
                f"A **learned** table has a row for each place up to {longest + 2} and no other: "
                "past them there is nothing to look up, and the curve ends."
            )
        errors = {s.error for some in scores.values() for s in some if not s.n and s.length > longest}
        display.notice(*sorted(errors)[:1])


VIEW = View("Longer texts", ask, compute, draw)
