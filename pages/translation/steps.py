"""Step by step: what every step of the decoder saw, and which words it could have written; or several texts at once."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.view import View
from pages.translation import beams, data, sentence
from pages.translation.components.written_word import written_word
from pages.translation.sentence import Sentence
from pages.translation.threads import show_right_answer


class Settings(NamedTuple):
    """beams: how several texts are kept at every step; None for the one of greedy decoding, a beam of width 1."""

    sentence: Sentence
    beams: beams.Settings | None


class Result(NamedTuple):
    translated: data.Translated
    steered: list[list[tuple[str, float]]]
    beams: beams.Result | None


def ask() -> Settings:
    text = sentence.current()
    with settings.place_named("row"):
        return Settings(text, beams.ask(text))


def compute(s: Settings) -> Result:
    found = beams.compute(s.sentence, s.beams) if s.beams else None
    return Result(data.translated(*s.sentence), [] if s.beams else data.steered(*s.sentence), found)


def draw(s: Settings, result: Result) -> None:
    if s.beams and result.beams:
        beams.draw(s.sentence, s.beams, result.beams)
        return
    translated = result.translated
    written_word({**translated.steps, "steered": result.steered}, key="steps")
    last = translated.translation.frames[-1]
    with display.prose():
        encoder = "once" if last.encoder == 1 else f"{last.encoder} times"
        st.markdown(
            f"Over all steps, the encoder ran **{encoder}**, the decoder **{last.decoder} times**.\n\nYour sentence "
            "does not change while it is translated. So the encoder's notes on it (the *memory*, one vector per word) "
            "are made once and read at every step. The decoder reads its own last word and says how likely each of its "
            f"{len(s.sentence.ref.resolve().task.target)} tokens is to come next; the likeliest is written. This is "
            "called *greedy* decoding. With a wider *beam*, several texts are kept at every step."
        )
        # the whole translation is the end of the story, so nothing above tells it
        st.markdown(f"After the last word: {sentence.verdict(s.sentence.ref, translated)}")
    show_right_answer(s.sentence, translated)
    with display.prose():
        teaching.code_expander("transformer/inspection/translation.py", "translate", icon=None)
        questions.ask("translation-steps")


VIEW = View(ask, compute, draw)
