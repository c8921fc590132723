"""Who asks and who answers between the French and the English; and the three attentions that a Transformer has."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import questions, teaching
from lab.kit.figures import display
from lab.kit.view import Comparison, View, places
from pages.masks import attentions, data
from pages.masks.attentions import Texts
from pages.masks.components.mask_brush import MAX_SIDE
from pages.masks.components.wiring_plugs import wiring_plugs
from pages.masks.data import Attentions


def layout() -> Mapping[str, Any]:
    return {
        "picture": st.container(key="masks-picture"),
        "words": display.prose(),
        "shown": st.container(),
        "three": st.container(),
    }


class Settings(NamedTuple):
    texts: Texts
    shown: str


class Result(NamedTuple):
    """english: as the trained translator reads it; written: what it writes, by the share of the English that arrives"""

    attentions: Attentions
    english: tuple[str, ...]
    written: list[data.Faded]


def ask() -> Settings | None:
    texts = attentions.ask_texts()
    return None if texts is None else Settings(texts, attentions.ask_shown())


def compute(s: Settings) -> Result:
    english = data.translation(" ".join(s.texts.source), MAX_SIDE).source or s.texts.source
    return Result(attentions.compute(s.texts), english, data.faded(english))


def draw(s: Settings, result: Result) -> None:
    with places()["picture"]:
        wiring_plugs(
            result.english,
            data.ARRIVES,
            [row.words for row in result.written],
            [row.likely for row in result.written],
            data.in_english(),
            key="masks_plugs",
            on_another=attentions.take_another,
        )
    with places()["words"]:
        st.markdown(
            "The French that is being written sends the :blue[**queries**]: it asks. The English sends the "
            ":orange[**keys**] and :green[**values**]: it answers. This is **cross-attention**. The cable carries what "
            "comes back; at 50%, half of it arrives in every layer. In **self-attention** a text asks "
            "itself, and all three come from one place. Keys and values are two readings of the same words, so they "
            "never part."
        )
        questions.ask("masks-wiring")
        teaching.code_expander("transformer/core/layers.py", "DecoderLayer.forward")
    with places()["three"]:
        attentions.draw(s.texts, s.shown, result.attentions)


VIEW = View(
    ask,
    compute,
    draw,
    layout=layout,
    height=300,
    comparison=Comparison(
        lambda s: attentions.compared_title(s.shown), lambda s, result: attentions.sheet(s.shown, result.attentions)
    ),
)
