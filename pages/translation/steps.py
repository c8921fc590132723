"""Step by step: what every step of the decoder saw, and which words it could have written."""

import streamlit as st

from pages.shared import teaching
from pages.shared.teaching import Answer
from pages.shared.view import View
from pages.translation import data, sentence
from pages.translation.components.alignment_threads import alignment_threads
from pages.translation.sentence import Sentence
from pages.translation.threads import show_right_answer, show_translation


def draw(s: Sentence, translated: data.Translated) -> None:
    show_translation(s, translated)
    alignment_threads(translated.steps, key="steps")
    show_right_answer(s, translated)
    last = translated.translation.frames[-1]
    words, check = st.columns([1, 1], gap="large")
    with words:
        encoder = "once" if last.encoder == 1 else f"{last.encoder} times"
        st.markdown(
            f"Counted while it ran: the encoder **{encoder}**, the decoder **{last.decoder} times**. Your sentence "
            "does not change while it is translated. So the encoder's notes on it (the *memory*, one vector per word) "
            "are made once and read at every step. The decoder reads its own last word and says how likely each of its "
            f"{len(s.ref.resolve().task.target)} tokens is to come next; the likeliest is written."
        )
        teaching.code_expander("transformer/inspection/translation.py", "translate", icon=None)
    with check:
        teaching.check(
            "A sentence of 8 words becomes 9 words and ⟨end⟩. How often does each half run?",
            Answer(
                "The encoder once, the decoder 10 times",
                "All source words go through the encoder together. The decoder runs once per token, ⟨end⟩ included.",
                right=True,
            ),
            Answer(
                "Both 10 times",
                "Your sentence stays the same at every step, so reading it again would give the same memory again.",
            ),
            Answer(
                "The encoder 8 times, the decoder 10 times",
                "The encoder does not read word by word: all eight go through it side by side.",
            ),
            Answer(
                "Both once",
                "The decoder cannot write all words at once: each step needs the word that the step before has "
                "written.",
            ),
            key="translation-steps",
        )


VIEW = View(
    "Step by step",
    sentence.current,
    lambda s: data.translated(s.ref, s.words),
    draw,
    asks="What could it have written at every step?",
    lede="The decoder writes one word at a time: see where it looks, and what else it could have written.",
)
