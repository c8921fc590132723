"""One word is changed: what is written now, where the heads look now, and what the other words have heard of it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings
from lab.kit.components import sent
from lab.kit.figures import display
from lab.kit.view import View, places
from pages.translation import data, sentence
from pages.translation.components.changed_word import Side, changed_word, payload
from pages.translation.edit import (
    FOLLOW,
    GRAFT,
    PLACE,
    WORD,
    Edit,
    ask_edit,
    ask_word,
    default_replacement,
    highlighted,
    matched,
    name_of,
    replacements,
    shown,
    unchanged,
)
from pages.translation.sentence import Sentence
from pages.translation.surprise import after, by_surprise

PICTURE = "edit_picture"
MEAN = "mean"  # over the heads of a layer


class Settings(NamedTuple):
    """follow: the place of the word whose vector may be exchanged, if there is one but the changed; graft: it is."""

    sentence: Sentence
    edit: Edit
    layer: int
    head: str
    follow: int | None
    graft: bool

    @property
    def head_name(self) -> str:
        return f"layer {self.layer}, {MEAN if self.head == MEAN else f'head {self.head}'}"


class Result(NamedTuple):
    """Both translations, the pairs of words that stand for each other in them, their cross-attention in the chosen head
    (T, S), and what changed from a, before, to b, after: NaN in rows of b that have no counterpart. How similar the
    vectors of both sentences are, what is written from a's memory with one vector of b's, if it was exchanged; and the
    change that the button offers, as a place and a word."""

    a: data.Translated
    b: data.Translated
    pairs: list[tuple[int, int]]
    weights_a: np.ndarray
    weights_b: np.ndarray
    difference: np.ndarray
    similarity: data.Similarity
    grafted: tuple[str, ...] | None
    next: tuple[int, str] | None


def layout() -> Mapping[str, Any]:
    picture, words, vectors = st.container(), display.prose(), st.container()
    return {
        "picture": picture,
        "words": words,
        "vectors": vectors.container(),
        "graft": vectors.container(),
        "grafted": vectors.container(),
        "explained": vectors.container(),
    }


def ask() -> Settings:
    text = sentence.current()
    config = text.ref.resolve().config
    L = config.n_decoder_layers
    layer = L - 1
    with settings.place_named("row"), settings.line():
        edit = ask_edit(text)
        if L > 1:
            layer = settings.choose(st.select_slider, "Layer", "tr_edit_layer", range(L), L - 1, follows=True)
        heads = (MEAN, *map(str, range(config.n_heads)))
        head = settings.choose(st.select_slider, "Head", "tr_edit_head", heads, MEAN)
    return Settings(text, edit, layer, head, *_ask_graft(text, edit))


def _ask_graft(text: Sentence, edit: Edit) -> tuple[int | None, bool]:
    """The word whose vector may be exchanged, and whether it is; beside the table of vectors."""
    others = [n for n in range(len(edit.words)) if n != edit.place]
    if edit.words == text.words or not others:
        return None, False
    with (
        settings.place_named("graft"),
        settings.place(st.container, horizontal=True, vertical_alignment="center", gap="small"),
    ):
        st.markdown("In the memory before the change, the vector of", width="content")
        follow = ask_word("Follow word", FOLLOW, text.words, others, _default_word(text, edit, others))
        graft = st.toggle("is that from after it", key=GRAFT, bind="query-params")
    return follow, graft


def _default_word(text: Sentence, edit: Edit, others: list[int]) -> int:
    """The adjective whose vector changes most; where there is no adjective, the word."""
    adjectives = text.ref.resolve().task.kinds.get("adjectives", ())
    cosines = data.similarity(text.ref, text.words, edit.words).cosines
    candidates = [n for n in others if text.words[n] in adjectives] or others
    return min(candidates, key=lambda n: cosines[-1, n])


def compute(s: Settings) -> Result:
    ref, words = s.sentence
    a, b = data.translated(ref, words), data.translated(ref, s.edit.words)
    weights_a, weights_b = (_weights(side.maps["cross"].weights, s.layer, s.head) for side in (a, b))
    pairs = matched(a.words, b.words)
    difference = np.full(weights_b.shape, np.nan)
    for i, j in pairs:
        difference[j] = weights_b[j] - weights_a[i]
    similarity = data.similarity(ref, words, s.edit.words)
    grafted = None
    if s.graft and s.follow is not None:
        grafted = data.memory_swapped(ref, words, s.edit.words, s.follow)
    return Result(
        a, b, pairs, weights_a, weights_b, difference, similarity, grafted, after(s.edit, by_surprise(*s.sentence))
    )


def _press() -> None:
    """A word of the picture was exchanged, "place:word": the controls say so, and so does the link."""
    place, _, word = (sent(PICTURE, "press", str) or "").partition(":")
    words = sentence.current().words
    if place.isdecimal() and int(place) < len(words):
        st.session_state[PLACE] = name_of(words, int(place))
        settings.turn(WORD, word)  # also where it is the usual one of another place


def _weights(weights: np.ndarray, layer: int, head: str) -> np.ndarray:
    return weights[layer].mean(0) if head == MEAN else weights[layer, int(head)]


def draw(s: Settings, result: Result) -> None:
    words, edited = s.sentence.words, s.edit.words
    task = s.sentence.ref.resolve().task
    a, b = result.a.words, result.b.words
    same, exchanged = [], []
    for i, j in result.pairs:
        (same if a[i] == b[j] else exchanged).append((i, j))
    changed_a, changed_b = set(range(len(a))) - {i for i, _ in same}, set(range(len(b))) - {j for _, j in same}
    with places()["picture"]:
        changed_word(
            payload(
                words,
                s.edit.place,
                edited[s.edit.place],
                Side(a, result.weights_a, changed_a, result.a.fault.first),
                Side(b, result.weights_b, changed_b, result.b.fault.first),
                result.similarity.cosines[-1],
                pairs=exchanged,
                head_name=s.head_name,
                others=[replacements(word, task) for word in words],
                next=result.next,
            ),
            key=PICTURE,
            on_press=_press,
        )
    if edited != words:
        places()["words"].markdown(looks(*stayed(result, same)))
    _draw_vectors(s, result)
    if sentence.is_french(s.sentence.ref):
        with places()["words"]:
            _check(s)


def stayed(result: Result, same: list[tuple[int, int]]) -> tuple[int, int, float]:
    """Of the tokens that stand in both translations, at the places `same`: how many there are, how many look most at
    another word of the sentence now, and by how much an attention weight of theirs differs at most."""
    n_elsewhere = sum(result.weights_a[i].argmax() != result.weights_b[j].argmax() for i, j in same)
    largest = max((float(np.abs(result.difference[j]).max()) for _, j in same), default=0.0)
    return len(same), n_elsewhere, largest


def looks(n_same: int, n_elsewhere: int, largest: float) -> str:
    """How many of the tokens that stay in the translation look most at another word now, in Markdown: at another thick
    thread, in the picture."""
    if not n_same:
        return "No token stays in the translation."
    difference = f"The largest change in an :violet[attention weight] is :violet[**{largest:.3f}**]."
    if n_same == 1:
        where = "at another word now" if n_elsewhere else "where it did before"
        return f"The one token that stays in the translation looks most {where}. {difference}"
    if not n_elsewhere:
        return (
            f"Each of the **{n_same}** tokens that stay in the translation still looks most where it did. {difference}"
        )
    look = "looks" if n_elsewhere == 1 else "look"
    stay = f"the {n_same} tokens that stay in the translation"
    return f"**{n_elsewhere}** of {stay} {look} most at another word now. {difference}"


def _draw_vectors(s: Settings, result: Result) -> None:
    """How similar the vectors of every word are in both sentences, layer by layer, and what one of them carries."""
    if s.edit.words == s.sentence.words:
        return
    stages, cosines = result.similarity
    changed = s.edit.place
    head = [f":orange-background[{shown(w)}]" if n == changed else shown(w) for n, w in enumerate(s.edit.words)]
    rows = (
        f"| {stage} | " + " | ".join(f"{x:.2f}" for x in line) + " |"
        for stage, line in zip(stages, cosines, strict=True)
    )
    with places()["vectors"]:
        st.markdown(
            "**How similar the two vectors of each word are, before and after** (their cosine, up the encoder)\n\n"
            f"| after | {' | '.join(head)} |\n|---|{'--:|' * len(head)}\n" + "\n".join(rows)
        )
    if s.follow is not None:
        with places()["explained"]:
            st.markdown(
                f"Before the first layer, both vectors of **{shown(s.sentence.words[s.follow])}** are the same: one row"
                " of the table, one position. Then each takes in its neighbours, and in the memory their cosine is "
                f"**{cosines[-1, s.follow]:.2f}**. That is a *contextual* embedding: no longer the word by itself, but "
                "the word in this sentence."
            )
    if result.grafted is not None and s.follow is not None:
        with places()["grafted"]:
            _draw_graft(s, result, result.grafted)


def _draw_graft(s: Settings, result: Result, grafted: tuple[str, ...]) -> None:
    """What is written from the memory before, from that after, and from that before with one vector from after."""
    assert s.follow is not None
    changed = set(range(len(grafted))) - unchanged(result.a.words, grafted)
    written = highlighted(grafted, changed) or "(nothing)"
    st.markdown(
        f"| memory | written |\n|---|---|\n| before | {highlighted(result.a.words[:-1], set())} |\n"
        f"| before, but **{shown(s.sentence.words[s.follow])}** from after | {written} |\n"
        f"| after | {highlighted(result.b.words[:-1], set())} |"
    )


def _check(s: Settings) -> None:
    """Trying it takes a changed word."""
    old = s.sentence.words[s.edit.place]
    new = s.edit.words[s.edit.place]
    if new == old:
        new = default_replacement(old, replacements(old, s.sentence.ref.resolve().task))
    questions.ask("translation-change", try_it={"translation_view": "Change a word", GRAFT: True, WORD: new})


VIEW = View(ask, compute, draw, layout=layout)
