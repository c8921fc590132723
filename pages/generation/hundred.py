"""A hundred whole texts, in a fold below the ladder: how far is each right, and what does the temperature change?"""

from hashlib import blake2b
from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.components import sent
from lab.kit.figures import display
from lab.kit.words import brief
from pages.generation import data
from pages.generation.components.story_wall import Line, Wall, payload, story_wall
from pages.generation.data import Hundred
from pages.generation.text import Writing
from pages.generation.writers import trained

TEMPERATURES = (0.1, 0.3, 0.5, 0.7, 1.0, 1.3, 1.6, 2.0, 3.0)
USUAL = 1.0
OPEN, TEMPERATURE = "gen_hundred", "gen_left"  # in links: whether the fold is open, and the temperature
WALL = "gen-wall"


class Settings(NamedTuple):
    """temperature: at which the page opens; the wall has a slider for it, and asks for the others."""

    writing: Writing
    temperature: float


def ask(writing: Writing) -> Settings:
    asked = st.query_params.get(TEMPERATURE, str(USUAL))
    found = next((t for t in TEMPERATURES if str(t) == asked or str(t) == f"{asked}.0"), None)
    if found is None:
        settings.notify(f"No texts are drawn at a temperature of {brief(asked)}, so you see those at {USUAL:g}.")
    return Settings(writing, found or USUAL)


def compute(s: Settings) -> Hundred:
    return data.hundred(s.writing.ref, s.writing.given, s.temperature)


def draw(s: Settings, result: Hundred) -> None:
    _wall(s, result)
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


@st.fragment
def _wall(s: Settings, first: Hundred) -> None:
    """The texts at the temperature that the wall has asked for last, or those that the page opens with.

    The page around it does not run again, so that a temperature that is dragged is answered at once.
    """
    ref, given, _ = s.writing[:3]
    of = blake2b(repr((ref, given)).encode(), digest_size=8).hexdigest()  # the same on every server
    asked = sent(WALL, "asked", dict) or {}
    temperature, result = s.temperature, first
    if asked.get("of") == of and asked.get("temperature") in TEMPERATURES:
        temperature = asked["temperature"]
        result = data.hundred(ref, given, temperature)
    counts = ", ".join(f"{n} {fate}" for fate, n in result.counts.items())
    is_graded = trained(ref).task.right_beginning is not None
    wall = Wall(_lines(result, is_graded=is_graded), temperature, counts, result.n_different, is_graded)
    story_wall(payload(wall, of, TEMPERATURES, s.temperature), key=WALL)


def _lines(result: Hundred, *, is_graded: bool) -> list[Line]:
    """Every text, parted where it goes wrong."""
    lines = []
    for text, fate, right in zip(result.texts, result.fates, result.right, strict=True):
        kept = right if is_graded and fate != data.RIGHT and text.startswith(right) else text
        rest = text[len(kept) :] or ("⟨end⟩" if fate == data.WRONG else "")
        lines.append(Line(kept, rest, fate))
    return lines
