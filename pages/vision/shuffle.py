"""Shuffle the patches: what that does to a model that knows positions, and to one that was trained without."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.shared import display, settings, teaching
from pages.shared.teaching import Answer, check
from pages.shared.view import View
from pages.vision import data, figures, subject
from pages.vision.data import Picture
from transformer.training.tasks import shapes

MODELS = {"shapes": "with positions", "shapes-no-positions": "without positions"}
MOVED = (0, 2, 4, 8, 16, 36)
ROUNDING = 1e-4


class Settings(NamedTuple):
    picture: Picture
    n_moved: int
    seed: int


def ask() -> Settings | None:
    with settings.place_named("row"):
        picture = subject.ask_picture()
        n_moved = settings.choose(
            st.select_slider, "Patches that change places", "vision_moved", MOVED, MOVED[-1], width=210,
        )  # fmt: skip
        seed = settings.choose(st.select_slider, "Order", "vision_order", range(1, 11), 1, width=130)
    return Settings(picture, n_moved, seed) if picture else None


def compute(s: Settings) -> data.Shuffled:
    return data.shuffled(tuple(MODELS), s.picture, s.n_moved, s.seed)


def draw(s: Settings, result: data.Shuffled) -> None:
    known = data.facts(data.Reader("shapes"))
    images, bars = st.columns([3, 8], gap="medium", vertical_alignment="center")
    before = data.look(data.Reader("shapes"), s.picture).pixels
    with images:
        display.figure(
            figures.pictures([before, result.pixels], ["as it is", "shuffled"]),
            key="vision_pictures",
            alt=f"The picture as it is, and with {s.n_moved} of its 36 patches elsewhere.",
        )
    shares = {MODELS[name]: pair for name, pair in result.shares.items()}
    with bars:
        display.figure(
            figures.answers(known.questions, shares),
            key="vision_answers",
            alt=" ".join(_told(title, *pair) for title, pair in shares.items()),
        )
    moved, kept = (result.changes[name] for name in MODELS)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(
            f"**Without positions, a picture is a bag of patches.** Shuffling them changes nothing: no logit moves by "
            f"more than {_small(kept)}, which is rounding. With positions, the same shuffle moves a logit by "
            f"**{moved:.1f}**. Only what needs the order is lost; a colour is a colour anywhere."
            if s.n_moved
            else "**Nothing has moved yet.** Let some patches change places and see which answers follow."
        )
        _check()
    with right:
        _accuracy()


def _told(title: str, before: tuple[np.ndarray, ...], after: tuple[np.ndarray, ...]) -> str:
    """What a model answers before and after, in words."""
    parts = [
        f"{question} {options[b.argmax()]} ({b.max():.0%}), shuffled {options[a.argmax()]} ({a.max():.0%})"
        for (question, options), b, a in zip(shapes.QUESTIONS.items(), before, after, strict=True)
    ]
    return f"The model {title}: {'; '.join(parts)}."


def _small(x: float) -> str:
    return "0" if x == 0 else f"{x:.0e}"


def _accuracy() -> None:
    cards = {title: data.card(name) for name, title in MODELS.items()}
    questions = list(shapes.QUESTIONS)
    shares = {}
    for title, card in cards.items():
        shares[f"{title}, as they are"] = [float(card[f"{q} right"]) for q in questions]
        shares[f"{title}, shuffled"] = [float(card[f"{q} right, patches shuffled"]) for q in questions]
    n = cards["with positions"]["fresh pictures"]
    st.markdown(f"**How often they are right**, on {n:,} fresh pictures, measured after training")
    display.figure(
        figures.accuracy(questions, shares, 0.25),
        key="vision_accuracy",
        alt=". ".join(
            f"{name}: " + ", ".join(f"{q} {v:.0%}" for q, v in zip(questions, values, strict=True))
            for name, values in shares.items()
        ),
    )
    st.caption(
        "`python -m transformer.training shapes shapes-no-positions` trains and measures both again. Shuffled means "
        "that all patches are in a random order; the dotted line is guessing."
    )
    teaching.code_expander("transformer/images.py", "reordered")


def _check() -> None:
    check(
        "The model without positions never sees where a patch stands. Which question can it not answer better than by "
        "guessing?",
        Answer(
            "Where the things are",
            "No patch says where it stands, and the order says nothing to this model. All that is left is the content.",
            right=True,
        ),
        Answer(
            "Which colour they have",
            "One patch is enough for that, wherever it stands.",
        ),
        Answer(
            "How many there are",
            "It has a clue: more things leave more patches with an edge in them. Look at its accuracy.",
        ),
        key="vision-order",
    )


VIEW = View("Shuffle the patches", ask, compute, draw, height=380)
