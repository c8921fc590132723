"""Three stations of a layer: the stream as it comes in, attention, and the additions."""

import streamlit as st

from lab.kit import questions, teaching
from lab.kit.figures import display
from lab.kit.view import places
from pages.blocks import station_figures
from pages.blocks.stations import Result, Settings

CODE = "transformer/core/layers.py"


def draw_stream(s: Settings, result: Result) -> None:
    with places()["picture"]:
        T, D = result.stages["in"].shape
        alt = f"The vectors of {T} tokens, {D} numbers each, as they come into the layer."
        display.figure(station_figures.vectors(result.stages["in"], s.stack.tokens), key="blocks_stage", alt=alt)
    with places()["below"]:
        st.markdown(
            "A row is the vector of one token. Its numbers have no names. The layer reads them and adds to them."
        )
        _order_of_steps(s)
        questions.ask("blocks-mix")  # a guess, before the token is walked on


def draw_attention(s: Settings, result: Result) -> None:
    H, T, _ = result.weights.shape
    with places()["picture"]:
        alt = f"The attention weights of {H} heads, a map of {T} by {T} each: rows look at columns."
        display.figure(station_figures.head_maps(result.weights, s.stack.tokens), key="blocks_heads", alt=alt)
    with places()["below"]:
        masked = " Empty cells are masked: a token sees no later ones." if s.stack.source.kind == "decoder" else ""
        most = "" if T <= station_figures.MAX_MAP else f" The first {station_figures.MAX_MAP} tokens are shown."
        st.markdown(
            f"Each of the {H} heads has its own map: the row looks at the column, and the :violet[**attention "
            f"weights**] of a row add up to 1. So the shape is (heads, tokens, tokens) = ({H}, {T}, {T}), with the "
            f"batch in front: (B, H, T, T). The "
            f"picture above has the row of the followed token, once per head.{masked}{most}"
        )
        teaching.code_expander(CODE, "EncoderLayer.forward")


def draw_addition(s: Settings, result: Result) -> None:
    finder = "attention" if s.step == "add1" else "feed-forward"
    met, push = result.met(s.step), result.stages[result.before(s.step)]
    with places()["picture"]:
        alt = f"The stream, the result of {finder}, and their sum, number by number."
        drawing = station_figures.addition(met, push, s.stack.tokens, finder)
        display.figure(drawing, key="blocks_addition", alt=alt)
    with places()["below"]:
        _order_of_steps(s)
        questions.ask("blocks-adds")
        teaching.code_expander(CODE, "EncoderLayer.forward", "AddNorm")


def _order_of_steps(s: Settings) -> None:
    if s.stack.is_pre_norm:
        teaching.formula(r"x + \mathrm{Sublayer}(\mathrm{Norm}(x))")
        st.markdown("The sublayer reads a normalised copy; the stream itself passes by and is added afterwards.")
    else:
        teaching.formula(r"\mathrm{Norm}(x + \mathrm{Sublayer}(x))")
        st.markdown("Here the norm comes after the sum, as in the first Transformer: the stream itself is rescaled.")
