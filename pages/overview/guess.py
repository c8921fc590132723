"""Guess the next word: a small model that has learned from stories, a sentence, and what the model makes of it."""

import re
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import carried, catalogue, settings, story
from lab.kit.controls.reader import STORIES
from lab.kit.controls.text_input import quoted
from lab.kit.figures import display
from lab.kit.models.source import Source
from lab.kit.view import View, places
from pages.overview import data
from pages.overview.components.guess import Question, Reading, guess

BOX, WORD = "front_text", "front_word"
MAX_LETTERS = 200


class Settings(NamedTuple):
    """The tokens of the sentence, the start of the text in front, and how it was typed."""

    tokens: tuple[str, ...]
    text: str


def layout() -> Mapping[str, Any]:
    """The box stands below the picture, so that what is said of a typed word moves nothing."""
    return {"picture": st.container(), "box": st.container(key="front-box")}


def ask() -> Settings:
    """The sentence that was typed, or the one that the page opens with."""
    source = data.WRITER.resolve()
    with settings.place_named("box"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            text = carried.text_box(
                "Or try a sentence of your own, a part of a story",
                BOX,
                "",
                home="",
                shape=lambda text: text[:MAX_LETTERS],
                max_chars=MAX_LETTERS,
                placeholder=story.TEXT,
                icon=":material/edit:",
                width=640,
            )[:MAX_LETTERS]
        unknown = source.unknown(text)
        if unknown:
            _offer_words(source, unknown[0])
    text = text if source.cut(text) else story.TEXT
    tokens = source.cut(text)
    if len(tokens) > data.N_READ:
        settings.notify(f"The first {data.N_READ} words are read. Type a shorter sentence.")
    return Settings(tokens[: data.N_READ], text)


def _offer_words(source: Source, unknown: str) -> None:
    """The words that can stand in the place of one that the model does not know; a tap puts one there."""
    word = quoted([unknown])
    st.text(f"This model has read nothing but its stories, and never {word}. Put one of its words there:")
    st.pills(
        f"Words for {display.plain(word)}",
        offered(unknown, source),
        key=WORD,
        on_change=_put,
        args=(unknown,),
        label_visibility="collapsed",
    )


def offered(unknown: str, source: Source) -> list[str]:
    """All words that a model knows; those that are spelled most like the unknown one come first."""
    words = [word for kind in source.vocabulary.values() for word in kind if word.isalpha()]
    return sorted(words, key=lambda word: -SequenceMatcher(None, unknown, word).ratio())


def _put(unknown: str) -> None:
    """The chosen word in the place of the unknown one, which the visitor may have written otherwise."""
    word = st.session_state[WORD]
    st.session_state[WORD] = None  # it can be chosen again
    if word:
        text = st.session_state.get(BOX) or ""
        pattern = rf"(?<!\w){re.escape(unknown)}(?!\w)"
        st.session_state[BOX] = re.sub(pattern, word, text, flags=re.IGNORECASE) or word


def compute(s: Settings) -> data.Guess:
    return data.guess(s.tokens)


def draw(s: Settings, result: data.Guess) -> None:
    with places()["picture"]:
        guess(question(result), key="guess")
    layer, head = result.head
    cell = {"layer": layer, "head": head, "query": len(s.tokens) - 1, "key": result.key}
    with places()["box"], st.container(horizontal=True, gap="small"):
        for url, label, icon, link in (
            ("heads", "All heads on this sentence", "grid_on", {"weights": STORIES, "text": s.text, **cell}),
            ("generation", "Let the model write on", "edit_note", {"gen_text": s.text}),
        ):
            st.page_link(
                catalogue.page(url).script,
                label=label,
                icon=f":material/{icon}:",
                query_params={name: str(value) for name, value in link.items()},
            )


def question(result: data.Guess) -> Question:
    """What the browser needs of these readings."""
    source = data.WRITER.resolve()
    layer, head = result.head
    words = [source.label(id) for id in result.candidates]
    n_heads = source.n_layers * source.config.n_heads
    return Question(
        readings=[
            Reading(
                name,
                [source.label(id) for id in source.ids(reading.tokens[1:])],
                reading.attention[layer, head, 1:].astype(float).round(4).tolist(),
                result.key - 1,
                reading.probabilities[list(result.candidates)].astype(float).round(5).tolist(),
            )
            for name, reading in zip(result.names, result.readings, strict=True)
        ],
        words=words,
        options=sorted(words),
        n_words=len(source.labels),
        head=f"layer {layer}, head {head}: of all {n_heads} heads, the one that gives most to a single word here",
    )


VIEW = View(ask, compute, draw, layout=layout, height=300)
