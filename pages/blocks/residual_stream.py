"""The stream: what could be read out of one token at every height, its path through all layers, and every push."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import streamlit as st

from pages.blocks import data, figures, stack
from pages.blocks.data import ReadOut
from pages.blocks.formatting import amount, ordinal
from pages.blocks.stack import Stack
from pages.shared import display, settings, teaching
from pages.shared.compare_figures import Curves
from pages.shared.teaching import Answer, check
from pages.shared.text_input import STORIES
from pages.shared.view import Comparison, View

if TYPE_CHECKING:
    from transformer.inspection.blocks import Stream

READ_OUT, PATH, PUSHES = FIGURES = ("Read-out", "The way", "Size of each push")


class Settings(NamedTuple):
    """token: the place of the word that is followed, from 0."""

    stack: Stack
    token: int
    figure: str


def ask() -> Settings | None:
    at = stack.places()
    chosen = stack.ask_stack(at, STORIES)
    if chosen is None:
        return None
    with at.primary:
        figure = settings.choose(
            st.segmented_control, "View", "blocks_stream", FIGURES,
            READ_OUT if chosen.answers else PATH,  # an untrained model has nothing to say yet
            follows=True, common=True, label_visibility="collapsed",
        )  # fmt: skip
        token = _ask_token(chosen)
    return Settings(chosen, token, figure)


def _ask_token(chosen: Stack) -> int:
    """One word of the sentence, by its place and its letters: at first where a trained model was asked for its answer,
    or the second of an untrained one."""
    names = [f"{place} {word}" for place, word in enumerate(chosen.tokens, 1)]
    source = chosen.source
    default = names[source.answer_position(chosen.tokens)] if source.answers else names[min(1, len(names) - 1)]
    why = "the sentence has no such word: {}"
    stack.say("follow")
    chosen_name = settings.choose(
        st.selectbox, "Follow the token", "blocks_token", names, default, why=why, follows=True,
        label_visibility="collapsed", width=150,
    )  # fmt: skip
    return names.index(chosen_name)


def compute(s: Settings) -> ReadOut:
    return data.read_out(s.stack.ref, s.stack.tokens, s.token)


def draw(s: Settings, result: ReadOut) -> None:
    picture, words = st.columns([7, 3], gap="large")
    with picture:
        _draw_figure(s, result)
    with words:
        if s.figure == READ_OUT:
            teaching.formula(
                r"\mathrm{logits}_h = \mathrm{Norm}(x_h)\,W_e^\top"
                if s.stack.is_pre_norm
                else r"\mathrm{logits}_h = x_h W_e^\top"
            )
            st.markdown(_trained_read_out(s, result) if s.stack.answers else _untrained_read_out(s, result))
            teaching.code_expander("transformer/inspection/blocks.py", "follow_token")
        else:
            teaching.formula(
                r"x_{h+1} = x_h + \mathrm{push}_h"
                if s.stack.is_pre_norm
                else r"x_{h+1} = \mathrm{Norm}(x_h + \mathrm{push}_h)"
            )
            st.markdown(_sum(result.stream, s.stack.is_pre_norm))
            teaching.code_expander("transformer/layers.py", "AddNorm")
        check(
            "With the norm before it, what does a sublayer (attention or feed-forward) do to the stream?",
            Answer("It replaces it", ""),
            Answer(
                "It adds to it",
                "That is why the embedding can still be read far above: nothing is overwritten.",
                right=True,
            ),
            Answer("It multiplies it", ""),
            key="blocks-add",
        )


def _draw_figure(s: Settings, result: ReadOut) -> None:
    stream, word = result.stream, s.stack.tokens[s.token]
    if s.figure == PATH:
        drawing = figures.path(stream.path, stream.heights, stream.share, word)
        alt = f"The path of the token {word} through {s.stack.source.n_layers} layers, push by push."
    elif s.figure == PUSHES:
        drawing = figures.pushes(stream.states, stream.pushes, stream.heights)
        alt = "The length of every push, as a share of the stream that it meets."
    else:
        which = "words that it says at some height" if s.stack.answers else "words of this sentence"
        drawing = figures.lens(result.logits, result.ranks, result.words, stream.heights, which)
        alt = f"Logit and place of {which}, if the stream were read out at each height."
    display.figure(drawing, key=f"blocks_stream_{FIGURES.index(s.figure)}", alt=alt)


def _sum(stream: "Stream", is_pre_norm: bool) -> str:
    """Whether the pushes add up."""
    if is_pre_norm:
        return (
            f"The embedding and {len(stream.pushes)} pushes add up to the last state: the largest of "
            f"{stream.states.shape[1]} features is off by {amount(stream.gap)} (rounding)."
        )
    return (
        "With the norm after each addition, the stream is rescaled on its way, so embedding and pushes no longer add "
        f"up to the last state: a feature is off by up to **{amount(stream.gap)}**. With the norm “before”, they do."
    )


def _untrained_read_out(s: Settings, result: ReadOut) -> str:
    """What the figure of a read-out shows of an untrained model."""
    at = result.words.index(s.stack.tokens[s.token])
    first, last = (ordinal(rank) for rank in result.ranks[[0, -1], at])
    return (
        f"{_legend(result)} The top row is what the model says: off by {amount(_difference(result.stream))}. The word "
        f"itself is **{first}** at the bottom and **{last}** at the top: the output map is the embedding table once "
        "more, and "
        + (
            "this model was trained to make vectors, not to guess words."
            if s.stack.is_trained
            else "an untrained model has no better guess."
        )
    )


def _trained_read_out(s: Settings, result: ReadOut) -> str:
    """What the figure shows of a trained model: what it answers, from which height on, and whether that comes next."""
    stream, tokens = result.stream, s.stack.tokens
    odds = np.exp(stream.logits.astype("f8") - stream.logits.max())
    is_first = result.ranks[:, 0] == 1
    since = len(is_first) - int(np.argmin(is_first[::-1])) if not is_first.all() else 0
    lead = "It leads from the start"
    if since:
        bottom = ordinal(result.ranks[0, 0])
        lead = f"It takes the lead after **{stream.heights[since]}**; at the bottom it was **{bottom}**"
    text = (
        f"At the top the model says **{display.plain(result.words[0])}**, {odds.max() / odds.sum():.0%} sure. {lead}. "
    )
    legend = f"\n\n{_legend(result)} The top row is what the model says: off by {amount(_difference(stream))}."
    if s.stack.source.kind == "encoder":
        if s.token == 0:
            return f"{text}This is the token where the model is asked for its answer.{legend}"
        return f"{text}It is only ever asked at &lt;bos&gt;: what it says here was never trained.{legend}"
    if s.token + 1 < len(tokens):
        return f"{text}The text goes on with **{display.plain(tokens[s.token + 1])}**.{legend}"
    return f"{text}The text ends here, so this is its guess at the next word.{legend}"


def _legend(result: ReadOut) -> str:
    return (
        "What if the stream were read out here? Colour: a word's score (logit). Number: its rank among all "
        f"{result.stream.lens.shape[1]:,} words; {len(result.words)} of them are shown."
    )


def _difference(stream: "Stream") -> float:
    """The largest difference between the last read-out and the model's own logits."""
    return float(np.abs(stream.lens[-1] - stream.logits).max())


def _lengths(s: Settings, result: ReadOut) -> Curves:
    lengths = np.linalg.norm(result.stream.states, axis=-1)
    axes = ("height in the stack", "length of the token's vector")
    return Curves(tuple(result.stream.heights), {"length": lengths}, axes)


VIEW = View(
    "The stream", ask, compute, draw,
    comparison=Comparison("the length of the followed token's vector", _lengths),
    formerly={"Residual stream": {}},
)  # fmt: skip
