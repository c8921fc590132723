"""Sentences of unequal length in one padded batch: does the padding change them?"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from pages.masks import data
from pages.masks.components.mask_brush import Panel, mask_brush
from pages.masks.controls import Reading, ask_reading
from pages.masks.data import PAD_TOKEN
from pages.masks.words import number
from pages.shared import settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.hyperparameters import KINDS, MODEL
from pages.shared.source import Kind
from pages.shared.teaching import Answer
from pages.shared.text_input import REVIEWS, STORIES, cut
from pages.shared.view import Comparison, View, places

if TYPE_CHECKING:
    from transformer.inspection.masks import Batch

OTHERS = ("The cat sat on the mat", "Stop")  # sentences of the batch beside the visitor's
OTHERS_KNOWN: dict[Kind, tuple[str, ...]] = {  # the same for trained models
    "encoder": ("nothing was bad", "lovely"),
    "decoder": ("tom lost a key.", "mia"),
}


class Settings(NamedTuple):
    reading: Reading
    sentences: tuple[tuple[str, ...], ...]
    kind: Kind
    is_masked: bool  # whether there is a padding mask


def layout() -> Mapping[str, Any]:
    return {"picture": st.container(key="masks-picture")}


def ask() -> Settings | None:
    with settings.place_named("row"):
        if not settings.replaying():
            st.markdown("Padding mask", width="content")
        padding_mask = settings.choose(
            st.segmented_control, "Padding mask", "masks_padding", ("on", "off"), "on", label_visibility="collapsed"
        )
    reading = ask_reading(REVIEWS, for_any=())
    if reading is None:
        return None
    if reading.ref is None:
        with settings.place_named("row"), settings.line():
            kind: Kind = KINDS[MODEL.ask("model")]
        others = tuple(cut(text).tokens for text in OTHERS)
    else:
        source = reading.ref.resolve()
        kind = source.kind
        others = tuple(source.cut(text) for text in OTHERS_KNOWN[kind])
    return Settings(reading, (reading.tokens, *others), kind, padding_mask == "on")


def compute(s: Settings) -> "Batch":
    return data.batch(s.kind, s.sentences, s.is_masked, s.reading.ref)


def draw(s: Settings, batch: "Batch") -> None:
    with places()["picture"]:
        _draw_batch(s, batch)
    words, question = st.columns(2, gap="large")
    with words:
        st.markdown(_verdict(batch))
        _explain_shapes(batch.shapes)
    with question:
        teaching.check(
            "Switch the padding mask off, and this encoder’s answers change. A decoder’s do not: choose “trained on "
            "stories” and see. Why?",
            Answer(
                "To every real word, padding is the future",
                "It comes after the words, and a decoder never looks ahead. Only the outputs *at* the padding change, "
                "and those are thrown away.",
                right=True,
            ),
            Answer(
                "The vectors of padding are zero",
                "⟨pad⟩ has a row in the table like every token. If its vectors were harmless zeros, the encoder would "
                "not mind them either.",
            ),
            Answer(
                "A decoder learns to ignore padding",
                "It never had the chance: no real word ever looks at any. An untrained decoder behaves the same.",
            ),
            Answer(
                "Its sentences have no padding",
                "They do: look at the columns of ⟨pad⟩ behind the shorter ones.",
            ),
            key="masks-padding",
            try_it={"masks_view": "Batches", "weights": STORIES, "masks_padding": "off"},
        )
        teaching.code_expander("transformer/masks.py", "padding_of", "all_of")


def _draw_batch(s: Settings, batch: "Batch") -> None:
    """Each sentence of the batch in its own panel."""
    panels = []
    for b in range(len(s.sentences)):
        tokens = _padded(s, batch, b)
        mask = None if batch.allowed[b].all() else batch.allowed[b]
        panels.append(Panel(f"Sentence {b + 1}", "weights", tokens, tokens, batch.weights[b, 0], mask, "blocked, 0"))
    alt = f"{len(s.sentences)} sentences in one batch, padded to {batch.weights.shape[-1]} tokens."
    mask_brush(panels, key="mask_batch", alt=alt)


def _verdict(batch: "Batch") -> str:
    """How far each sentence in the batch is from the sentence alone, in Markdown."""
    largest = float(batch.differences.max())
    is_equal = bool((batch.differences < 1e-4 * batch.largest_logit).all())
    result = (
        f"differ by at most **{number(largest)}**: identical, up to rounding."
        if is_equal
        else f"differ by up to **{number(largest)}**: **not** identical. The padding has leaked into the sentences."
    )
    return (
        "Sentences that go through a model together, as a **batch**, must have the same length, so the shorter ones are"
        " filled up with ⟨pad⟩. Does that change them? In the batch and alone, the model's outputs for a sentence"
        f" (logits of up to {number(batch.largest_logit)}) {result} The panels show the attention weights of layer 0,"
        " head 0, each on its own scale."
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


def _padded(s: Settings, batch: "Batch", b: int) -> tuple[str, ...]:
    """The tokens of sentence b, with its padding."""
    return s.sentences[b] + (PAD_TOKEN,) * (batch.weights.shape[-1] - len(s.sentences[b]))


def _shortest(s: Settings, batch: "Batch") -> Sheet:
    tokens = _padded(s, batch, -1)
    return Sheet(batch.weights[-1, 0], "attention weight", ("query", "key"), tokens, tokens, batch.allowed[-1])


VIEW = View(
    "Batches", ask, compute, draw, comparison=Comparison("the shortest sentence, head 0", _shortest),
    layout=layout, height=400,
    asks="Does padding change the sentences of a batch?",
    lede="Short sentences are filled up to the length of the longest. Hatched cells keep every word from looking at the"
    " filling.",
)  # fmt: skip
