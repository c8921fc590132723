"""The lesson that all views of this page share, its trainings, and words on them."""

from typing import NamedTuple

import streamlit as st

from lab.kit import settings
from lab.kit.controls.hyperparameters import SEED
from lab.kit.words import listed
from pages.finetuning import data
from transformer import training
from transformer.training.ways import LORA, STORED_RANKS, WAYS, Lesson

RANKS = (*STORED_RANKS, 16, 32)
FACTORS = (1, 2, 4, 8)  # alpha / r
EXAMPLES = (30, 100, 300, 1000)
USUAL = Lesson()
COMMAND = "python -m transformer.training.finetuning"


class Taught(NamedTuple):
    """A lesson as its controls say it; factor: alpha / r."""

    n_examples: int
    rank: int
    factor: int
    seed: int

    @property
    def lesson(self) -> Lesson:
        return Lesson(n_examples=self.n_examples, rank=self.rank, alpha=float(self.factor * self.rank), seed=self.seed)


def ask_taught() -> Taught:
    """The lesson, folded into one quiet line."""
    with settings.line():
        n_examples = settings.choose(
            st.select_slider,
            "Dialogues to learn from",
            "fine_examples",
            EXAMPLES,
            USUAL.n_examples,
            chip="{} dialogues",
            help="How many different dialogues it sees, again and again. Another number trains all five ways anew.",
        )
        rank = settings.choose(
            st.select_slider,
            "LoRA: rank r",
            "fine_rank",
            RANKS,
            USUAL.rank,
            chip="LoRA of rank {}",
            help="The rank of the update that LoRA learns for each matrix.",
        )
        factor = settings.choose(
            st.select_slider,
            "LoRA: α / r",
            "fine_factor",
            FACTORS,
            round(USUAL.alpha / USUAL.rank),
            help="By how much the update is multiplied before it is added.",
        )
        seed = SEED.ask("fine_seed", options=range(5), chip="")
    return Taught(n_examples, rank, factor, seed)


def trained(taught: Taught, ways: tuple[str, ...] = WAYS) -> "dict[str, training.finetuning.Tuned]":
    """The trainings of these ways: stored ones, and the others carried out now, with a bar that says how far it is."""
    missing = [way for way in ways if not data.is_stored(way, taught.lesson)]
    place = st.empty()
    result = {}
    for way in ways:

        def report(share: float, way: str = way) -> None:
            words = f"Training {missing.index(way) + 1} of {len(missing)}: {way}. Any press ends it."
            place.progress(share, words)

        result[way] = data.tuned(way, taught.lesson.of(way), report)
    place.empty()
    return result


def origin(tuned: "dict[str, training.finetuning.Tuned]") -> str:
    """Where these numbers come from, in a sentence or two."""
    stored = [way for way, one in tuned.items() if data.is_stored(way, one.lesson)]
    here = [way for way in tuned if way not in stored]
    if not here:
        return f"Trained when this project was made; `{COMMAND}` does it again."
    if not stored:
        return "Trained just now, on this machine."
    return f"{_and(here)}: trained just now, on this machine. The others come with the project: `{COMMAND}`."


def _and(ways: list[str]) -> str:
    words = [way if way == LORA else way.capitalize() if n == 0 else way for n, way in enumerate(ways)]
    return listed(words)
