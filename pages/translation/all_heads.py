"""Every head of the encoder's self-attention, the decoder's, or the cross-attention between them."""

from typing import NamedTuple

import streamlit as st

from pages.shared import settings, teaching, view
from pages.shared.components.attention_view import attention_view
from pages.shared.teaching import Answer
from pages.translation import data, padding, sentence
from pages.translation.sentence import Sentence
from pages.translation.threads import show_in_large_letters

KINDS = {"Cross": "cross", "Encoder self": "encoder", "Decoder self": "decoder"}
KIND, PADDED = "translation_kind", padding.VIEW.name
_ABOUT = {
    "cross": "Rows: the word being written. Columns: your sentence. The map need not be square.",
    "encoder": "Every word of your sentence looks at every other, before and after it: no cell is forced to 0.",
    "decoder": "Rows: the word just read. It sees itself and what came before it: the first row is 1, then zeros.",
}


class Settings(NamedTuple):
    """kind: one of the three attentions, or that of a sentence with padding behind it."""

    sentence: Sentence
    kind: str


def ask() -> Settings:
    with settings.place_named("row"):
        name = settings.choose(
            st.segmented_control, "Attention", KIND, (*KINDS, PADDED), "Cross", label_visibility="collapsed", wrap=True
        )
    return Settings(sentence.current(), KINDS.get(name, PADDED))


def compute(s: Settings) -> data.Translated | None:
    return None if s.kind == PADDED else data.translated(s.sentence.ref, s.sentence.words)


def draw(s: Settings, translated: data.Translated | None) -> None:
    if translated is None:
        view.show(padding.VIEW, places={"row": view.places()["row"]})
        return
    T, S = translated.maps[s.kind].weights.shape[-2:]
    show_in_large_letters(translated.text)
    best = data.best_head(translated, s.kind)
    attention_view(translated.pictures[s.kind], key=f"translation_{s.kind}", url="tr_", opens=best)
    is_aligned = s.kind == "cross" and translated.answer
    why = "most of its attention weight is on the right words" if is_aligned else "no head looks more sharply"
    st.markdown(f"{_ABOUT[s.kind]} Here {T} × {S}. Opened at layer {best[0]}, head {best[1]}: {why}.")
    teaching.check(
        "A cell of this head is almost 1. What does that prove?",
        Answer(
            "That this head fetched almost only that word’s value",
            "Whether the model *needs* it is another question. Take the head out and see what changes.",
            right=True,
        ),
        Answer(
            "That the model wrote its word because of that cell",
            "Strong cells may be idle, and several heads may fetch the same. Silence this head under “Pull a plug”: "
            "the translation often stays.",
        ),
        Answer(
            "That the two words are translations of each other",
            "In a good head of cross-attention they often are. But ⟨end⟩ has strong cells as well, and translates "
            "nothing.",
        ),
        Answer(
            "That all heads look there",
            "Every head has its own 1 to give away. Compare the other maps.",
        ),
        key="translation-cell",
        try_it={"translation_view": "Pull a plug", "translation_plug": "one head"},
    )


VIEW = view.View(
    "All heads", ask, compute, draw,
    asks="What does every one of its heads look at, and does padding change it?",
    lede="Every head of the translator at once; choose one to see it large.",
)  # fmt: skip
