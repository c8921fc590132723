"""Guess the next word: a sentence with a word missing, the model that reads it, and what that makes of it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from attention_view.layout import as_bytes
from lab.kit.components import component
from lab.kit.components.sentence_words import take_text

_mount = component("guess", Path(__file__).parent)


class Reading(NamedTuple):
    """A sentence as the model has read it, up to the missing word.

    name      what sets it apart from the others: a name in it, or its last word; "" for one alone
    tokens    without what stands for the start of a text
    unread    which of them are letters of a word that the model has never read
    weights   where the last token looks, one attention weight per token
    start     the weight that it gives to the start of the text
    looks_at  of the tokens before the last, the one that gets most
    shares    the probability of each of the `words` as the next
    without   that of its likeliest next word without this head
    """

    name: str
    tokens: Sequence[str]
    unread: Sequence[bool]
    weights: Sequence[float]
    start: float
    looks_at: int
    shares: Sequence[float]
    without: float


class Question(NamedTuple):
    """Readings of one sentence, with one word in it after another, and what a visitor chooses from.

    swap     which word that is: "name", wherever that name stands, or "last", the last word; "" for none
    words    the likeliest next words of any reading, the likeliest first
    options  some of them, in the order of the alphabet, so that it tells nothing
    n_words  how many the model chooses from
    head     names the head whose weights these are
    sentence what can be chosen in place of its words, as sentence_words has it; None where there is nothing
    """

    readings: Sequence[Reading]
    swap: str
    words: Sequence[str]
    options: Sequence[str]
    n_words: int
    head: str
    sentence: dict | None


class Scene(NamedTuple):
    """The model that reads: what attention_view.scenes makes of a pass for each reading, in their order.

    header  of the pass whose q, k and v are here, `name` says of which reading; `opens`: (layer, head) whose threads
            are drawn; `doors`: pages for the places of the scene, by the length of their paths; `marks`: those about
            its parts
            `units`: [F, D], and `layer`: the one whose units are here, or -1
    arrays  stream, hidden, maps: one for each reading; q, k, v; units, out, bias, mid of that layer
    """

    header: Mapping[str, Any]
    arrays: Mapping[str, np.ndarray]


def guess(question: Question, scene: Scene, *, key: str, box: str, max_letters: int) -> None:
    """Put the question on the page; nothing of the answer is drawn before a visitor has guessed. A word that is changed
    there writes the new sentence, of so many letters at most, into the session under the key of the box."""
    readings = [reading._asdict() for reading in question.readings]
    data = as_bytes(question._asdict() | {"readings": readings, "scene": dict(scene.header)}, scene.arrays)
    _mount(data=data, key=key, on_text_change=lambda: take_text(key, box, max_letters), on_name_change=lambda: None)
