"""What is "it"? The sentence that everybody tells of attention, as a published model has read it: a recording."""

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from lab.kit import catalogue
from lab.kit.figures import display
from lab.kit.view import View
from pages.overview import data
from pages.overview.components.pronoun import Sentence, pronoun
from transformer.pretrained.recording import MODEL

LINK = {"weights": "MiniLM, recorded"}  # the same recording on the page of published models


class Settings(NamedTuple):
    """Nothing is chosen here; the switch between the sentences is the browser's."""


def compute(_: Settings) -> Mapping[str, data.Recorded]:
    return data.recorded_pronouns()


def draw(_: Settings, recordings: Mapping[str, data.Recorded]) -> None:
    tired, wide = recordings.values()
    layer, head = tired.head
    display.prose().markdown(
        f"“It” could be the animal or the street. One of the 72 heads of {MODEL}, a published model, looks from"
        f" :blue[**it**] to the :orange[**animal**] with :violet[**{tired.animal:.2f}**] of its attention. Apart from"
        f" its article *the*, no other word gives the animal more than {tired.others:.2f}. Now change the last word:"
        " “it” becomes the street, and you know that at once. The head becomes unsure:"
        f" :violet[**{wide.animal:.2f}**] for the animal, :violet[**{wide.street:.2f}**] for the street in place of"
        f" {tired.street:.2f}, and {wide.start:.2f} for [CLS], which marks the beginning of any text. What a head looks"
        " at is a clue, not a verdict."
    )
    pronoun(
        {name: Sentence(r.tokens, r.query, r.weights) for name, r in recordings.items()},
        head=f"layer {layer}, head {head} · recorded from {MODEL}",
        key="pronoun",
    )
    st.page_link(
        catalogue.page("pretrained").script,
        label="**See all 72 heads, and other models**",
        icon=":material/grid_on:",
        query_params=LINK,
    )


VIEW = View(Settings, compute, draw)
