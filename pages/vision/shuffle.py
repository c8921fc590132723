"""Patches in another order: what that does to a model that knows positions, and to one that was trained without."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, teaching
from lab.kit.figures import display
from lab.kit.words import at_most
from pages.vision import data
from pages.vision.components.patch_shuffle import Question, pack, patch_shuffle
from pages.vision.data import Picture
from transformer.training.tasks import shapes

MODELS = {"shapes": "with positions", "shapes-no-positions": "without positions"}


class Settings(NamedTuple):
    """n_moved: patches that change places, of all that our two models read."""

    picture: Picture
    n_moved: int
    seed: int


def compute(s: Settings) -> data.Shuffled:
    return data.shuffled(tuple(MODELS), s.picture, s.n_moved, s.seed)


def draw(s: Settings, result: data.Shuffled) -> None:
    """Both pictures, and what our two models answer to them."""
    before = data.look(data.Reader("shapes"), s.picture).pixels
    models = {MODELS[name]: _questions(pair, s.picture.answers) for name, pair in result.shares.items()}
    patch_shuffle(pack(before, result.pixels, models), key="vision_shuffle")
    moved, kept = (result.changes[name] for name in MODELS)
    with display.prose():
        st.markdown(
            "**Without positions, a picture is a bag of patches.** Here two small models read it, one with positions "
            "and one trained without. Shuffling the patches moves the logits of the second by "
            f"{at_most(kept)}, those of the first by up to **{moved:.1f}**."
        )
        st.markdown(
            "Much survives even in the bag. A colour is a colour anywhere, and the edges inside a patch tell a cross "
            "from a circle. What suffers is the place."
        )
        _check()
        _accuracy()


def _questions(pair: tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]], right: tuple[int, ...]) -> list[Question]:
    """The questions with what a model answers before and after."""
    return [
        Question(question, options, tuple(b.tolist()), tuple(a.tolist()), right[n] if right else None)
        for n, ((question, options), b, a) in enumerate(zip(shapes.QUESTIONS.items(), *pair, strict=True))
    ]


def _accuracy() -> None:
    cards = [data.card(name) for name in MODELS]
    n = cards[0]["fresh pictures"]
    st.markdown(f"**How often they are right**, on {n:,} fresh pictures, measured after training")
    lines = [f"| model | {' | '.join(shapes.QUESTIONS)} |", "|---|" + "--:|" * len(shapes.QUESTIONS)]
    for title, card in zip(MODELS.values(), cards, strict=True):
        for condition, ending in (("", ""), (", patches shuffled", ", shuffled")):
            cells = [f"{card[f'{question} right{condition}']:.1%}" for question in shapes.QUESTIONS]
            lines.append(f"| {title}{ending} | {' | '.join(cells)} |")
    with st.container(key="figure-vision-accuracy"):
        st.markdown("\n".join(lines))
    st.markdown(
        "Guessing is right 25% of the time. The model without positions does somewhat better at the place, above all "
        "where four large things fill the picture: there is little room for them, and how the patches cut them is a "
        "clue."
    )
    st.caption(
        "`python -m transformer.training shapes shapes-no-positions` trains and measures both again. For the table, "
        "all patches of each picture were put into a random order."
    )
    teaching.code_expander("transformer/core/images.py", "reordered")


def _check() -> None:
    questions.ask("vision-order")
