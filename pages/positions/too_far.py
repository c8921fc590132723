"""What each scheme gives a model past the training length."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.positions import data, figures
from pages.positions.controls import MAX_DISTANCES, picture_and_words, row
from pages.shared import display, settings, teaching
from pages.shared.view import View

if TYPE_CHECKING:
    from transformer.inspection.positions import Extrapolation


class Settings(NamedTuple):
    trained: int
    times: int
    max_distance: int

    @property
    def length(self) -> int:
        return self.trained * self.times


def ask() -> Settings:
    with row(3):
        trained = settings.choose(
            st.select_slider, "Training length", "pos_trained", (8, 16, 32, 64, 128), 64,
            help="The longest text in training.",
        )  # fmt: skip
        times = settings.choose(st.select_slider, "Times longer", "pos_times", (2, 3, 4, 6, 8), 3)
        max_distance = settings.choose(st.select_slider, "T5: max distance", "pos_max_distance", MAX_DISTANCES, 128)
    return Settings(trained, times, max_distance)


def compute(s: Settings) -> "Extrapolation":
    return data.extrapolation(s.trained, s.length, s.max_distance)


def draw(s: Settings, result: "Extrapolation") -> None:
    picture, side = picture_and_words()
    with picture:
        display.figure(
            figures.extrapolation(
                s.trained,
                [
                    ("<b>sinusoidal</b>: the slowest sine", "position", result.sinusoidal),
                    ("<b>learned</b>: feature 0 of the row", "position", result.learned),
                    ("<b>rotary</b>: angle of the slowest pair", "position", result.rotary),
                    ("<b>T5 relative</b>: bucket of a key behind", "distance", result.relative),
                    ("<b>ALiBi</b>: bias of head 0", "distance", result.alibi),
                ],
            ),
            key="pos_beyond",
            alt=f"Five curves to {s.length}, with training up to {s.trained}: sinusoidal, rotary and ALiBi go on;"
            f" learned ends at {s.trained}; T5 stays in its last bucket from {result.saturates} on.",
        )
    with side:
        st.markdown(
            f"Training saw positions 0 to {s.trained - 1}. The grey part is new.\n\n"
            "- **Sinusoidal, rotary, ALiBi** go on: their formula takes any position.\n"
            f"- **Learned** has no row {s.trained}. It stops with an error.\n"
            f"- **T5** stays in its last bucket (distances that share a number) from distance {result.saturates} on:"
            " further is all the same to it."
            + (f" {result.unseen} of its buckets were never trained." if result.unseen else "")
        )
        st.code(result.message, language=None, wrap_lines=True)
        st.caption(
            "This is what the model is *given*, and it is exact. Whether a trained model still *understands* it is"
            " measured on a later page: sinusoidal codes go on, and yet models that use them often fail there."
        )
        teaching.check(
            "A formula that goes on for ever: does it make a model that works on any length?",
            ["Yes", "No: the model may never have learned what to do there", "Only for even lengths"],
            1,
            "The slow waves take values there that no training text had. That has to be measured, not assumed.",
            key="pos-far",
        )
        teaching.code_expander("transformer/inspection/positions.py", "extrapolate")


VIEW = View("Too far", ask, compute, draw, question="What happens past the training length?")
