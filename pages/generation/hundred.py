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
SHOWN = 160  # letters of each


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
        task = trained(s.writing.ref).task
        st.markdown(
            "Each brick is one whole text, drawn token by token from the same beginning until it ends"
            f" ({data.MAX_DRAWN} tokens at most). A sign stands for one that goes wrong (✕) or does not end (…). "
            + (
                "It is **right** if the grammar of the stories allows exactly this text: every name, pronoun, thing "
                "and place fits what came before. "
                if task.is_right
                else "Nobody can say which texts of this kind are right, so only their ends are counted. "
            )
            + ("The first wrong word is **bold**. " if task.right_beginning else "")
            + "Both sides use the same random numbers."
        )
        teaching.code_expander("transformer/generation/batch.py", "sample_batch", icon=None)
        questions.ask("generation-cold", try_it={"gen_hundred": True, "gen_left": 0.1})


def _examples(result: Hundred) -> str:
    """The first different texts of each fate, in Markdown."""
    lines = []
    for fate in result.counts:
        rows = zip(result.texts, result.fates, result.right, strict=True)
        texts = {text: right for text, f, right in rows if f == fate}
        lines += [f"- {fate}: {_marked(text, right)}" for text, right in list(texts.items())[:MAX_SHOWN]]
    return "\n\n" + "\n".join(lines)


def _marked(text: str, right: str) -> str:
    """A text in Markdown; of a wrong one, the end of what is right and the first wrong word in bold."""
    if not right or not text.startswith(right):
        return f"*{display.plain(shorten(text, SHOWN)) or '…'}*"
    wrong = (text[len(right) :].split() or ["⟨end⟩"])[0]
    kept = right if len(right) <= SHOWN else "…" + right[-SHOWN:]
    return f"*{display.plain(kept)}* **{display.plain(wrong)}**"
