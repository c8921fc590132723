"""Guess the next word: a small model that has learned from stories, a sentence, and what the model makes of it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import carried, catalogue, settings, story
from lab.kit.components.sentence_words import payload
from lab.kit.controls.reader import STORIES
from lab.kit.models.word_choices import choices
from lab.kit.view import View, places
from pages.overview import data
from pages.overview.components.guess import Question, Reading, guess

BOX = "front_text"
MAX_LETTERS = 200


class Settings(NamedTuple):
    """The tokens of the sentence, the start of the text in front, and how it was typed."""

    tokens: tuple[str, ...]
    text: str


def layout() -> Mapping[str, Any]:
    """The box stands below the picture, whose words can be tapped as well."""
    return {"picture": st.container(), "box": st.container(key="front-box")}


def ask() -> Settings:
    """The sentence that was typed, or the one that the page opens with."""
    source = data.WRITER.resolve()
    with settings.place_named("box"), st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        text = carried.text_box(
            "Tap any word to change it, or type a sentence of your own",
            BOX,
            "",
            home="",
            shape=lambda text: text[:MAX_LETTERS],
            max_chars=MAX_LETTERS,
            placeholder=story.TEXT,
            icon=":material/edit:",
            width=640,
        )[:MAX_LETTERS]
    text = text if source.cut(text) else story.TEXT
    tokens = source.cut(text)
    if len(tokens) > data.N_READ:
        settings.notify(f"The first {data.N_READ} words are read. Type a shorter sentence.")
    return Settings(tokens[: data.N_READ], text)


def compute(s: Settings) -> data.Guess:
    return data.guess(s.tokens)


def draw(s: Settings, result: data.Guess) -> None:
    with places()["picture"]:
        guess(question(s, result), key="guess", box=BOX, max_letters=MAX_LETTERS)
    layer, head = result.head
    cell = {"layer": layer, "head": head, "query": len(s.tokens) - 1, "key": result.key}
    with places()["box"], st.container(horizontal=True, gap="small"):
        for url, label, icon, link in (
            ("heads", "All heads on this sentence", "grid_on", {"weights": STORIES, "text": s.text, **cell}),
            ("generation", "Let the model continue", "edit_note", {"gen_text": s.text}),
        ):
            st.page_link(
                catalogue.page(url).script,
                label=label,
                icon=f":material/{icon}:",
                query_params={name: str(value) for name, value in link.items()},
            )


def question(s: Settings, result: data.Guess) -> Question:
    """What the browser needs of these readings."""
    source = data.WRITER.resolve()
    layer, head = result.head
    offered = choices(source.ref, s.text)
    words = [source.label(id) for id in result.candidates]
    n_heads = source.n_layers * source.config.n_heads
    return Question(
        readings=[
            Reading(
                name,
                reading.tokens[1:],
                source.unread(reading.tokens[1:]),
                reading.attention[layer, head, 1:].astype(float).round(4).tolist(),
                result.key - 1,
                reading.probabilities[list(result.candidates)].astype(float).round(5).tolist(),
            )
            for name, reading in zip(result.names, result.readings, strict=True)
        ],
        words=words,
        options=sorted(words),
        n_words=len(source.labels),
        head=f"layer {layer}, head {head}: of all {n_heads} heads, the one without which the answer changes most",
        sentence=payload(offered) if offered else None,
    )


VIEW = View(ask, compute, draw, layout=layout, height=300)
