"""What a model has learned: how far it gets on texts longer than those of its training, how far its vectors moved."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions
from lab.kit.figures import display
from pages.live import data, figures
from pages.live.data import Score
from pages.live.models import LearnedModel
from transformer.training.tasks import TASKS

Scores = dict[str, tuple[Score, ...]]  # by the title of the model: from length 1 on


class Learned(NamedTuple):
    """scores: of models whose task has texts of any length. moved: by the title of each, its tables."""

    scores: Scores
    moved: dict[str, dict[str, float]]


def compute(models: tuple[LearnedModel, ...]) -> Learned:
    long = [model for model in models if TASKS[model.checkpoint.task.name].max_length]
    scores = {
        model.title: data.score_by_length(model.key, model.checkpoint, data.max_length(model.checkpoint.task))
        for model in long
    }
    return Learned(scores, {model.title: data.moved(model.key, model.checkpoint) for model in models})


def draw(models: tuple[LearnedModel, ...], learned: Learned) -> None:
    long = tuple(model for model in models if model.title in learned.scores)
    if long:
        _draw_lengths(long, learned.scores)
    else:
        *names, last = [declaration.label.lower() for declaration in TASKS.values() if declaration.max_length]
        st.markdown(f"Texts of any length: only {', '.join(names)} and {last} have them.")
    for title, tables in learned.moved.items():
        for table, share in tables.items():
            what = "token" if table == "tokens" else "position"
            st.caption(
                f"**{display.plain(title)}**: its table has one vector per {what}. They began where chance had put"
                f" them. By the last step they have moved, on average, by {share:.0%} of the length that they had at"
                " first: a table is learned like all other parameters."
            )


def _draw_lengths(models: tuple[LearnedModel, ...], scores: Scores) -> None:
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
            f"Trained on texts of {shortest} to {longest} letters (shaded), tested on texts of up to {far}: at most 40 "
            "of each length, none of which it has seen. It writes by itself, each token built on its own previous "
            "output. This was measured just now: train **Copy** above with **sinusoidal | ALiBi** and compare.\n\n"
            + "\n".join(f"- {display.plain(title)}: positions **{scheme}**" for title, scheme in schemes.items())
        )
        if "learned" in schemes.values():
            st.markdown(
                f"A **learned** table has one row for each position up to {longest + 2}: beyond that there is nothing "
                "to look up, and the curve ends."
            )
        errors = {s.error for some in scores.values() for s in some if not s.n and s.length > longest}
        display.notice(*sorted(errors)[:1])
    beyond, positions = st.columns([1, 1], gap="large")
    with beyond:
        _ask_beyond()
    with positions:
        _ask_about_positions()


def _ask_beyond() -> None:
    questions.ask("live-longer", try_it={"live_learned": "true", "live_film": "Reverse, recorded"})


def _ask_about_positions() -> None:
    questions.ask("live-positions", try_it={"live_compare": "positions off | on"})
