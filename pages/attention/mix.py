"""The output of attention as a point between the values, mixed by weights that can be dragged."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.view import View
from pages.attention import data, subject, two_places
from pages.attention.components.share_bars import mix_values
from pages.attention.matrices import Matrix
from pages.attention.subject import NAMES, RANDOM, SMALL, Subject
from transformer import inspection

WORDS = ("mia", "likes", "tom")  # whose values are mixed
PLANES = {"1 and 2": (0, 1), "2 and 3": (1, 2), "3 and 4": (2, 3)}  # two features of a value


class Settings(NamedTuple):
    """The matrices whose values are mixed."""

    subject: Subject
    values: Matrix
    query: int
    plane: tuple[int, int]


def ask() -> Settings | int:
    shown_on = subject.ask((SMALL, RANDOM, NAMES))
    if shown_on is None or shown_on.matrices is None:
        with settings.place_named("row"), settings.line(key="shared"):
            return two_places.ask()
    with settings.place_named("row"), settings.line(key="mixed"):
        queries = {name: n for n, name in enumerate(shown_on.names("q"))}
        query = settings.choose(st.segmented_control, "Query", "att_query", queries, "q1", quiet=True, chip="query {}")
        plane = settings.choose(
            st.selectbox,
            "Features",
            "att_plane",
            PLANES,
            next(iter(PLANES)),
            quiet=True,
            chip="features {}",
            help="A value is 4 numbers, its features. Two of them are drawn, so that it is a point.",
        )
    return Settings(shown_on, shown_on.matrices[2], queries[query], PLANES[plane])


def compute(s: Settings | int) -> "inspection.steps.Steps | data.TwoPlacesRead":
    return data.two_places(s / 100) if isinstance(s, int) else subject.steps(s.subject)


def draw(s: Settings | int, result: "inspection.steps.Steps | data.TwoPlacesRead") -> None:
    if isinstance(s, int) or isinstance(result, data.TwoPlacesRead):
        assert isinstance(result, data.TwoPlacesRead)
        return two_places.draw(result, s if isinstance(s, int) else two_places.EVEN)
    return _show(s, result)


def _show(s: Settings, steps: "inspection.steps.Steps") -> None:
    x, y = s.plane
    mix_values(
        steps.stages["weights"][s.query].tolist(),
        [(value[x], value[y]) for value in s.values],
        (f"feature {x + 1}", f"feature {y + 1}"),
        WORDS,
        s.query,
        key="att_mix",
    )
    with display.prose():
        st.markdown(
            "Three words, with numbers small enough to draw. Each :green[**point**] is the value of one; the ring is"
            " the output, a mix of all three. The bars are the :violet[attention weights] of one query. Drag a bar or"
            " the ring, as far as it goes: the weights are never below 0 and add up to 1, so the ring cannot leave the"
            " area between the values."
        )
        teaching.formula(r"\text{output}_i = \sum_{\k{j}} \w{w_{ij}} \, \v{v_j}")
        questions.ask("attention-mix")


VIEW = View(ask, compute, draw)
