"""A hundred whole texts at one temperature, in a fold below the ladder: how far is each of them right?"""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from pages.generation import data
from pages.generation.components.story_wall import Line, payload, story_wall
from pages.generation.data import Hundred
from pages.generation.text import Writing
from pages.generation.writers import trained

TEMPERATURES = (0.1, 0.3, 0.5, 0.7, 1.0, 1.3, 1.6, 2.0, 3.0)
OPEN = "gen_hundred"  # in links: whether the fold is open


class Settings(NamedTuple):
    writing: Writing
    temperature: float


def ask(writing: Writing) -> Settings:
    temperature = settings.choose(
        st.select_slider, "Temperature of all texts", "gen_left", TEMPERATURES, 1.0, width=420
    )
    return Settings(writing, temperature)


def compute(s: Settings) -> Hundred:
    return data.hundred(s.writing.ref, s.writing.given, s.temperature)


def draw(s: Settings, result: Hundred) -> None:
    counts = ", ".join(f"{n} {fate}" for fate, n in result.counts.items())
    is_graded = trained(s.writing.ref).task.right_beginning is not None
    said = f"{counts}; {result.n_different} different texts"
    story_wall(payload(_lines(result, is_graded=is_graded), s.temperature, said, is_graded=is_graded), key="gen-wall")
    with display.prose():
        task = trained(s.writing.ref).task
        st.markdown(
            "Each line is one whole text, drawn token by token from the same beginning until it ends"
            f" ({data.MAX_DRAWN} tokens at most). "
            + (
                "It is **right** if the grammar of the stories allows exactly this text: every name, pronoun, thing "
                "and place fits what came before. "
                if task.is_right
                else "Nobody can say which texts of this kind are right, so only their ends are counted. "
            )
            + ("The first wrong word is **bold**. " if task.right_beginning else "")
            + "The random numbers are the same at every temperature."
        )
        teaching.code_expander("transformer/generation/batch.py", "sample_batch", icon=None)
        questions.ask("generation-cold", try_it={"gen_hundred": True, "gen_left": 0.1})


def _lines(result: Hundred, *, is_graded: bool) -> list[Line]:
    """Every text, parted where it goes wrong."""
    lines = []
    for text, fate, right in zip(result.texts, result.fates, result.right, strict=True):
        kept = right if is_graded and fate != data.RIGHT and text.startswith(right) else text
        rest = text[len(kept) :] or ("⟨end⟩" if fate == data.WRONG else "")
        lines.append(Line(kept, rest, fate))
    return lines
