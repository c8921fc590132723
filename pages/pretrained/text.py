"""The settings that all views of this page share: a published model, and the text, or the two texts, that it reads."""

import streamlit as st

from pages.shared import settings
from pages.shared.models import Mask, Shipped
from pages.shared.pretrained import PretrainedSource, there
from pages.shared.readings import Reading
from pages.shared.source import Kind, ModelRef
from pages.shared.text_input import MAX_LETTERS, STORIES, ReadBy, read_by
from transformer.checks import InputError
from transformer.training.text import clean

PAIR = "pretrained_pair"  # the second text, in links
NO_TEXT = "There is no word to look at yet. Type a sentence, or pick one of the examples."


def models(*kinds: Kind) -> dict[str, ModelRef]:
    """The models that can be chosen by name: published ones that are on this machine, and one of this project."""
    return there(*kinds) | {STORIES: Shipped("stories")}


def ask_reading(*kinds: Kind, pair: bool = False, others: tuple[str, ...] = ()) -> Reading | None:
    """The model and its text; None, with a notice, for a text without a word.

    pair    whether a second text can be typed, for an encoder
    others  names that the view offers beside those of models
    """
    offered = models(*kinds)
    reading = read_by(next(iter(offered)), models=offered, others=others)
    source = reading.source
    assert source is not None  # no untrained model is offered here
    second = _ask_second() if pair and isinstance(source, PretrainedSource) and source.kind == "encoder" else ""
    settings.notify(*reading.sentence.notices)
    if not reading.sentence.tokens:
        settings.notify(NO_TEXT)
        return None
    if isinstance(source, PretrainedSource):
        return _encoded(source, reading, second)
    return Reading(source.ref, Mask("causal" if source.kind == "decoder" else "none"), reading.sentence.tokens)


def _ask_second() -> str:
    pinned = settings.replaying()
    if pinned:
        return pinned.take_text(PAIR, "second sentence", "", lambda text: text[:MAX_LETTERS])
    typed = st.session_state.get(PAIR) or st.query_params.get(PAIR)
    with settings.line("with a second sentence" if typed else "add a second sentence", key="pair"):
        text = st.text_input(
            "Second sentence", "", key=PAIR, bind="query-params", max_chars=MAX_LETTERS, width=520,
            placeholder="Read along with the first", icon=":material/add:",
        )  # fmt: skip
    settings.note(PAIR, "second sentence", text or "", "", long=True)
    return clean(text or "").strip()


def _encoded(source: PretrainedSource, reading: ReadBy, second: str) -> Reading | None:
    """A text, or two that the model reads together, with all that is known of the tokens, as many as can be shown."""
    try:
        encoding = source.encode(clean(reading.text), second or None)
    except InputError as refusal:
        settings.notify(str(refusal))
        return None
    tokens, n = tuple(source.label(id) for id in encoding.ids), source.max_tokens
    if second and len(tokens) > n:
        settings.notify(f"The first {n} tokens are shown; {len(tokens) - n:,} more are left out. Type shorter texts.")
    shown = source.first(tokens, n)
    words = [*encoding.words[: n - 1], *encoding.words[-1:]] if shown != tokens[:n] else encoding.words[:n]
    segments = tuple(encoding.segments[:n]) if any(encoding.segments) else ()
    mask = Mask("causal" if source.kind == "decoder" else "none")
    return Reading(source.ref, mask, shown, segments, tuple(words))
