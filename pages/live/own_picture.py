"""A picture of the visitor's own that is watched while a model of pictures learns: chosen by its answers, or drawn."""

import streamlit as st

from lab.kit import settings
from pages.live.components.sketch import sketch, sketched
from transformer.training.tasks.shapes import QUESTIONS

NONE, CHOSEN, DRAWN = "none", "chosen", "drawn"
DEFAULTS = {"shape": "square", "colour": "yellow", "count": "four", "place": "lower left"}
_DRAWING = "live_drawing"  # in links


def ask() -> str:
    """What the model is asked, as transformer/training/tasks/pictures.py reads it; "" for no picture."""
    with st.popover("Your picture", icon=":material/image:"):
        how = settings.choose(
            st.segmented_control,
            "Your own picture",
            "live_picture",
            (NONE, CHOSEN, DRAWN),
            NONE,
            help="It is shown as one more example while the model trains.",
        )
        if how == CHOSEN:
            return _chosen()
        if how == DRAWN:
            code = sketched("live_sketch", _DRAWING)
            sketch(code, key="live_sketch", link=_DRAWING)
            return code
    return ""


def _chosen() -> str:
    answers = [
        settings.choose(
            st.segmented_control, question.capitalize(), f"live_{question}", options, DEFAULTS[question], chip=""
        )
        for question, options in QUESTIONS.items()
    ]
    seed = settings.choose(
        st.select_slider,
        "Arrangement",
        "live_arrangement",
        range(1, 21),
        1,
        help="The same things, put down elsewhere in the same quarter.",
    )
    return ", ".join([*answers, str(seed)])
