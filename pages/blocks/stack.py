"""A text and the stack of layers that reads it: the first settings of nearly every view of this page."""

from typing import NamedTuple, cast

import streamlit as st

from pages.shared import settings
from pages.shared.hyperparameters import (
    ACTIVATION,
    ACTIVATIONS,
    D_MODEL,
    LAYER_NORM,
    LAYER_NORMS,
    LAYERS,
    MAX_HEADS,
    SEED,
    Control,
    ask_heads,
    divisors,
)
from pages.shared.models import MAX_TOKENS, ModelRef, Source, Untrained
from pages.shared.text_input import REVIEWS, Sentence, read_by, sentence, source_row
from transformer.config import TransformerConfig

DEFAULT_LAYERS = 6
DEFAULT_HEADS = 4
OPEN_LAYER = Control("Open layer", st.select_slider, (), 1, "Which layer is opened; 1 is the lowest.")
EXPANSION = Control(
    "d_ff / d_model", st.select_slider, (1, 2, 4, 8), 4, "How many times wider than the stream the hidden layer is."
)


class Stack(NamedTuple):
    """The tokens of a text, the model that reads them, and which of its layers is open, from 0."""

    tokens: tuple[str, ...]
    ref: ModelRef
    layer: int = 0

    @property
    def source(self) -> Source:
        return self.ref.resolve()

    @property
    def config(self) -> TransformerConfig:
        return self.source.config

    @property
    def is_trained(self) -> bool:
        return self.source.is_trained

    @property
    def is_pre_norm(self) -> bool:
        """Whether each norm stands before its sublayer."""
        return self.config.norm == "pre"

    @property
    def untrained(self) -> Untrained:
        """The reference, in a view where only untrained models can be chosen."""
        return cast(Untrained, self.ref)


def ask_stack(weights: str = REVIEWS, *, layer: bool = False, expansion: bool = False) -> Stack | None:
    """A text and a model, trained or not; None, with a notice, for a text without a word.

    weights    the model that is chosen at first, by its name on screen
    layer      with a choice of the layer that is opened
    expansion  with a choice of d_ff in the place of the number of heads
    """
    reading = read_by(weights)
    if not _has_words(reading.sentence):
        return None
    tokens = reading.sentence.tokens
    if reading.ref is None:
        return _ask_untrained(tokens, layer=layer, expansion=expansion)
    return Stack(tokens, reading.ref, _trained_row(reading.ref.resolve(), layer))


def ask_shallow_stack() -> Stack | None:
    """A text and an untrained encoder whose number of layers cannot be chosen; None, with a notice, without a word."""
    text = sentence()
    return _ask_untrained(text.tokens, depth=False) if _has_words(text) else None


def _has_words(text: Sentence) -> bool:
    if text.tokens:
        settings.notify(*text.notices)
    else:
        settings.notify("There is no word to look at yet. Type a sentence, or pick one of the examples.")
    return bool(text.tokens)


def _trained_row(source: Source, layer: bool) -> int:
    """The facts of a trained model, and beside them the choice of the open layer, if there is one."""
    with settings.place(st.container, horizontal=True, vertical_alignment="center", gap="medium"):
        source_row(source)
        return _ask_open_layer(source.n_layers, width=150) if layer else 0


def _ask_open_layer(n_layers: int, **more: int) -> int:
    if n_layers < 2:
        return 0
    why = f"there are {n_layers} layers, so none is number {{}}"
    return OPEN_LAYER.ask("blocks_layer", options=range(1, n_layers + 1), why=why, **more) - 1


def _ask_untrained(
    tokens: tuple[str, ...], *, layer: bool = False, expansion: bool = False, depth: bool = True
) -> Stack:
    """The sizes of an untrained encoder in one row. depth=False: without the number of its layers."""
    with settings.place(st.grid, 7, min_column_width=112, gap="small", vertical_alignment="bottom", key="model-row"):
        d_model = D_MODEL.ask("d_model")
        if expansion:  # the feed-forward layer has no heads
            n_heads = settings.nearest(DEFAULT_HEADS, divisors(d_model, MAX_HEADS))
        else:
            n_heads = ask_heads("heads", d_model, default=DEFAULT_HEADS)
        n_layers = DEFAULT_LAYERS
        if depth:
            n_layers = LAYERS.ask(
                "layers", default=DEFAULT_LAYERS,
                help="How many layers stand on each other, each with numbers of its own.",
            )  # fmt: skip
        open_layer = _ask_open_layer(n_layers) if layer else 0
        d_ff = d_model * (EXPANSION.ask("blocks_ff") if expansion else EXPANSION.default)
        norm = LAYER_NORMS[LAYER_NORM.ask("norm")]
        activation = ACTIVATIONS[
            ACTIVATION.ask("activation", help="The curve inside the feed-forward layer: see there, The bend.")
        ]
        seed = SEED.ask("seed")
    config = TransformerConfig(
        d_model=d_model,
        n_heads=n_heads,
        d_ff=d_ff,
        n_encoder_layers=n_layers,
        n_decoder_layers=n_layers,
        norm=norm,
        activation=activation,
        max_len=MAX_TOKENS,
    )
    return Stack(tokens, Untrained("encoder", config, seed), open_layer)
