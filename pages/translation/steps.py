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
    show_right_answer(translated)
    last = translated.translation.frames[-1]
    words, check = st.columns([1, 1], gap="large")
    with words:
        encoder = "once" if last.encoder == 1 else f"{last.encoder} times"
        st.markdown(
            f"Counted while it ran: the encoder **{encoder}**, the decoder **{last.decoder} times**. The sentence does "
            "not change while it is translated, so what the encoder made of it (the *memory*, one vector per word) is "
            "worked out once and read at every step. The decoder reads its own last word and says how likely each "
            f"of its {len(s.ref.resolve().task.target)} tokens is as the next; the likeliest is written."
        )
        teaching.code_expander("transformer/inspection/translation.py", "translate", icon=None)
    with check:
        check(
            "A sentence of 8 words becomes 9 words and ⟨end⟩. How often does each half run?",
            Answer(
                "Encoder once, decoder 10 times",
                (
                    "All source words go through the encoder at once. The decoder runs once for every token that it "
                    "writes, "
                    "⟨end⟩ included."
                ),
                right=True,
            ),
            Answer("Both 10 times", ""),
            Answer("Encoder 8 times, decoder 10 times", ""),
            key="translation-steps",
        )


VIEW = View("Step by step", sentence.current, lambda s: data.translated(s.ref, s.words), draw)
