"""The stream: what could be read out of one token at every height, its path through all layers, and every push."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import streamlit as st

from pages.blocks import data, figures, stack
from pages.blocks.data import ReadOut
from pages.blocks.formatting import amount, ordinal
from pages.blocks.stack import Stack
from pages.shared import catalogue, display, settings, teaching
from pages.shared.compare_figures import Curves
from pages.shared.teaching import Answer
from pages.shared.text_input import STORIES
from pages.shared.view import Comparison, View

if TYPE_CHECKING:
    from transformer.inspection.blocks import Stream

READ_OUT, PATH, PUSHES = FIGURES = ("Read-out", "The path", "Size of each push")


class Settings(NamedTuple):
    """token: the position of the word that is followed, from 0."""

    stack: Stack
    token: int
    figure: str


def ask() -> Settings | None:
    at = stack.places()
    chosen = stack.ask_stack(at, STORIES, has_logits=True)
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
            teaching.formula(_formula(s.stack))
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
    layers, future = st.columns(2, gap="large")
    with layers:
        _explain_layers()
    with future:
        _ask_about_the_future()


def _explain_layers() -> None:
    """Why there is more than one layer."""
    st.markdown(
        "**What can the second layer do that the first cannot?** In the first, a token’s query is made from that token "
        "alone. It can look for a certain word, or for the position before it, but not for *whatever came after the "
        "last “red”*. So the first layer writes into each token what came before it; the second can then look for just "
        "that."
    )
    st.page_link(
        catalogue.page("pretrained").script, label="See two layers do this together", icon=":material/arrow_forward:",
        query_params={"pretrained_view": "Which head?", "head_light": "Repetition"},
    )  # fmt: skip
    teaching.check(
        "“a b c d a b c”: a model looks for the token that came after the last c. Could one layer with many more heads "
        "do that?",
        Answer(
            "No: before the second layer, no token knows its neighbour",
            "The heads of one layer all read the same stream. One must first write “c came before me” into d; only a "
            "*later* layer can look for that.",
            right=True,
        ),
        Answer(
            "Yes: one head finds the c, another goes one token on",
            "Heads of one layer work at the same time. None of them sees what another has found.",
        ),
        Answer(
            "Yes: layers all do the same anyway, only several times",
            "Each layer has its own parameters, and reads what the layers below have written. That is why the order "
            "matters.",
        ),
        Answer(
            "No: one layer is too narrow",
            "Width is not what is missing. However wide it is, the d does not know its neighbour before attention has "
            "run once.",
        ),
        key="blocks-layers",
    )


def _ask_about_the_future() -> None:
    teaching.check(
        "Recall the causal mask, and think of a decoder with many layers. You exchange the *last* word of a text. "
        "Whose stream changes, anywhere on its way up?",
        Answer(
            "Only that of the last word",
            "Nobody may look ahead, in any layer. So no news of the last word ever gets to those before it.",
            right=True,
        ),
        Answer(
            "Everybody’s: attention mixes all the words",
            "It mixes what the mask leaves open, and the mask never leaves the future open.",
        ),
        Answer(
            "Everybody’s, but only from the second layer on",
            "The same mask holds in every layer. More layers carry news farther *ahead*, never back.",
        ),
        Answer(
            "Nobody’s: it is only read at the end",
            "The last word has a stream as well, from the bottom to the top. It begins with another row of the table.",
        ),
        key="blocks-future",
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
        which = "top words at any height" if s.stack.answers else "words of this sentence"
        drawing = figures.lens(result.logits, result.ranks, result.words, stream.heights, which)
        alt = f"Logit and rank of {which}, if the stream were read out at each height."
    display.figure(drawing, key=f"blocks_stream_{FIGURES.index(s.figure)}", alt=alt)


def _formula(chosen: Stack) -> str:
    """How the stream is read out at each height."""
    x = r"\mathrm{Norm}(x_h)" if chosen.is_pre_norm else "x_h"
    if chosen.source.config.output_transform:
        return rf"\mathrm{{logits}}_h = \mathrm{{Norm}}\bigl(f({x}\,W + b)\bigr)\,W_e^\top"
    return rf"\mathrm{{logits}}_h = {x}\,W_e^\top"


def _sum(stream: "Stream", is_pre_norm: bool) -> str:
    """Whether the pushes add up."""
    if is_pre_norm:
        return (
            f"The embedding and {len(stream.pushes)} pushes add up to the last state: of its {stream.states.shape[1]} "
            f"features, none is off by more than {amount(stream.gap)} (rounding)."
        )
    return (
        "With a norm after each addition, the stream is rescaled on its way. So embedding and pushes no longer add up "
        f"to the last state: a feature is off by up to **{amount(stream.gap)}**. With the norm “before”, they do."
    )


def _untrained_read_out(s: Settings, result: ReadOut) -> str:
    """What the figure of a read-out shows of an untrained model."""
    at = result.words.index(s.stack.tokens[s.token])
    first, last = (ordinal(rank) for rank in result.ranks[[0, -1], at])
    return (
        f"{_legend(result)} {_top_row(result.stream)} The word itself is **{first}** at the bottom and **{last}** at "
        "the top: the output map is the embedding table once more"
        + (", but the transform before it turns every vector" if s.stack.source.config.output_transform else "")
        + ", and "
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
    legend = f"\n\n{_legend(result)} {_top_row(stream)}"
    if s.stack.source.kind == "encoder":
        if s.token == 0:
            return f"{text}This is the token where the model is asked for its answer.{legend}"
        return f"{text}It is only ever asked at ⟨start⟩; what it says here was never trained.{legend}"
    if s.token + 1 < len(tokens):
        return f"{text}The text goes on with **{display.plain(tokens[s.token + 1])}**.{legend}"
    return f"{text}The text ends here, so this is its guess at the next word.{legend}"


def _legend(result: ReadOut) -> str:
    return (
        "What would the model say if its stream were read out at this height? Colour: a word's score (logit). Number: "
        f"its rank among all {result.stream.lens.shape[1]:,} words, of which {len(result.words)} are shown."
    )


def _top_row(stream: "Stream") -> str:
    """How far the last read-out is from the model's own logits at most."""
    difference = float(np.abs(stream.lens[-1] - stream.logits).max())
    return f"The top row is what the model really says (difference {amount(difference)})."


def _lengths(s: Settings, result: ReadOut) -> Curves:
    lengths = np.linalg.norm(result.stream.states, axis=-1)
    axes = ("height in the stack", "length of the token's vector")
    return Curves(tuple(result.stream.heights), {"length": lengths}, axes)


VIEW = View(
    "The stream", ask, compute, draw,
    comparison=Comparison("the length of the followed token's vector", _lengths),
    asks="What becomes of one token on its way up?",
    lede="One token on its way up through the layers: what the model would say if it stopped there.",
)  # fmt: skip
