"""The settings that all views of this page share: a published model, and the text, or the two texts, that it reads."""

from typing import Any

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
NO_TEXT = "There is no word to look at yet. Type a sentence, or choose one of the examples."


def models(*kinds: Kind) -> dict[str, ModelRef]:
    """The models that can be chosen by name: published ones that are on this machine, and one of this project."""
    return there(*kinds) | {STORIES: Shipped("stories")}


def ask_text(*kinds: Kind, others: tuple[str, ...], box: Any) -> ReadBy:
    """A model of these kinds, in the line of settings at hand, and what it is to read.

    others  names that the view offers beside those of models; box: where the text is asked for
    """
    offered = models(*kinds)
    return read_by(next(iter(offered)), models=offered, others=others, box=box, chip="{}")


def reading(typed: ReadBy, second: str = "") -> Reading | None:
    """A text, or two together, as its model reads it; None, with a notice, where there is no word in it."""
    source = typed.source
    assert source is not None  # no untrained model is offered here
    settings.notify(*typed.sentence.notices)
    if not typed.sentence.tokens:
        settings.notify(NO_TEXT)
        return None
    if isinstance(source, PretrainedSource):
        return encoded(source, typed.text, second, tell=bool(second))
    return Reading(source.ref, Mask("causal" if source.kind == "decoder" else "none"), typed.sentence.tokens)


def ask_second(typed: ReadBy) -> str:
    """A second text, for an encoder that can read two together; in a line of settings."""
    source = typed.source
    if not isinstance(source, PretrainedSource) or source.kind != "encoder":
        return ""
    return ask_other(PAIR, "second sentence", "Read along with the first", ("", "two sentences"))


def ask_other(key: str, name: str, hint: str, chips: tuple[str, str]) -> str:
    """A second text, in a line of settings: "" where there is none.

    hint  what stands in the empty box; chips: what the line says without such a text, and with one
    """
    pinned = settings.replaying()
    if pinned:
        return pinned.take_text(key, name, "", lambda text: text[:MAX_TEXT])
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
    settings.note(key, name, text or "", "", long=True, chip=chips[bool(text)])
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
