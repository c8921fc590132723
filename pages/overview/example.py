"""The first picture: a sentence of the visitor's, one head of a trained model, and where its words look."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from attention_view import Packed
from lab.kit import catalogue, settings
from lab.kit.components.attention_view import attention_view
from lab.kit.controls import reader
from lab.kit.controls.hyperparameters import ModelChoice
from lab.kit.figures import display
from lab.kit.models import pictures
from lab.kit.models.references import BeforeTraining, Mask, Untrained
from lab.kit.view import View, places
from pages.overview import data
from transformer.core.config import TransformerConfig

# What reads where no trained model is chosen. Its heads differ although it has learned nothing.
UNTRAINED = ModelChoice(
    Untrained(
        "decoder",
        TransformerConfig(d_model=64, n_heads=4, n_encoder_layers=1, n_decoder_layers=1, positions="alibi"),
        seed=0,
    ),
    Mask("causal"),
)
LINK = {"model": "Decoder", "positions": "ALiBi", "layers": "1"}  # the same model on the page of heads
HOW_TO_READ = """
**Point at a word in the table.** It :blue[**asks**], and the words it :orange[**looks at**] light up.

The stronger the cell, the larger its :violet[**attention weight**]: a share of that word's attention. The shares
of a row add up to 1.
"""


class Settings(NamedTuple):
    """Who reads which tokens; `name` is the model's on screen, `text` is what was typed."""

    model: ModelChoice
    tokens: tuple[str, ...]
    name: str
    text: str


class Result(NamedTuple):
    packed: Packed
    finding: data.Finding


def layout() -> Mapping[str, Any]:
    """The words are on screen before the picture, which may wait for torch."""
    picture, words = st.columns([7, 3], gap="large")
    words.markdown(HOW_TO_READ)
    return {"picture": picture, "words": words}


def ask() -> Settings | None:
    read_by = reader.read_by()
    settings.notify(*read_by.sentence.notices)
    tokens = read_by.sentence.tokens
    if not tokens:
        settings.notify("There is no word to look at yet. Type a sentence, or choose one of the examples.")
        return None
    model = UNTRAINED if read_by.ref is None else ModelChoice(read_by.ref, Mask())
    return Settings(model, tokens, read_by.name, st.session_state.get("text") or "")


def compute(s: Settings) -> Result:
    packed = pictures.heads(*s.model, s.tokens)
    return Result(packed, data.finding(*s.model, s.tokens, *packed.opens))


def draw(s: Settings, result: Result) -> None:
    with places()["picture"]:
        attention_view(result.packed, key="picture_view", url=None, compact=True)
    with places()["words"]:
        st.markdown(_finding(s, result.finding))
        st.page_link(
            catalogue.page("heads").script,
            label="**Explore all heads**",
            icon=":material/grid_on:",
            query_params=link(s),
        )


def link(s: Settings) -> dict[str, str]:
    """What the page of heads shows the same picture with."""
    state = {"state": reader.BEFORE} if isinstance(s.model.ref, BeforeTraining) else {}
    return {"weights": s.name, "text": s.text, **state, **(LINK if s.model == UNTRAINED else {})}


def _finding(s: Settings, finding: data.Finding) -> str:
    """What this head does with the sentence, in Markdown."""
    source = s.model.ref.resolve()
    word = f":orange[**{display.plain(s.tokens[finding.key])}**]"
    untrained = isinstance(s.model.ref, BeforeTraining | Untrained)
    most = f"In this head, {word} gets the most: {finding.share:.0%} of all attention."
    why = (
        " That means nothing yet: this model is untrained."
        if untrained
        else " Nobody told the model which words matter; it found out from its training texts."
    )
    hatched = " Hatched cells are masked: this model may not look ahead." if finding.is_causal else ""
    config, n = source.config, source.n_layers
    many = (
        f"This model has {config.n_heads} of them side by side in each of {n} layers"
        if n > 1
        else (f"This model has {config.n_heads} of them side by side")
    )
    return f"{most}{why}{hatched}\n\nOne such table is a **head**. {many}."


VIEW = View(ask, compute, draw, layout=layout, height=420)
