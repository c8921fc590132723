"""Every head of a translator, in the fold below its threads: encoder, decoder, across, and with padding behind it."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings
from lab.kit.components.attention_view import attention_view
from lab.kit.figures import display
from lab.kit.words import as_chance
from pages.translation import data
from pages.translation.sentence import Sentence

OPEN = "translation_heads"  # in links: whether the fold is open
KINDS = {"Cross": "cross", "Encoder self": "encoder", "Decoder self": "decoder"}
KIND, PADDED = "translation_kind", "Cross, with padding"
MAX_PADS = 8
_ABOUT = {
    "cross": "Rows: the word being written. Columns: your sentence. The map need not be square.",
    "encoder": "Every word of your sentence looks at every other, before and after it: no cell is forced to 0.",
    "decoder": "Rows: the word just read. It sees itself and what came before it: the first row is 1, then zeros.",
}


class Settings(NamedTuple):
    """kind: one of the three attentions. n_pads: how much padding stands behind the sentence; masked: is it hidden?"""

    kind: str
    n_pads: int = 0
    masked: bool = True


def ask(text: Sentence) -> Settings:
    name = settings.choose(
        st.segmented_control, "Attention", KIND, (*KINDS, PADDED), "Cross", label_visibility="collapsed", wrap=True
    )
    return Settings(KINDS[name]) if name in KINDS else _ask_padding(text)


def _ask_padding(text: Sentence) -> Settings:
    limit = min(MAX_PADS, data.max_pads(text.ref, len(text.words)))
    if limit < 1:
        settings.notify(
            "This model has no more positions than your sentence has words, so there is no room for padding."
        )
        return Settings("cross")
    with settings.place(st.container, horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("Padding mask", width="content")
        masked = settings.choose(
            st.segmented_control, "Padding mask", "translation_mask", ("on", "off"), "on", label_visibility="collapsed"
        )
        n_pads = 1
        if limit > 1:
            with settings.line(key="padding"):
                n_pads = settings.choose(
                    st.select_slider,
                    "The other sentence is longer by",
                    "translation_pads",
                    range(1, limit + 1),
                    min(3, limit),
                    follows=True,
                    chip="{} pad{s} behind it",
                )
    return Settings("cross", n_pads, masked == "on")


def compute(s: Settings, text: Sentence) -> data.Padded | None:
    """What becomes of the sentence with padding; None without any."""
    return data.padded(text.ref, text.words, s.n_pads, masked=s.masked) if s.n_pads else None


def draw(s: Settings, translated: data.Translated, padded: data.Padded | None) -> None:
    best = _best_head(translated, s.kind)
    picture = padded.picture if padded else translated.pictures[s.kind]
    attention_view(picture, key=f"translation_{'padded' if padded else s.kind}", url="tr_", opens=best)
    if padded:
        _say_what_padding_does(translated, padded)
        return
    T, S = translated.maps[s.kind].weights.shape[-2:]
    is_aligned = s.kind == "cross" and translated.answer
    why = "most of its attention weight is on the right words" if is_aligned else "no head looks more sharply"
    st.markdown(f"{_ABOUT[s.kind]} Here {T} × {S}. Opened at layer {best[0]}, head {best[1]}: {why}.")
    questions.ask("translation-cell", try_it={"translation_view": "Ablation", "translation_plug": "one head"})


def _say_what_padding_does(translated: data.Translated, padded: data.Padded) -> None:
    same = padded.text == translated.text
    outcome = "the same translation as without padding" if same else f"now: *{display.plain(padded.text)}*"
    largest = "exactly **0**" if padded.weight_on_padding == 0 else f"**{padded.weight_on_padding:.2f}**"
    st.markdown(
        "In a batch, every sentence is made as long as the longest: the rest is filled with ⟨pad⟩. The mask hides it "
        "from the encoder’s own attention and from the cross-attention, since the keys of both are the source. The "
        f"largest attention weight of any word on a ⟨pad⟩, in any head, is {largest}. Result: {outcome}. Of "
        f"{data.N_TESTS} held-out sentences with padding behind them, **{as_chance(padded.share)}** are exactly right."
    )


def _best_head(translated: data.Translated, kind: str) -> tuple[int, int]:
    """Layer and head with the most weight on the right alignment; where none is known, the one that looks sharpest."""
    import numpy as np

    weights, answer = translated.maps[kind].weights, translated.answer
    T, S = weights.shape[-2:]
    cells = [(i, j) for i, j in answer.alignment if i < T and j < S] if answer and kind == "cross" else []
    if cells:
        scores = sum(weights[:, :, i, j] for i, j in cells)
    else:
        scores = weights[:, :, 1:].max(-1).mean(-1) if T > 1 else weights.max(-1).mean(-1)
    layer, head = np.unravel_index(int(np.argmax(scores)), weights.shape[:2])
    return int(layer), int(head)
