"""The other ways to tell a model the positions: all side by side, or one at a time in the same place."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import settings
from lab.kit.figures.compare_figures import Numbers
from lab.kit.view import Comparison, View, places
from pages.positions import alibi, learned, rotary, side_by_side, t5, too_far
from pages.positions.controls import Scheme

SCHEMES: dict[str, Scheme[Any, Any]] = {
    one.name: one for one in (side_by_side.SCHEME, learned.SCHEME, rotary.SCHEME, t5.SCHEME, alibi.SCHEME)
}
FAR_OPEN = "pos_far"  # the key of the fold on texts longer than in training


class Settings(NamedTuple):
    """scheme: what is shown; own: its settings; far: what the fold is set to, None while it is closed."""

    scheme: str
    own: Any
    far: too_far.Settings | None


class Result(NamedTuple):
    own: Any
    far: too_far.Result | None


def layout() -> Mapping[str, Any]:
    fold = "What does each give past its training length?"
    return {"picture": st.container(), "far": st.expander(fold, key=FAR_OPEN, bind="query-params")}


def ask() -> Settings | None:
    with settings.place_named("row"):
        name = settings.choose(
            st.segmented_control,
            "Scheme",
            "pos_scheme",
            tuple(SCHEMES),
            side_by_side.SCHEME.name,
            common=True,
            label_visibility="collapsed",
            wrap=True,
        )
    own, far = SCHEMES[name].ask(), None
    if st.session_state.get(FAR_OPEN):
        with settings.place_named("far"):
            far = too_far.ask()
    return Settings(name, own, far)


def compute(s: Settings) -> Result:
    return Result(SCHEMES[s.scheme].compute(s.own), too_far.compute(s.far) if s.far else None)


def draw(s: Settings, result: Result) -> None:
    with places()["picture"]:
        SCHEMES[s.scheme].draw(s.own, result.own)
    if s.far and result.far:
        with places()["far"]:
            too_far.draw(s.far, result.far)


def _numbers(s: Settings, result: Result) -> Numbers | None:
    return SCHEMES[s.scheme].numbers(s.own, result.own)


VIEW = View(ask, compute, draw, layout=layout, comparison=Comparison(lambda s: SCHEMES[s.scheme].title, _numbers))
