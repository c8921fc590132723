"""Every head of the encoder's self-attention, the decoder's, or the cross-attention between them."""

from typing import NamedTuple

import streamlit as st

from pages.shared import settings
from pages.shared.components.attention_view import attention_view
from pages.shared.teaching import Answer, check
from pages.shared.view import View
from pages.translation import data, sentence
from pages.translation.sentence import Sentence
from pages.translation.threads import show_in_large_letters

KINDS = {"Cross": "cross", "Encoder self": "encoder", "Decoder self": "decoder"}
_ABOUT = {
    "cross": "Rows: the word being written. Columns: the sentence. It need not be square.",
    "encoder": "Every word of the sentence looks at every other, before and after it: no cell is forced to be 0.",
    "decoder": "Rows: the word just read. It sees itself and what came before: the first row is 1, then nothing.",
}


class Settings(NamedTuple):
    sentence: Sentence
    kind: str


def ask() -> Settings:
    with settings.place_named("row"):
        name = settings.choose(
            st.segmented_control, "Attention", "translation_kind", KINDS, "Cross", label_visibility="collapsed"
        )
    return Settings(sentence.current(), KINDS[name])


def compute(s: Settings) -> data.Translated:
    return data.translated(s.sentence.ref, s.sentence.words)


def draw(s: Settings, translated: data.Translated) -> None:
    T, S = translated.maps[s.kind].weights.shape[-2:]
    show_in_large_letters(translated.text)
    best = data.best_head(translated, s.kind)
    attention_view(translated.pictures[s.kind], key=f"translation_{s.kind}", url="tr_", opens=best)
    why = "most of its weight is on the right words" if s.kind == "cross" and translated.answer else "it looks sharpest"
    st.markdown(f"{_ABOUT[s.kind]} Here {T} × {S}. Opened at layer {best[0]}, head {best[1]}: {why}.")
    check(
        "Where do queries, keys and values of the cross-attention come from?",
        Answer("All three from the decoder", ""),
        Answer(
            "Queries from the decoder, keys and values from the memory",
            "The decoder asks; the sentence, as the encoder left it, answers.",
            right=True,
        ),
        Answer("All from memory", ""),
        key="translation-heads",
    )


VIEW = View("All heads", ask, compute, draw)
