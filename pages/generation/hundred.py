"""A hundred whole texts, drawn at two temperatures, in a fold below the ladder: how many end, how many are right."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.words import shorten
from pages.generation import data, figures
from pages.generation.data import Hundred
from pages.generation.text import Writing
from pages.generation.writers import trained

TEMPERATURES = (0.1, 0.3, 0.5, 0.7, 1.0, 1.3, 1.6, 2.0, 3.0)
OPEN = "gen_hundred"  # in links: whether the fold is open
MAX_SHOWN = 3  # texts of each kind


class Settings(NamedTuple):
    writing: Writing
    temperatures: tuple[float, float]


def ask(writing: Writing) -> Settings:
    with settings.place(st.container, horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("temperatures", width="content")
        low, high = (
            settings.choose(
                st.select_slider, label, key, TEMPERATURES, default, label_visibility="collapsed", width=110
            )
            for label, key, default in (
                ("Temperature on the left", "gen_left", 0.5),
                ("Temperature on the right", "gen_right", 2.0),
            )
        )
    return Settings(writing, (low, high))


def compute(s: Settings) -> tuple[Hundred, Hundred]:
    left, right = (data.hundred(s.writing.ref, s.writing.given, temperature) for temperature in s.temperatures)
    return left, right


def draw(s: Settings, results: tuple[Hundred, Hundred]) -> None:
    names = [f"temperature {temperature}" for temperature in s.temperatures]
    display.figure(
        figures.hundreds([(name, r.fates, r.texts, r.n_different) for name, r in zip(names, results, strict=True)]),
        key="gen-hundred",
        alt="; ".join(
            f"{name}: {', '.join(f'{n} {fate}' for fate, n in r.counts.items())}, {r.n_different} different"
            for name, r in zip(names, results, strict=True)
        ),
    )
    columns = st.columns(2, gap="large")
    for column, name, result in zip(columns, names, results, strict=True):
        with column:
            counts = " · ".join(f"{n} {fate}" for fate, n in result.counts.items())
            st.markdown(f"**{name}**: {counts}" + _examples(result))
    with display.prose():
        graded = trained(s.writing.ref).task.is_right is not None
        st.markdown(
            "Each brick is one whole text, drawn token by token from the same beginning until it ends"
            f" ({data.MAX_DRAWN} tokens at most). A sign stands for one that goes wrong (✕) or does not end (…). "
            + (
                "It is **right** if the grammar of the stories allows exactly this text: every name, pronoun, thing "
                "and place fits what came before. "
                if graded
                else "Nobody can say which texts of this kind are right, so only their ends are counted. "
            )
            + "Both sides use the same random numbers."
        )
        teaching.code_expander("transformer/generation/batch.py", "sample_batch", icon=None)
        questions.ask("generation-cold", try_it={"gen_hundred": True, "gen_left": 0.1})


def _examples(result: Hundred) -> str:
    """The first different texts of each fate, in Markdown."""
    lines = []
    for fate in result.counts:
        texts = dict.fromkeys(t for t, f in zip(result.texts, result.fates, strict=True) if f == fate)
        lines += [f"- {fate}: *{display.plain(shorten(t, 160)) or '…'}*" for t in list(texts)[:MAX_SHOWN]]
    return "\n\n" + "\n".join(lines)
