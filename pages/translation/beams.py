"""Beam search, a part of Step by step: several translations go on at every step, and the best of them wins."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.words import fixed
from pages.translation import data, sentence
from pages.translation.components.beam_tree import beam_tree
from pages.translation.sentence import Sentence

UNSURE = {  # outside of the grammar, where a translator is least sure of itself, by the language that it writes
    "French": ("These cats", "These girls"),
    "English": ("Les enfants", "Mia a"),
}
WIDTH = "tr_beam_width"  # in links
ALPHAS = (0.0, 0.5, 0.6, 1.0, 1.5, 2.0)


class Settings(NamedTuple):
    """width: how many texts are kept at every step, at least 2."""

    width: int
    alpha: float


class Result(NamedTuple):
    """Beam search with the chosen width, greedy decoding (a beam of width 1), and a sentence for which the two differ
    with these settings: "" where they differ for this one, or for none that is known."""

    beams: data.Beams
    greedy: data.Beams
    try_this: str


def ask(text: Sentence) -> Settings | None:
    """The width of the beam and the length penalty; None for a beam of width 1, greedy decoding."""
    with settings.line():
        width = settings.choose(
            st.select_slider,
            "Beam width",
            WIDTH,
            range(1, 7),
            1,
            chip="beam width {}",
            help="How many translations are kept at every step. 1 is greedy.",
            on_change=_open_where_it_matters,
            args=(text,),
        )
        if width == 1:
            return None
        alpha = settings.choose(
            st.select_slider,
            "Length penalty α",
            "tr_beam_alpha",
            ALPHAS,
            1.0,
            chip="length penalty α = {}",
            help="Finished texts are ranked by score / length^α. 0 favours short texts; larger values favour longer "
            "ones.",
        )
    return Settings(width, alpha)


def _open_where_it_matters(text: Sentence) -> None:
    """Of the first example the model is sure, so that all beams are alike: take a sentence of which it is not."""
    unsure = UNSURE.get(sentence.language(text.ref))
    is_first_example = text.words == data.tokenised(text.ref, sentence.examples(text.ref)[0]).words
    if unsure and is_first_example and st.session_state[WIDTH] > 1:
        st.session_state[sentence.key_of_text(text.ref)] = unsure[0]


def compute(text: Sentence, s: Settings) -> Result:
    ref, words = text
    beams, greedy = data.beams(ref, words, s.width, s.alpha), data.beams(ref, words, 1, s.alpha)
    agree = greedy.texts[0].text == beams.texts[0].text
    return Result(beams, greedy, _sentence_that_differs(text, s) if agree else "")


def _sentence_that_differs(typed: Sentence, s: Settings) -> str:
    """A sentence for which this very beam search finds another text than greedy decoding, or ""."""
    ref = typed.ref
    for text in UNSURE.get(sentence.language(ref), ()):
        words = data.tokenised(ref, text)
        if words.unknown or not words.words or words.words == typed.words:
            continue
        texts = [data.beams(ref, words.words, width, s.alpha).texts[0].text for width in (1, s.width)]
        if texts[0] != texts[1]:
            return text
    return ""


def draw(typed: Sentence, s: Settings, result: Result) -> None:
    beams = result.beams
    beam_tree(
        beams.steps,
        beams.best,
        key="beam_tree",
        alt=f"Beam search of width {s.width} over {len(beams.steps)} steps; the winner is: {beams.texts[0].text}.",
    )
    with display.prose():
        st.markdown(
            "| rank | ended | score | ÷ length^α |\n|---|---|---|---|\n"
            + "\n".join(
                f"| {n} | {display.plain(text) or '(nothing)'} | {fixed(score, 3)} | {fixed(final, 3)} |"
                for n, (text, score, final) in enumerate(beams.texts, start=1)
            )
        )
        st.markdown(_verdict(result))
        _offer(typed, result.try_this)
        st.markdown(
            "At every step, each kept text is continued with every word; the best of all continuations are kept, the "
            "others dropped. A text's score is the sum of its words' log-probabilities, so it falls with every word: "
            "without a length penalty, short texts would win."
        )
        teaching.formula(r"\text{score} = \frac{1}{n^{\alpha}} \sum_{t=1}^{n} \log p(y_t \mid y_{<t}, \text{memory})")
        questions.ask(
            "translation-beam",
            try_it={
                "translation_view": "Step by step",
                "tr_direction": "EN → FR",
                "tr_english": "a",
                "tr_beam_width": 3,
                "tr_beam_alpha": 0.0,
            },
        )
        teaching.code_expander("transformer/generation/beam.py", "beam_search", icon=None)


def _verdict(result: Result) -> str:
    """Whether beam search found another text than greedy decoding, and why, in Markdown."""
    greedy, best = result.greedy.texts[0], result.beams.texts[0]
    if greedy.text == best.text:
        return (
            "**Greedy and beam agree**: always taking the likeliest next word led to the same text, so looking farther "
            "ahead changed nothing."
        )
    why = (
        "The likeliest next word is not always the beginning of the likeliest text."
        if best.score > greedy.score
        else f"As a whole, that is the likelier text ({fixed(greedy.score, 3)} against {fixed(best.score, 3)}). The "
        "winner is longer, and comes first only after the division by length. Set α to 0 and see."
    )
    return f"**They differ.** Greedy writes *{display.plain(greedy.text)}*. {why}"


def _offer(typed: Sentence, text: str) -> None:
    """A button that takes the sentence for which greedy decoding and beam search differ, if one is known."""
    if text:
        key = sentence.key_of_text(typed.ref)
        st.button(
            f"Try “{text}”, where they differ", key="beam-try", on_click=lambda: st.session_state.__setitem__(key, text)
        )


def _signed(x: float) -> str:
    return fixed(x, 3)
