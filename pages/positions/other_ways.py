"""The other ways to tell a model the positions: all side by side, or one at a time in the same place."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import settings
from lab.kit.figures.compare_figures import Numbers
from lab.kit.view import Comparison, View, places
from pages.positions import alibi, learned, rotary, side_by_side, t5
from pages.positions.controls import Scheme

SCHEMES: dict[str, Scheme[Any, Any]] = {
    one.name: one for one in (side_by_side.SCHEME, learned.SCHEME, rotary.SCHEME, t5.SCHEME, alibi.SCHEME)
}


class Settings(NamedTuple):
    """scheme: what is shown; own: its settings."""

    scheme: str
    own: Any


def layout() -> Mapping[str, Any]:
    return {"picture": st.container()}


def ask() -> Settings | None:
    asked = st.session_state.get("pos_scheme") or st.query_params.get("pos_scheme")
    if asked in (None, side_by_side.SCHEME.name):  # the figure itself has the doors to the others
        return Settings(side_by_side.SCHEME.name, side_by_side.SCHEME.ask())
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
    return Settings(name, SCHEMES[name].ask())


def compute(s: Settings) -> Any:
    return SCHEMES[s.scheme].compute(s.own)


def draw(s: Settings, result: Any) -> None:
    with places()["picture"]:
        SCHEMES[s.scheme].draw(s.own, result)


def _numbers(s: Settings, result: Any) -> Numbers | None:
    return SCHEMES[s.scheme].numbers(s.own, result)


VIEW = View(ask, compute, draw, layout=layout, comparison=Comparison(lambda s: SCHEMES[s.scheme].title, _numbers))
