"""The stream: what could be read out of one token at every height, what each part adds, and what the answer goes by."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import catalogue, questions, settings, teaching
from lab.kit.components import sent
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Curves
from lab.kit.view import Comparison, View
from lab.kit.words import as_chance, at_most, brief, ordinal
from pages.blocks import data, figures, stack
from pages.blocks.components.stream_way import payload, stream_way
from pages.blocks.data import Change, ReadOut
from pages.blocks.stack import Stack
from transformer import inspection

TOKEN, PICTURE = "blocks_follow", "blocks_way"  # in links and st.session_state: the token; the picture of its way


class Settings(NamedTuple):
    """token: the position of the word that is followed, from 0."""

    stack: Stack
    token: int


class Result(NamedTuple):
    """The token at every height, and what a trained model answers where one word is another."""

    read_out: ReadOut
    changes: tuple[Change, ...]


def ask() -> Settings | None:
    at = stack.places()
    chosen = stack.ask_stack(at, has_logits=True)
    if chosen is None:
        return None
    return Settings(chosen, _ask_token(chosen))


def _ask_token(chosen: Stack) -> int:
    """The word that is pressed in the figure or named by the link, by its place and its letters: at first where a
    trained model was asked for its answer, or the second of an untrained one."""
    names = _names(chosen)
    default = names[_usual(chosen)]
    pinned = settings.replaying()
    if pinned:
        return names.index(pinned.take(TOKEN, "Follow the token", names, default))
    pressed = st.session_state.get(TOKEN)
    asked = str(pressed or st.query_params.get(TOKEN) or default)
    if asked not in names:
        if pressed:  # it was a word of another sentence
            del st.session_state[TOKEN]
        else:
            settings.notify(f"You see {default}: the sentence has no such word: {brief(asked)}.")
        asked = default
    settings.note(TOKEN, "Follow the token", asked, default, options=tuple(names))
    return names.index(asked)


def _names(chosen: Stack) -> list[str]:
    """What links call the tokens of the sentence."""
    return [f"{place} {word}" for place, word in enumerate(chosen.tokens)]


def _usual(chosen: Stack) -> int:
    """The token that is followed where nobody chooses one."""
    return chosen.source.answer_position(chosen.tokens) if chosen.source.answers else min(1, len(chosen.tokens) - 1)


def _follow() -> None:
    if name := sent(PICTURE, "follow", str):
        st.session_state[TOKEN] = name


def compute(s: Settings) -> Result:
    ref, tokens = s.stack.ref, s.stack.tokens
    return Result(data.read_out(ref, tokens, s.token), data.one_word_changed(ref, tokens) if s.stack.answers else ())


def draw(s: Settings, result: Result) -> None:
    read_out = result.read_out
    _draw_read_out(s, read_out)
    with display.prose():
        st.markdown(_trained_read_out(s, read_out) if s.stack.answers else _untrained_read_out(s, read_out))
        questions.ask("blocks-future")
        if result.changes:
            with st.container(key="result-changes"):
                st.markdown(_changes(result.changes))
        teaching.formula(_formula(s.stack))
        st.markdown(_pushes(read_out.stream, s.stack.is_pre_norm))
        _explain_layers()
        teaching.code_expander("transformer/inspection/blocks.py", "follow_token")


def _draw_read_out(s: Settings, read_out: ReadOut) -> None:
    """What is read out at every height: who leads, and of an untrained model what becomes of the sentence's words."""
    heights, leaders = read_out.stream.heights, read_out.leaders
    n_words = read_out.stream.lens.shape[1]
    chosen = s.stack
    names, follows = _names(chosen), chosen.source.kind == "decoder"
    data = payload(names, chosen.tokens, s.token, _usual(chosen), leaders, heights, n_words, follows=follows)
    stream_way(data, key=PICTURE, on_follow=_follow)
    if leaders is None:
        which = "words of this sentence"
        figure = figures.lens(read_out.logits, read_out.ranks, read_out.words, heights, which)
        alt = f"Logit and rank of {which}, if the stream were read out at each height."
        display.figure(figure, key="blocks_stream", alt=alt)


def _explain_layers() -> None:
    """Why there is more than one layer."""
    st.markdown(
        "**What can the second layer do that the first cannot?** In the first, a token’s query is made from that token "
        "alone. It can look for a certain word, or for the position before it, but not for *whatever came after the "
        "last c*. For that, the first layer must write into each token what came before it; then the second can look "
        "for it. A model that was trained on letters that come twice does just that; the story model finds the thing "
        "behind a colour in its last layer."
    )
    st.page_link(
        catalogue.page("pretrained").script,
        label="See two layers do this together",
        icon=":material/arrow_forward:",
        query_params={"pretrained_view": "Which head?", "pretrained_head_light": "Repetition"},
    )
    questions.ask("blocks-layers")


def _formula(chosen: Stack) -> str:
    """How the stream is read out at each height."""
    x = r"\mathrm{Norm}(x_h)" if chosen.is_pre_norm else "x_h"
    if chosen.source.config.output_transform:
        return rf"\mathrm{{logits}}_h = \mathrm{{Norm}}\bigl(f({x}\,W + b)\bigr)\,W_e^\top"
    return rf"\mathrm{{logits}}_h = {x}\,W_e^\top"


def _pushes(stream: "inspection.blocks.Stream", is_pre_norm: bool) -> str:
    """How long the pushes are, and whether they add up."""
    met = np.linalg.norm(stream.states[:-1], axis=-1)
    shares = np.linalg.norm(stream.pushes, axis=-1) / np.where(met > 0, met, np.inf)
    sizes = (
        f"Each of {len(stream.pushes)} sublayers adds a **push** to the stream, {as_chance(shares.min())} to"
        f" {as_chance(shares.max())} as long as the stream that it meets."
    )
    if is_pre_norm:
        return (
            f"{sizes} The embedding and all pushes add up to the last state: they differ from it by"
            f" {at_most(stream.gap)}."
        )
    return (
        f"{sizes} With a norm after each addition, the stream is rescaled on its way: embedding and pushes differ from"
        f" the last state by {at_most(stream.gap)}. With the norm “before”, they add up."
    )


def _changes(changes: tuple[Change, ...]) -> str:
    """What the model goes by: its answers where one word is another."""
    usual, *others = changes
    lines = ["**What does it go by?** One word changed:", "", "| changed | it says | sure |", "|:--|:--|--:|"]
    seen = set()
    for change in changes:
        name = f"{display.plain(change.old)} → {display.plain(change.new)}" if change.old else "nothing"
        last, said = "the last " if change.old in seen else "", change.answer
        lines.append(f"| {last}{name} | **{display.plain(said.word)}** | {as_chance(said.probability)} |")
        seen.add(change.old)
    telling = [change.old for change in others if change.answer.word != usual.answer.word]
    names = " and ".join(f"*{display.plain(old)}*" for old in dict.fromkeys(telling))
    verdict = f"Of these words, {names} decide{'' if len(set(telling)) > 1 else 's'} what it says."
    return "\n".join([*lines, "", verdict if telling else "None of these words decides what it says."])


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
    sure = as_chance(odds.max() / odds.sum())
    text = f"At the top the model says **{display.plain(result.words[0])}**, {sure} sure. {lead}. "
    legend = f"\n\n{_legend(result)} {_top_row(stream)}"
    if s.stack.source.kind == "encoder":
        if s.token == 0:
            return f"{text}This is the token where the model is asked for its answer.{legend}"
        return f"{text}It is only ever asked at ⟨start⟩; what it says here was never trained.{legend}"
    if s.token + 1 < len(tokens):
        return f"{text}The text goes on with **{display.plain(tokens[s.token + 1])}**.{legend}"
    return f"{text}The text ends here, so this is its guess at the next word.{legend}"


def _legend(result: ReadOut) -> str:
    asked = (
        "What would the model say if its stream were read out at this height? The lowest row, *embedding*, is the word "
        "itself, before any layer."
    )
    if result.leaders:
        return (
            f"{asked} At the left stands the word that leads there, then those behind it. The line is the way of"
            f" **{display.plain(result.leaders.words[-1][0])}** to the first place."
        )
    return (
        f"{asked} Colour: a word's score (logit). Number: "
        f"its rank among all {result.stream.lens.shape[1]:,} words, of which {len(result.words)} are shown."
    )


def _top_row(stream: "inspection.blocks.Stream") -> str:
    """How far the last read-out is from the model's own logits at most."""
    difference = float(np.abs(stream.lens[-1] - stream.logits).max())
    return f"The top row is what the model really says: they differ by {at_most(difference)}."


def _lengths(s: Settings, result: Result) -> Curves:
    lengths = np.linalg.norm(result.read_out.stream.states, axis=-1)
    axes = ("height in the stack", "length of the token's vector")
    return Curves(tuple(result.read_out.stream.heights), {"length": lengths}, axes)


VIEW = View(ask, compute, draw, comparison=Comparison("the length of the followed token's vector", _lengths))
