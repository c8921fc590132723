"""Sentences of unequal length in one padded batch: does the padding change them? A fold of Paint."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.models.references import Shipped
from lab.kit.models.source import ModelRef
from lab.kit.words import at_most, is_rounding
from pages.masks import data
from pages.masks.components.mask_brush import Panel, mask_brush
from pages.masks.controls import Reading
from pages.masks.data import PAD_TOKEN
from transformer import inspection

OPEN, TITLE = "masks_batch", "Padding: does a batch change its sentences?"
JUDGE, WRITER = "a judge of reviews", "a writer of stories"
READERS = {JUDGE: Shipped("sentiment"), WRITER: Shipped("stories")}
SENTENCES = {
    JUDGE: ("the soup was not good but i love the hotel", "nothing was bad", "lovely"),
    WRITER: ("mia found a red ball in the park.", "tom lost a key.", "mia"),
}


class Settings(NamedTuple):
    ref: ModelRef
    sentences: tuple[tuple[str, ...], ...]
    is_masked: bool  # whether there is a padding mask


def ask(reading: Reading) -> Settings:
    """The first sentence of the batch is the page's own, where the same model reads it."""
    with settings.place(st.container, horizontal=True, vertical_alignment="center", gap="small"):
        if not settings.replaying():
            st.markdown("Padding mask", width="content")
        padding_mask = settings.choose(
            st.segmented_control, "Padding mask", "masks_padding", ("on", "off"), "off", label_visibility="collapsed"
        )
        reader = settings.choose(
            st.segmented_control, "Who reads", "masks_reader", READERS, JUDGE, label_visibility="collapsed"
        )
    ref = READERS[reader]
    sentences = [ref.resolve().cut(text) for text in SENTENCES[reader]]
    first = reading.tokens if reading.ref == ref else sentences[0]
    return Settings(ref, (first, *sentences[1:]), padding_mask == "on")


def compute(s: Settings) -> "inspection.masks.Batch":
    return data.batch(s.ref, s.sentences, s.is_masked)


def draw(s: Settings, batch: "inspection.masks.Batch") -> None:
    _draw_batch(s, batch)
    with display.prose():
        st.markdown(_verdict(batch))
        _explain_shapes(batch.shapes)
        questions.ask("masks-padding", try_it={"masks_reader": WRITER, "masks_padding": "off"})
        teaching.code("transformer/core/masks.py", "padding_of")


def _draw_batch(s: Settings, batch: "inspection.masks.Batch") -> None:
    """Each sentence of the batch in its own panel."""
    panels = []
    for b, sentence in enumerate(s.sentences):
        tokens = sentence + (PAD_TOKEN,) * (batch.weights.shape[-1] - len(sentence))
        mask = None if batch.allowed[b].all() else batch.allowed[b]
        panels.append(Panel(f"Sentence {b + 1}", "weights", tokens, tokens, batch.weights[b, 0], mask, "blocked, 0"))
    alt = f"{len(s.sentences)} sentences in one batch, padded to {batch.weights.shape[-1]} tokens."
    mask_brush(panels, key="mask_batch", alt=alt)


def _verdict(batch: "inspection.masks.Batch") -> str:
    """How far each sentence in the batch is from the sentence alone, in Markdown."""
    largest = float(batch.differences.max()) / batch.largest_logit
    end = "." if is_rounding(largest) else ": the padding has leaked into the sentences."
    return (
        "Sentences that go through a model together, as a **batch**, must have the same length, so the shorter ones are"
        " filled up with ⟨pad⟩. Does that change them? In the batch and alone, the model's logits for a"
        f" sentence, as shares of the largest, differ by **{at_most(largest)}**{end} The panels show the"
        " attention weights of layer 0, head 0, each on its own scale."
    )


def _explain_shapes(shapes: dict[str, tuple[int, ...]]) -> None:
    """How the shapes of the masks broadcast to that of the weights, as a formula."""
    masks = [rf"\underbrace{{{shapes[name]}}}_{{\text{{{name}}}}}" for name in ("padding", "causal") if name in shapes]
    weights = rf"\underbrace{{\w{{{shapes['weights']}}}}}_{{\text{{weights}}}}"
    st.markdown(
        "A mask is stored small and **broadcast**: dimensions of size 1 stretch to fit the attention weights. It is "
        "the same for every head, and padding is the same for every query. Sizes are (batch, heads, queries, keys)."
        if masks
        else "No mask at all: every query sees every key of its own sentence, padding included."
    )
    teaching.formula(r" \;\&\; ".join(masks) + (r" \;\to\; " if masks else "") + weights)
