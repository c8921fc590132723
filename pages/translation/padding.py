"""Padding behind a sentence, with its mask and without."""

from typing import NamedTuple

import streamlit as st

from pages.shared import display, settings, teaching
from pages.shared.components.attention_view import attention_view
from pages.shared.teaching import Answer
from pages.shared.view import View
from pages.translation import data, sentence
from pages.translation.sentence import Sentence
from pages.translation.threads import show_in_large_letters

MAX_PADS = 8


class Settings(NamedTuple):
    sentence: Sentence
    n_pads: int
    masked: bool


class Result(NamedTuple):
    """The translation of the sentence alone, what becomes of it with padding, and the head to open."""

    text: str
    padded: data.Padded
    best: tuple[int, int]


def ask() -> Settings | None:
    text = sentence.current()
    limit = min(MAX_PADS, data.max_pads(text.ref, len(text.words)))
    if limit < 1:
        settings.notify(
            "This model has no more positions than your sentence has words, so there is no room for padding."
        )
        return None
    with settings.place_named("row"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
            st.markdown("Padding mask", width="content")
            masked = settings.choose(
                st.segmented_control, "Padding mask", "translation_mask", ("on", "off"), "on",
                label_visibility="collapsed",
            ) == "on"  # fmt: skip
        n_pads = 1
        if limit > 1:
            with settings.line():
                n_pads = settings.choose(
                    st.select_slider, "The other sentence is longer by", "translation_pads", range(1, limit + 1),
                    min(3, limit), follows=True, chip="{} pad{s} behind it",
                )  # fmt: skip
    return Settings(text, n_pads, masked)


def compute(s: Settings) -> Result:
    ref, words = s.sentence
    alone = data.translated(ref, words)
    padded = data.padded(ref, words, s.n_pads, masked=s.masked)
    return Result(alone.text, padded, data.best_head(alone, "cross"))


def draw(s: Settings, result: Result) -> None:
    padded = result.padded
    show_in_large_letters(padded.text)
    attention_view(padded.picture, key="translation_padded", url="tr_", opens=result.best)
    same = padded.text == result.text
    outcome = "the same translation as without padding" if same else f"now: *{display.plain(padded.text)}*"
    words, check = st.columns([1, 1], gap="large")
    with words:
        largest = "exactly **0**" if padded.weight_on_padding == 0 else f"**{padded.weight_on_padding:.2f}**"
        st.markdown(
            "In a batch, every sentence is made as long as the longest: the rest is filled with ⟨pad⟩. The largest "
            f"attention weight of any word on a ⟨pad⟩, in any head, is {largest}. Result: {outcome}. Of {data.N_TESTS} "
            f"held-out sentences with padding behind them, **{padded.share:.0%}** are exactly right."
        )
        with st.expander("The code that ran"):
            teaching.code("transformer/masks.py", "padding_of")
            teaching.code("transformer/inspection/translation.py", "translate_padded")
    with check:
        teaching.check(
            "Which of the three attentions need the padding mask of the source?",
            Answer(
                "The encoder’s own and the cross-attention",
                "Both have the source as their keys.",
                right=True,
            ),
            Answer(
                "Only the encoder’s own",
                "The decoder reads the memory, and that has a vector for every ⟨pad⟩ as well. It, too, must not look "
                "there.",
            ),
            Answer(
                "Only the decoder’s own",
                "Its keys are words of the *translation*. Whatever padding these have comes after them, where nobody "
                "looks anyway.",
            ),
            Answer(
                "None: a trained model knows that ⟨pad⟩ means nothing",
                "It was trained with the mask, so it has never met a ⟨pad⟩. Switch the mask off and look at the maps.",
            ),
            key="translation-padding",
            try_it={
                "translation_view": "All heads",
                "translation_kind": "Cross, with padding",
                "translation_mask": "off",
            },
        )


VIEW = View("Cross, with padding", ask, compute, draw)
