"""What would the model say if it stopped early? Its stream is read out after every layer, at every token."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import catalogue, questions, settings, story, teaching
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet
from lab.kit.models.references import Shipped
from lab.kit.models.source import ModelRef, Source
from lab.kit.view import Comparison, View
from lab.kit.words import as_chance, as_said
from pages.pretrained.components.lens_columns import lens_columns, payload
from pages.pretrained.study import controls, data
from transformer import inspection

MAX_COLUMNS = 22  # tokens that have room above the layers
# The storyteller's text at first: one layer below the last it answers with a colour, the last has the right one.
COLOUR = story.TEXT.removesuffix("mia took the red") + "what colour was the ball? it was"


class Settings(NamedTuple):
    ref: ModelRef
    tokens: tuple[str, ...]


def ask() -> Settings | None:
    with settings.place_named("row"), controls.row("lens"):
        ref = controls.ask_model(in_line=False)
        if ref is None:
            return None
        source = ref.resolve()
        tokens = controls.cut(
            source, controls.ask_prompt("Text", "pretrained_lens_text", _example(source), "stretch"), "text"
        )
    if not tokens:
        settings.notify("There is no word to look at yet. Type the beginning of a text.")
        return None
    return Settings(ref, tokens)


def _example(source: Source) -> str:
    """The text at first."""
    if isinstance(source.ref, Shipped) and source.ref.name == story.WRITER:
        return COLOUR
    return source.examples[0] if source.examples else controls.pair_for(source)[0]


def compute(s: Settings) -> "inspection.logit_lens.Lens":
    return data.lens(s.ref, s.tokens)


def draw(s: Settings, lens: "inspection.logit_lens.Lens") -> None:
    source = s.ref.resolve()
    first = max(0, len(s.tokens) - MAX_COLUMNS)
    words = np.vectorize(lambda id: as_said(source.label(int(id))), otypes=[object])
    said, rivals = (words(ids).swapaxes(0, 1)[first:].tolist() for ids in (lens.said, lens.rivals))
    echoes = lens.said == np.array(source.ids(s.tokens))
    chances, ranks, odds, echoed = (array.T[first:] for array in (lens.chances, lens.ranks, lens.odds, echoes))
    close = lens.close.swapaxes(0, 1)[first:]
    sent = payload(s.tokens[first:], lens.heights, said, chances, ranks, odds, echoed, rivals, close, first)
    lens_columns(sent, key="lens-said")
    with display.prose():
        st.markdown(
            "The stream of a token is read out at every height, through the last norm and the output matrix. Slate "
            "marks where the word that the whole model ends with already comes first."
        )
        settled = (lens.since[first:, None] <= range(len(lens.heights))).mean(0)
        shares = ", ".join(f"{name} {as_chance(share)}" for name, share in zip(lens.heights, settled, strict=True))
        which = f"the last {MAX_COLUMNS} tokens" if first else "tokens"
        st.markdown(f"Share of {which} for which the final word is settled: {shares}.")
        teaching.formula(r"\mathrm{logits}_l = \mathrm{Norm}(x_l)\,W_u")
        st.page_link(
            catalogue.page("blocks").script,
            label="Follow one token up the stream",
            icon=":material/arrow_forward:",
            query_params={"blocks_part": "The stream"},
        )
        questions.ask("pretrained-lens")
        teaching.code_expander("transformer/inspection/logit_lens.py", "logit_lens")


def _sheet(s: Settings, lens: "inspection.logit_lens.Lens") -> Sheet:
    return Sheet(lens.odds.T, "probability of the final word", ("token", "height"), s.tokens, lens.heights)


VIEW = View(ask, compute, draw, comparison=Comparison("how sure each height is of the final word", _sheet), height=420)
