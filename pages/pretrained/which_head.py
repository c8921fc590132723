"""Which head? One picture of all heads under five lights: what goes wrong without a head, what it carries from one text
into another, what it adds to the answer, and how it does at two tasks whose answers are known. Whatever the light, the
finding, the heads and the text are in the same places, and the settings are a few words in the line of tools."""

from typing import Any, NamedTuple

import streamlit as st

from lab.kit import settings
from lab.kit.figures.compare_figures import Sheet
from lab.kit.view import Comparison, View, places
from pages.pretrained import ablation, attribution, grammar, induction, patching
from pages.pretrained.study import controls

LIGHTS = {
    light.name: light for light in (ablation.LIGHT, patching.LIGHT, attribution.LIGHT, induction.LIGHT, grammar.LIGHT)
}
LIGHT = "pretrained_head_light"  # in links
_BEFORE = "_pretrained_light"  # in st.session_state: the light of the last run


class Settings(NamedTuple):
    """of: what is asked of the heads in this light, the settings of ablation, patching or another of these files."""

    light: str
    of: Any


def ask() -> Settings | None:
    asked = st.session_state.get(LIGHT) or st.query_params.get(LIGHT)
    usual = next(iter(LIGHTS))
    with settings.place_named("row"), settings.line(asked if asked in LIGHTS else usual, key="light"):
        name = settings.choose(st.segmented_control, "Light", LIGHT, LIGHTS, usual, common=True, wrap=True)
        if settings.replaying() is None:
            places()["lede"].markdown(LIGHTS[name].lede)
            before = LIGHTS.get(st.session_state.get(_BEFORE, name), LIGHTS[name])
            is_one = len(str(st.session_state.get(controls.HEAD)).split("·")) < 3  # or all of a layer, which is named
            if before.name != name and (before.is_apart or LIGHTS[name].is_apart or not is_one):
                settings.turn(controls.HEAD, controls.STRONGEST)  # it opens on an example of its own
            st.session_state[_BEFORE] = name
        wanted = LIGHTS[name].ask()
    return None if wanted is None else Settings(name, wanted)


def draw(s: Settings, result: Any) -> None:
    light = LIGHTS[s.light]
    lede, seen = light.instead(s.of, result) or (light.lede, light.seen)
    places()["lede"].markdown(lede)
    with places()["close"]:
        st.markdown(seen)
    light.draw(s.of, result)


def _sheet(s: Settings, result: Any) -> Sheet | None:
    return LIGHTS[s.light].sheet(s.of, result)


VIEW = View(
    ask,
    lambda s: LIGHTS[s.light].compute(s.of),
    draw,
    layout=controls.columns,
    comparison=Comparison(lambda s: LIGHTS[s.light].compared, _sheet),
    height=420,
)
