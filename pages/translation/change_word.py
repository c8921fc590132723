"""One word is changed: what is written now, and where the heads look now."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.shared import display, settings, teaching
from pages.shared.teaching import Answer
from pages.shared.view import View
from pages.translation import data, figures, sentence
from pages.translation.edit import Edit, ask_edit, highlighted, matched
from pages.translation.sentence import Sentence

MEAN = "mean"  # over the heads of a layer
MIN_SHIFT = 0.05  # of a weight, for a row to count as looking elsewhere


class Settings(NamedTuple):
    sentence: Sentence
    edit: Edit
    layer: int
    head: str

    @property
    def head_name(self) -> str:
        return f"layer {self.layer}, {MEAN if self.head == MEAN else f'head {self.head}'}"


class Result(NamedTuple):
    """Both translations, the pairs of words that stand for each other in them, their cross-attention in the chosen head
    (T, S), and what changed from A to B: NaN in rows of B that have no counterpart."""

    a: data.Translated
    b: data.Translated
    pairs: list[tuple[int, int]]
    weights_a: np.ndarray
    weights_b: np.ndarray
    difference: np.ndarray


def ask() -> Settings:
    text = sentence.current()
    config = text.ref.resolve().config
    L = config.n_decoder_layers
    layer = L - 1
    with settings.place_named("row"):
        edit = ask_edit(text)
        with settings.line():
            if L > 1:
                layer = settings.choose(
                    st.select_slider, "Layer", "edit_layer", range(L), L - 1, follows=True, chip="layer {}"
                )  # fmt: skip
            heads = (MEAN, *map(str, range(config.n_heads)))
            head = settings.choose(st.select_slider, "Head", "edit_head", heads, MEAN, chip="head: {}")
    return Settings(text, edit, layer, head)


def compute(s: Settings) -> Result:
    a, b = data.translated(*s.sentence), data.translated(s.sentence.ref, s.edit.words)
    weights_a, weights_b = (_weights(side.maps["cross"].weights, s.layer, s.head) for side in (a, b))
    pairs = matched(a.words, b.words)
    difference = np.full(weights_b.shape, np.nan)
    for i, j in pairs:
        difference[j] = weights_b[j] - weights_a[i]
    return Result(a, b, pairs, weights_a, weights_b, difference)


def _weights(weights: np.ndarray, layer: int, head: str) -> np.ndarray:
    return weights[layer].mean(0) if head == MEAN else weights[layer, int(head)]


def draw(s: Settings, result: Result) -> None:
    words, edited, place = s.sentence.words, s.edit.words, s.edit.place
    a, b = result.a.words, result.b.words
    same = [(i, j) for i, j in result.pairs if a[i] == b[j]]
    changed_a, changed_b = set(range(len(a))) - {i for i, _ in same}, set(range(len(b))) - {j for _, j in same}
    largest = float(max(result.weights_a.max(), result.weights_b.max()))
    columns = st.columns(3, gap="medium")
    sides = (("A", words, a, result.weights_a), ("B", edited, b, result.weights_b))
    for column, (side, english, written, weights) in zip(columns[:2], sides, strict=True):
        with column:
            display.figure(
                figures.cross_attention(written, english, weights, largest, f"{side}: {s.head_name}"),
                key=f"edit_{side}",
                alt=f"Cross-attention of {side}, {s.head_name}: {len(written)} by {len(english)},"
                f" up to {weights.max():.2f}.",
            )  # fmt: skip
    shifts = np.abs(result.difference)
    largest_shift = float(np.nanmax(shifts, initial=0.0))
    with columns[2]:
        display.figure(
            figures.attention_change(b, edited, result.difference), key="edit_gap",
            alt=f"The change from A to B: at most {largest_shift:.3f} in a cell.",
        )  # fmt: skip
    for side, english, written, changed in (("A", words, a, changed_a), ("B", edited, b, changed_b)):
        st.markdown(
            f"**{side}** {highlighted(english, {place}, 'orange')} → {highlighted(written[:-1], changed, 'blue')}"
        )
    n_shifted = int((np.nan_to_num(shifts, nan=1.0).max(-1) > MIN_SHIFT).sum())
    st.markdown(
        f"You changed one word. Of the {len(b)} tokens written, :blue[**{len(changed_b)}**] changed, and "
        f"**{n_shifted}** look somewhere else (by more than 0.05). The largest change of an attention weight is "
        f":violet[**{largest_shift:.2f}**]."
        + (" Rows without a counterpart in A are left blank." if len(result.pairs) < len(b) else "")
        if edited != words
        else "Nothing was changed."
    )
    if not sentence.is_french(s.sentence.ref):
        return
    teaching.check(
        "“the little cat” gives *petit*, “the little house” *petite*, and in the last layer both look almost only at "
        "“little”. How does the model know which to write?",
        Answer(
            "In the encoder, the vector of “little” has already taken in the noun",
            "What it looks at is not the bare word but its vector in the memory. Put that one vector into the other "
            "sentence, and the ending follows it.",
            right=True,
        ),
        Answer(
            "It has two rows for “little” in its table, one per gender",
            "There is one row for “little”. English does not tell the two apart; only the neighbours do.",
        ),
        Answer(
            "It writes either, and training counts both as right",
            "Training counts exactly one as right. And it gets them right, nearly every time.",
        ),
        Answer(
            "It looks ahead at the French noun",
            "*chat* or *maison* is not written yet. The causal mask and the order of writing both forbid it.",
        ),
        key="translation-change",
        try_it={"translation_view": "In context", "graft": True},
    )


VIEW = View(
    "Change a word", ask, compute, draw, asks="What else changes with one word?",
    lede="A is your sentence; in B one word is changed. The third map is the difference: where attention has moved.",
)  # fmt: skip
