"""Where queries, keys and values come from, and what they are for: a word's query is laid on the keys of all words."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet
from lab.kit.view import Comparison, View, places
from pages.attention import data, subject
from pages.attention.components.three_mills import Asked, three_mills
from pages.attention.subject import Subject

WORD = "att_query"  # in links


class Settings(NamedTuple):
    subject: Subject
    word: int  # whose query is laid on the keys


class Result(NamedTuple):
    """The text with that word, and with another one in its place where one is similar enough."""

    asked: tuple[Asked, ...]


def layout() -> Mapping[str, Any]:
    return {"picture": st.container(key="att-picture"), "reader": st.container()}


def ask() -> Settings | None:
    with settings.place_named("reader"):
        asked = subject.ask_head(_ask_word)
    return None if asked is None else Settings(*asked)


def _ask_word(shown_on: Subject) -> int:
    """The word that asks: the last one, unless a link or the chip names another. A word may stand there twice."""
    words = {f"{n} {name}": n for n, name in enumerate(shown_on.labels)}
    word = settings.choose(
        st.selectbox, "Word that asks", WORD, words, list(words)[-1], quiet=True, follows=True, chip="query of {}"
    )
    return words[word]


def compute(s: Settings) -> Result:
    ref, labels = s.subject.ref, s.subject.labels
    assert ref is not None
    other = data.swapped(ref, labels, s.word)
    return Result(tuple(_asked(s, text) for text in (labels, other) if text))


def _asked(s: Settings, text: tuple[str, ...]) -> Asked:
    ref, layer, head = s.subject.ref, s.subject.layer, s.subject.head
    assert ref is not None
    value = data.projection(ref, text, layer, head, "v")
    return Asked(text[s.word], value.x, value.y, data.fit(ref, text, layer, head, s.word, s.subject.is_causal))


def draw(s: Settings, result: Result) -> None:
    with places()["picture"]:
        three_mills(result.asked, words=s.subject.names("k"), at=s.word, key="att_projection")
    with display.prose():
        _describe(s, result.asked[0])
        questions.ask(
            "attention-learned", try_it={"text": "mia found a green hat. tom found a blue ball. mia took the green"}
        )
        teaching.code_expander(
            "transformer/core/attention.py", "MultiHeadAttention.forward", "MultiHeadAttention.keys_values"
        )


def _describe(s: Settings, asked: Asked) -> None:
    word, D, d_k = display.plain(asked.word), asked.x.shape[1], len(asked.fit.q)
    st.markdown(
        f"**Where do queries, keys and values come from?** A word brings none of them, only one vector of {D} numbers."
        f" Three matrices turn it into three shorter vectors of {d_k} numbers: :blue[what it looks for], :orange[what"
        " it is found by] and :green[what it passes on]. All words share the three matrices."
    )
    teaching.formula(
        r"\q{q} = x\,W_q \qquad \k{k} = x\,W_k \qquad \v{v} = x\,W_v \qquad \text{score} = \q{q} \cdot \k{k}"
    )
    st.markdown(
        f"**What are they for?** The query of *{word}* is laid on a key and multiplied number by number. Two large"
        " numbers of the same sign add much to the score, two of opposite signs take as much away."
    )
    assert s.subject.ref is not None
    learned = "learned once, in training" if s.subject.ref.resolve().is_trained else "what training would change"
    st.markdown(
        f"| {learned} | computed afresh for every text |\n|---|---|\n"
        "| $W_q$, $W_k$, $W_v$ | vectors, :blue[queries], :orange[keys], :green[values], :violet[attention weights] |"
    )
    head = f"Head {s.subject.head} in layer {s.subject.layer}. Every head has three matrices of its own."
    turned = " Positions turn each key by its distance from the query (rotary); above, keys are drawn as turned."
    st.caption(head + (turned if _is_turned(s, asked) else ""))


def _is_turned(s: Settings, asked: Asked) -> bool:
    ref = s.subject.ref
    assert ref is not None
    made = data.projection(ref, s.subject.labels, s.subject.layer, s.subject.head, "k").y
    return not np.allclose(asked.fit.keys, made, atol=1e-3)


def _numbers(s: Settings, result: Result) -> Sheet:
    fit = result.asked[0].fit
    names = s.subject.names("k")
    return Sheet(fit.scores[None], "score", ("query", "key"), (names[s.word],), names)


VIEW = View(ask, compute, draw, layout=layout, comparison=Comparison("how well each key fits", _numbers), height=470)
