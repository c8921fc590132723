"""What each scheme gives a model past the training length. A fold of the other ways."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from pages.positions import data, figures
from transformer import inspection

MAX_DISTANCE = 128  # of T5's buckets


class Settings(NamedTuple):
    trained: int
    times: int

    @property
    def length(self) -> int:
        return self.trained * self.times


class Result(NamedTuple):
    given: "inspection.extrapolation.Extrapolation"
    lanes: list[figures.Lane]


def ask() -> Settings:
    with settings.place(st.container, horizontal=True, vertical_alignment="bottom"):
        trained = settings.choose(
            st.select_slider,
            "Training length",
            "pos_trained",
            (8, 16, 32, 64, 128),
            64,
            width=240,
            help="The longest text in training.",
        )
        times = settings.choose(st.select_slider, "Times longer", "pos_times", (2, 3, 4, 6, 8), 3, width=240)
    return Settings(trained, times)


def compute(s: Settings) -> Result:
    given = data.extrapolation(s.trained, s.length, MAX_DISTANCE)
    lanes = [
        figures.Lane("sinusoidal", "its slowest sine", "position", given.sinusoidal),
        figures.Lane("learned", "feature 0 of the row", "position", given.learned),
        figures.Lane("rotary", "its slowest angle", "position", given.rotary),
        figures.Lane("T5 relative", "its bucket", "distance", given.relative),
        figures.Lane("ALiBi", "bias of head 0", "distance", given.alibi),
    ]
    return Result(given, lanes)


def draw(s: Settings, result: Result) -> None:
    _draw_lanes(s, result)
    with display.prose():
        _describe(s, result)


def _draw_lanes(s: Settings, result: Result) -> None:
    new = "; ".join(f"{lane.name}: {lane.verdict(s.trained)}" for lane in result.lanes)
    display.figure(
        figures.extrapolation(s.trained, result.lanes),
        key="pos_beyond",
        alt=f"Five curves to {s.length}, with training up to {s.trained}, and how much of each lies past what training"
        f" has shown: {new}.",
    )


def _describe(s: Settings, result: Result) -> None:
    given = result.given
    st.markdown(
        f"Training saw positions 0 to {s.trained - 1}: the band in each lane holds every value it met there. **Thick"
        " lines lie outside that band.**\n\n"
        "- **Sinusoidal, rotary and ALiBi** go on, since their formulas take any position, but to values that the model"
        " has never met. Rotary angles can be brought back: see Other ways, rotary, Longer texts.\n"
        f"- **Learned** has no row {s.trained}: it stops with an error.\n"
        f"- **T5** puts every distance from distance {given.saturates} on into one bucket: beyond that, it cannot tell"
        " distances apart." + (f" {given.unseen} of its buckets were never trained." if given.unseen else "")
    )
    st.markdown(f"Its own words: “{display.plain(given.message)}.”")
    st.caption(
        "This is what the model is *given*, and it is exact. Whether a trained model still *understands* it is measured"
        " on the page Live, under Longer texts: sinusoidal codes go on, and yet models that use them often fail."
    )
    questions.ask("positions-far")
    teaching.code_expander("transformer/inspection/extrapolation.py", "extrapolate")
