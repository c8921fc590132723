"""Guess the next word: a small model that has learned from stories, a sentence, and what the model makes of it."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import streamlit as st

from attention_view import scenes
from lab.kit import carried, catalogue, settings, story
from lab.kit.components import sent
from lab.kit.components.sentence_words import payload
from lab.kit.controls.reader import STORIES
from lab.kit.models.word_choices import choices
from lab.kit.view import View, places
from pages.overview import asked, contents, data, doors
from pages.overview.components.guess import Question, Reading, Scene, guess
from pages.overview.components.units_feed import units_feed
from transformer.training.text import clean, words

if TYPE_CHECKING:
    from lab.kit.models.references import TrainedSource

BOX, KEY, FEED = "front_text", "guess", "guess-units"
_LINKED = "__linked"  # in st.session_state: the first text of this visit, and the word that a link asks for in it
MAX_LETTERS = 200
FEWEST = 3  # words of which one can say that most are read in pieces
DIGITS = 6  # of a probability: as many as tell it from certainty


class Settings(NamedTuple):
    """The tokens of the sentence, the start of the text in front, how it was typed, the word in it that the visitor
    looks into the model with, if it is another, the layer whose units a link looks into; -1 for none; and the word
    that a link asks for."""

    tokens: tuple[str, ...]
    text: str
    name: str = ""
    layer: int = -1
    linked: str = ""


class Result(NamedTuple):
    """The readings with each word, a pass of the model for each of them, what the last token passes in the layers, and
    the units that are looked into."""

    guess: data.Guess
    passes: tuple[scenes.Pass, ...]
    stations: tuple[tuple[scenes.Station, ...], ...]
    units: Mapping[str, Any]


def layout() -> Mapping[str, Any]:
    """The words stand in the picture and can be pressed there; below it is an empty box for a sentence of one's own."""
    return {"picture": st.container(), "box": st.container(key="front-box", horizontal=True)}


def ask() -> Settings:
    """The sentence that was typed, or the one that the page opens with."""
    source = data.WRITER.resolve()
    has_come = BOX not in st.session_state
    with settings.place_named("box"):
        text = carried.text_box(
            "A sentence of your own",
            BOX,
            "",
            home="",
            shape=lambda text: text[:MAX_LETTERS],
            max_chars=MAX_LETTERS,
            placeholder="Type a sentence of your own",
            label_visibility="collapsed",
            icon=":material/edit:",
            width=420,
        )[:MAX_LETTERS]
    text = text if source.cut(text) else story.TEXT
    tokens = source.cut(text)
    for notice in notices(text):
        settings.notify(notice)
    if has_come or _LINKED not in st.session_state:
        st.session_state[_LINKED] = text, st.query_params.get("front_name", "")
    first, linked = st.session_state[_LINKED]
    linked = linked if text == first else ""  # what is typed later has words of its own
    name = sent(KEY, "name", str) or linked
    layer = asked.linked_layer()
    has_it = 0 <= layer < source.config.n_decoder_layers
    return Settings(tokens[: data.N_READ], text, name, layer if has_it else -1, linked)


def notices(text: str) -> tuple[str, ...]:
    """What a visitor should know of how the writer reads this text."""
    source, found = data.WRITER.resolve(), text.split()
    tokens, told = source.cut(text), list[str]()
    if len(tokens) > data.N_READ:
        read = sum(len(source.cut(" ".join(found[: n + 1]))) <= data.N_READ for n in range(len(found)))
        what = f"The first {read} words are" if read > 1 else "Only the beginning of the text is"
        told.append(f"{what} read: {data.N_READ} tokens, with the mark ⟨start⟩. Type a shorter sentence.")
    if unmet := source.unmet(text):
        told.append(unmet)
    elif _is_mostly_pieces(source, text):
        told.append(
            "This model was trained on English stories and reads most of these words in pieces: “…” goes on within a"
            " word, and ␣ is a space."
        )
    return tuple(told)


def _is_mostly_pieces(source: "TrainedSource", text: str) -> bool:
    """Whether more than half of the words of a text, if they are a few, are more than one token each."""
    cuts = [len(source.of_text(source.cut(word))) for word in words(clean(text)) if word.isalpha()]
    return len(cuts) >= FEWEST and 2 * sum(n > 1 for n in cuts) > len(cuts)


def compute(s: Settings) -> Result:
    result = data.guess(s.tokens, s.linked if s.linked in data.all_names() else "")
    passes = tuple(data.scene_pass(reading.tokens) for reading in result.readings)
    tokens = result.readings[_at(s, result)].tokens
    return Result(result, passes, data.stations(tokens), data.units(tokens, s.layer) if s.layer >= 0 else {})


def _at(s: Settings, result: data.Guess) -> int:
    """Which reading the visitor looks into."""
    return result.names.index(s.name) if s.name in result.names else 0


def draw(s: Settings, result: Result) -> None:
    with places()["picture"]:
        guess(question(s, result.guess), pictures(s, result), key=KEY, box=BOX, max_letters=MAX_LETTERS)
        tokens = result.guess.readings[_at(s, result.guess)].tokens
        n_layers = data.WRITER.resolve().config.n_decoder_layers
        units_feed(" ".join(tokens), n_layers, partial(data.units, tokens), key=FEED)
    layer, head = result.guess.head
    cell = {"layer": layer, "head": head, "query": len(s.tokens) - 1, "key": result.guess.keys[0]}
    link = {"weights": STORIES, "text": s.text, **cell}
    with places()["box"]:
        st.page_link(
            catalogue.page("heads").script,
            label="All heads on this sentence",
            icon=":material/grid_on:",
            query_params={name: str(value) for name, value in link.items()},
        )


def question(s: Settings, result: data.Guess) -> Question:
    """What the browser needs of these readings."""
    source = data.WRITER.resolve()
    layer, head = result.head
    offered = choices(source.ref, s.text)
    likely = [source.label(id) for id in result.candidates]
    return Question(
        readings=[
            Reading(
                name,
                reading.tokens[1:],
                source.unread(reading.tokens[1:]),
                reading.attention[layer, head, 1:].astype(float).round(4).tolist(),
                round(float(reading.attention[layer, head, 0]), 4),
                key - 1,
                reading.probabilities[list(result.candidates)].astype(float).round(DIGITS).tolist(),
                round(float(np.exp(reading.without[data.likeliest(source, reading.logs)])), DIGITS),
            )
            for name, reading, key in zip(result.names, result.readings, result.keys, strict=True)
        ],
        swap=result.swap,
        words=likely,
        options=sorted(likely),
        n_words=len(source.labels),
        head=f"layer {layer}, head {head}",
        sentence=payload(offered) if offered else None,
    )


def pictures(s: Settings, result: Result) -> Scene:
    """The scene of these passes; that of the chosen name can be entered down to a product."""
    at = _at(s, result.guess)
    run, config = result.passes[at], data.WRITER.resolve().config
    header = scenes.header_of(s.tokens, run) | {"name": result.guess.names[at], "opens": list(result.guess.head)}
    header |= {"units": [config.d_ff, config.d_model], "layer": s.layer}
    header["doors"] = doors.of_story(STORIES)
    header["marks"] = [mark._asdict() for mark in contents.marks()]
    through, passed = scenes.stations_of(result.stations)
    arrays = scenes.pictures_of(result.passes) | scenes.vectors_of(run) | passed | dict(result.units)
    return Scene(header | through, arrays)


VIEW = View(ask, compute, draw, layout=layout, height=300)
