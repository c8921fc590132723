"""The settings that all views of this page share: a published model, and the text, or the two texts, that it reads."""

import streamlit as st

from lab.kit import settings
from lab.kit.controls.reader import STORIES, ReadBy, read_by
from lab.kit.models.published import PretrainedSource, there
from lab.kit.models.readings import Reading
from lab.kit.models.references import Mask, Shipped
from lab.kit.models.source import Kind, ModelRef
from lab.kit.settings import MAX_TEXT
from transformer.core.checks import InputError
from transformer.training.text import clean

PAIR = "pretrained_pair"  # the second text, in links
_LINE = ("add a second sentence", "with a second sentence")
NO_TEXT = "There is no word to look at yet. Type a sentence, or pick one of the examples."


def models(*kinds: Kind) -> dict[str, ModelRef]:
    """The models that can be chosen by name: published ones that are on this machine, and one of this project."""
    return there(*kinds) | {STORIES: Shipped("stories")}


def ask_text(*kinds: Kind, others: tuple[str, ...] = ()) -> ReadBy:
    """A model of these kinds and what it is to read; others: names that the view offers beside those of models."""
    offered = models(*kinds)
    return read_by(next(iter(offered)), models=offered, others=others)


def reading(typed: ReadBy, *, pair: bool = False) -> Reading | None:
    """A text as its model reads it; None, with a notice, where there is no word in it.

    pair  whether a second text can be typed, for an encoder
    """
    source = typed.source
    assert source is not None  # no untrained model is offered here
    is_published = isinstance(source, PretrainedSource)
    has_second = pair and is_published and source.kind == "encoder"
    second = ask_other(PAIR, "second sentence", _LINE, "Read along with the first") if has_second else ""
    settings.notify(*typed.sentence.notices)
    if not typed.sentence.tokens:
        settings.notify(NO_TEXT)
        return None
    if isinstance(source, PretrainedSource):
        return encoded(source, typed.text, second, tell=bool(second))
    return Reading(source.ref, Mask("causal" if source.kind == "decoder" else "none"), typed.sentence.tokens)


def ask_other(key: str, name: str, line: tuple[str, str], hint: str) -> str:
    """A second text, on a quiet line of its own: "" where there is none.

    line  what the line says without such a text, and with one; hint: what stands in the empty box
    """
    pinned = settings.replaying()
    if pinned:
        return pinned.take_text(key, name, "", lambda text: text[:MAX_TEXT])
    typed = st.session_state.get(key) or st.query_params.get(key)
    with settings.line(line[bool(typed)], key="pair"):
        text = st.text_input(
            name.capitalize(),
            "",
            key=key,
            bind="query-params",
            max_chars=MAX_TEXT,
            width=520,
            placeholder=hint,
            icon=":material/add:",
        )
    settings.note(key, name, text or "", "", long=True)
    return clean(text or "").strip()


def encoded(source: PretrainedSource, text: str, second: str = "", *, tell: bool) -> Reading | None:
    """A text, or two that the model reads together, with all that is known of the tokens, as many as can be shown.

    tell  whether a notice says how many are left out; None, with a notice, for a text that cannot be read
    """
    try:
        encoding = source.encode(clean(text), second or None)
    except InputError as refusal:
        settings.notify(str(refusal))
        return None
    tokens, n = tuple(source.label(id) for id in encoding.ids), source.max_tokens
    if tell and len(tokens) > n:
        settings.notify(f"The first {n} tokens are shown; {len(tokens) - n:,} more are left out. Type shorter texts.")
    shown = source.first(tokens, n)
    words = [*encoding.words[: n - 1], *encoding.words[-1:]] if shown != tokens[:n] else encoding.words[:n]
    segments = tuple(encoding.segments[:n]) if any(encoding.segments) else ()
    mask = Mask("causal" if source.kind == "decoder" else "none")
    return Reading(source.ref, mask, shown, segments, tuple(words))
