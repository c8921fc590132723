"""Three stations of a layer: the stream as it comes in, attention, and the additions."""

import streamlit as st

from pages.blocks import station_figures
from pages.blocks.stations import Result, Settings
from pages.shared import display, teaching
from pages.shared.teaching import Answer, check
from pages.shared.view import places

CODE = "transformer/layers.py"


def draw_stream(s: Settings, result: Result) -> None:
    with places()["picture"]:
        T, D = result.stages["in"].shape
        alt = f"The vectors of {T} tokens, {D} numbers each, as they come into the layer."
        display.figure(station_figures.vectors(result.stages["in"], s.stack.tokens), key="blocks_stage", alt=alt)
    with places()["below"]:
        st.markdown(
            "A row is the vector of one token. Its numbers have no names; the layer reads them, and adds to them."
        )
        _order_of_steps(s)


def draw_attention(s: Settings, result: Result) -> None:
    H, T, _ = result.weights.shape
    with places()["picture"]:
        alt = f"The attention weights of {H} heads, a map of {T} by {T} each: rows look at columns."
        display.figure(station_figures.head_maps(result.weights, s.stack.tokens), key="blocks_heads", alt=alt)
    with places()["below"]:
        masked = " Empty cells are masked: a token sees no later ones." if s.stack.source.kind == "decoder" else ""
        most = "" if T <= station_figures.MAX_MAP else f" The first {station_figures.MAX_MAP} tokens are shown."
        st.markdown(
            f"Each of the {H} heads has a map of its own: the row looks at the column, and the :violet[**attention "
            f"weights**] of a row add up to 1. So the shape is (heads, tokens, tokens) = ({H}, {T}, {T}), with the "
            f"batch in front (B, H, T, T). The ribbons above are the mean of the heads.{masked}{most}"
        )
        check(
            "In which step does a token learn about the other tokens?",
            Answer("Feed-forward", ""),
            Answer(
                "Attention",
                "Feed-forward, addition and norm treat every token on its own: no ribbon crosses there.",
                right=True,
            ),
            Answer("Add", ""),
            key="blocks-mix",
        )
        teaching.code_expander(CODE, "EncoderLayer.forward")


def draw_addition(s: Settings, result: Result) -> None:
    finder = "attention" if s.step == "add1" else "feed-forward"
    met, push = result.met(s.step), result.stages[result.before(s.step)]
    with places()["picture"]:
        alt = f"The stream, what {finder} found, and their sum, number by number."
        drawing = station_figures.addition(met, push, s.stack.tokens, finder)
        display.figure(drawing, key="blocks_addition", alt=alt)
    with places()["below"]:
        _order_of_steps(s)
        check(
            "What does a sublayer (attention or feed-forward) do to the stream?",
            Answer("It replaces it", ""),
            Answer("It adds to it", "What was there stays in the sum, so later layers can still read it.", right=True),
            Answer("It multiplies it", ""),
            key="blocks-adds",
        )
        teaching.code_expander(CODE, "EncoderLayer.forward", "AddNorm")


def _order_of_steps(s: Settings) -> None:
    if s.stack.is_pre_norm:
        teaching.formula(r"x + \mathrm{Sublayer}(\mathrm{Norm}(x))")
        st.markdown("The sublayer reads a normalised copy; the stream itself passes by and waits for the sum.")
    else:
        teaching.formula(r"\mathrm{Norm}(x + \mathrm{Sublayer}(x))")
        st.markdown("Here the norm comes after the sum, as in the first Transformer: the stream itself is rescaled.")
