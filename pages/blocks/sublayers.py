"""Three stations of a layer: the stream as it comes in, attention, and the additions."""

import streamlit as st

from lab.kit import teaching
from lab.kit.figures import display
from lab.kit.teaching import Answer
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
            f"batch in front: (B, H, T, T). The ribbons above show the mean of the heads.{masked}{most}"
        )
        teaching.check(
            "The *last* word of the sentence is exchanged. In an encoder’s first layer, at which step do the numbers "
            "of the *first* word begin to change?",
            Answer("At attention", "Every step before it looks at one token at a time.", right=True),
            Answer(
                "At norm 1",
                "A norm takes the mean of *one token’s* numbers, not of the sentence’s words. The other tokens do not "
                "enter.",
            ),
            Answer(
                "At feed-forward",
                "It passes the change on, but each token goes through it alone. News from another word must have come "
                "in before.",
            ),
            Answer(
                "They never change: its own word is the same",
                "Then a word could never mean something else in another sentence. Look at the ribbons: the first word "
                "receives from all the others.",
            ),
            key="blocks-mix",
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
        teaching.check(
            "Attention has nothing to say about a token, and its result there is almost 0. What goes on up the stream?",
            Answer(
                "What was there before",
                "x + 0 is x. Doing nothing is easy for a layer, and whatever was known is not lost.",
                right=True,
            ),
            Answer(
                "Almost nothing: the token fades away",
                "That would be so if the result *replaced* the stream. It is added to it.",
            ),
            Answer(
                "An average of all the tokens",
                "Attention averages values to make its *result*. That result is almost 0 here, and the stream itself "
                "is never averaged.",
            ),
            Answer(
                "Nothing, until a later layer fills it in",
                "Later layers only add, too. What they read is what the stream has carried all along.",
            ),
            key="blocks-adds",
        )
        teaching.code_expander(CODE, "EncoderLayer.forward", "AddNorm")


def _order_of_steps(s: Settings) -> None:
    if s.stack.is_pre_norm:
        teaching.formula(r"x + \mathrm{Sublayer}(\mathrm{Norm}(x))")
        st.markdown("The sublayer reads a normalised copy; the stream itself passes by and is added afterwards.")
    else:
        teaching.formula(r"\mathrm{Norm}(x + \mathrm{Sublayer}(x))")
        st.markdown("Here the norm comes after the sum, as in the first Transformer: the stream itself is rescaled.")
