"""Sentences of unequal length in one padded batch: does the padding change them?"""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.masks import data
from pages.masks.components.mask_brush import Panel, mask_brush
from pages.masks.controls import ask_tokens, row
from pages.masks.data import PAD_TOKEN
from pages.masks.words import number
from pages.shared import settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.hyperparameters import KINDS, MODEL
from pages.shared.models import Kind
from pages.shared.text_input import cut
from pages.shared.view import Comparison, View

if TYPE_CHECKING:
    from transformer.inspection.masks import Batch

OTHERS = ("The cat sat on the mat", "Stop")  # sentences of the batch beside the visitor's


class Settings(NamedTuple):
    sentences: tuple[tuple[str, ...], ...]
    kind: Kind
    is_masked: bool  # whether there is a padding mask


def ask() -> Settings | None:
    tokens = ask_tokens()
    if not tokens:
        return None
    with row():
        kind = KINDS[MODEL.ask("model")]
        padding_mask = settings.choose(
            st.segmented_control, "Padding mask", "masks_padding", ("on", "off"), "on",
            help="On: nobody may look at ⟨pad⟩.",
        )  # fmt: skip
    return Settings((tokens, *(cut(text).tokens for text in OTHERS)), kind, padding_mask == "on")


def compute(s: Settings) -> "Batch":
    return data.batch(s.kind, s.sentences, s.is_masked)


def draw(s: Settings, batch: "Batch") -> None:
    _draw_batch(s, batch)
    words, code = st.columns([1, 1], gap="large")
    with words:
        _explain_shapes(batch.shapes)
        teaching.check(
            "A decoder, in which nobody looks ahead, gives the same without a padding mask: choose it, and see. Why?",
            ["Padding is zero", "Padding comes after the words, and nobody looks ahead", "By chance"],
            1,
            "For every real word the padding is the future. Only the outputs at the padding itself differ, and those "
            "are thrown away. In an encoder everybody looks everywhere, so there the mask is needed.",
            key="masks_padding_check",
        )
    with code:
        teaching.code("transformer/masks.py", "padding_of")
        teaching.code("transformer/masks.py", "all_of")


def _draw_batch(s: Settings, batch: "Batch") -> None:
    """Each sentence of the batch in its own panel, and how far it is from the sentence alone."""
    differences = ", ".join(f"**{number(difference)}**" for difference in batch.differences)
    is_equal = bool((batch.differences < 1e-4 * batch.largest_logit).all())
    verdict = "the same but for rounding" if is_equal else "**not** the same: the padding got into the sentences"
    st.markdown(
        "Sentences that go through a model together, as a **batch**, must be equally long, so the shorter ones are "
        "filled up with ⟨pad⟩, the padding. Does that change them? Each sentence in the batch, beside the same "
        f"sentence alone: the model's answers (logits) of up to {number(batch.largest_logit)} differ by at most "
        f"{differences}. That is {verdict}."
    )
    panels = []
    for b in range(len(s.sentences)):
        tokens = _padded(s, batch, b)
        mask = None if batch.allowed[b].all() else batch.allowed[b]
        panels.append(Panel(f"Sentence {b + 1}", "weights", tokens, tokens, batch.weights[b, 0], mask, "blocked, 0"))
    alt = f"{len(s.sentences)} sentences in one batch, padded to {batch.weights.shape[-1]} tokens."
    mask_brush(panels, key="mask_batch", alt=alt)


def _explain_shapes(shapes: dict[str, tuple[int, ...]]) -> None:
    """How the shapes of the masks broadcast to that of the weights, as a formula."""
    masks = [rf"\underbrace{{{shapes[name]}}}_{{\text{{{name}}}}}" for name in ("padding", "causal") if name in shapes]
    weights = rf"\underbrace{{\w{{{shapes['weights']}}}}}_{{\text{{weights}}}}"
    st.markdown(
        "A mask is as small as it can be, and stretches to the weights where it has a 1, or nothing at all: the same "
        "for every head, and padding the same for every query. Sizes are (batch, heads, queries, keys)."
        if masks
        else "No mask at all: every query sees every key of its row of the batch, padding included."
    )
    teaching.formula(r" \;\&\; ".join(masks) + (r" \;\to\; " if masks else "") + weights)


def _padded(s: Settings, batch: "Batch", b: int) -> tuple[str, ...]:
    """The tokens of sentence b, with its padding."""
    return s.sentences[b] + (PAD_TOKEN,) * (batch.weights.shape[-1] - len(s.sentences[b]))


def _shortest(s: Settings, batch: "Batch") -> Sheet:
    tokens = _padded(s, batch, -1)
    return Sheet(batch.weights[-1, 0], "weight", ("query", "key"), tokens, tokens, batch.allowed[-1])


VIEW = View(
    "Batches", ask, compute, draw, comparison=Comparison("the shortest sentence, head 0", _shortest), height=400
)  # fmt: skip
