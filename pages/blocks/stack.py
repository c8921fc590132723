"""A text and the stack of layers that reads it: the first settings of nearly every view of this page."""

from typing import Any, NamedTuple, cast
from urllib.parse import urlencode

import streamlit as st

from lab.hooks import runtime
from lab.kit import carried, settings, story
from lab.kit.controls.hyperparameters import (
    ACTIVATION,
    ACTIVATIONS,
    D_MODEL,
    LAYER_NORM,
    LAYER_NORMS,
    LAYERS,
    SEED,
    Control,
    ask_heads,
    ask_later_parts,
)
from lab.kit.controls.reader import read_by, sentence_row, source_row
from lab.kit.controls.text_input import EXAMPLES, Sentence, ask_text, read
from lab.kit.models.references import Untrained
from lab.kit.models.source import MAX_TOKENS, ModelRef, Source
from lab.server import gate
from pages.blocks import data
from pages.blocks.components.layer_river import MAX_LANES
from transformer.core.config import TransformerConfig

DEFAULT_LAYERS = 6
DEFAULT_HEADS = 4
AT = "blocks_at"  # the open layer, in links and in st.session_state
PRESSED = "_blocks_pressed"  # in st.session_state: the open layer, once a visitor has pressed it
OPEN_LAYER = Control("Open layer", st.segmented_control, (), 0, "Which layer is shown, counted from 0, the lowest.")
EXPANSION = Control(
    "d_ff / d_model", st.select_slider, (1, 2, 4, 8), 4, "How many times wider the hidden layer is than the stream."
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
    def answers(self) -> bool:
        """Whether what the model says at its end was trained to be an answer."""
        return self.source.answers

    @property
    def usual_lane(self) -> int:
        """The token that is followed through a layer until another one is chosen: where a trained model is asked for
        its answer, or the last of those that are drawn."""
        last = min(len(self.tokens), MAX_LANES) - 1
        return min(last, self.source.answer_position(self.tokens)) if self.answers else last

    @property
    def speaks_at(self) -> int | None:
        """The only token at which the model was trained to say a word; None where it says one at each."""
        is_asked_once = self.answers and self.source.kind == "encoder"
        return self.source.answer_position(self.tokens) if is_asked_once else None

    @property
    def is_pre_norm(self) -> bool:
        """Whether each norm stands before its sublayer."""
        return self.config.norm == "pre"

    @property
    def untrained(self) -> Untrained:
        """The reference, in a view where only untrained models can be chosen."""
        return cast(Untrained, self.ref)


class Places(NamedTuple):
    """Where the controls of a view are drawn, all in the row of the switch.

    primary  what the view is about
    text     the sentence
    line     the model that reads it, and its settings
    """

    primary: Any
    text: Any
    line: Any


def places() -> Places:
    """The places of a view's controls."""
    with settings.place_named("row"):
        primary = settings.place(
            st.container, horizontal=True, vertical_alignment="center", gap="small", width="content", key="blocks-first"
        )
        return Places(primary, sentence_row(), settings.place(st.container, width="content", key="blocks-line"))


def say(text: str) -> None:
    """A word before a control that has no label of its own."""
    settings.place(st.markdown, text, width="content")


def ask_stack(at: Places, *, layer: bool = False, has_logits: bool = False, first: str = story.TEXT) -> Stack | None:
    """A text and a model, trained or not; None, with a notice, for a text without a word.

    layer    with a choice of the layer that is opened, and of how wide its feed-forward layer is
    has_logits  whether the view shows logits
    first       the text that is read until there is another
    """
    with at.line, settings.line():
        reading = read_by(first=first, box=at.text, chip="{}")
        if not _has_words(reading.sentence):
            return None
        tokens = reading.sentence.tokens
        if reading.ref is None:
            stack = _ask_untrained(tokens, layer=layer, has_logits=has_logits)
        else:
            stack = Stack(tokens, reading.ref)
            source_row(stack.source)
    if layer:
        with at.primary:
            return stack._replace(layer=_ask_open_layer(stack))
    return stack


def ask_shallow_stack(at: Places) -> Stack | None:
    """A text and an untrained encoder whose number of layers cannot be chosen; None, with a notice, without a word."""
    with at.text:
        text = read(ask_text(EXAMPLES[0], EXAMPLES), None)
    if not _has_words(text):
        return None
    with at.line, settings.line():
        return _ask_untrained(text.tokens, depth=False)


def _has_words(text: Sentence) -> bool:
    if text.tokens:
        settings.notify(*text.notices)
    else:
        settings.notify("There is no word to look at yet. Type a sentence, or choose one of the examples.")
    return bool(text.tokens)


def _ask_open_layer(stack: Stack) -> int:
    """At first the layer that comes to the word which the model says in the end; who has pressed a layer keeps it."""
    n_layers = stack.source.n_layers
    if n_layers < 2:
        return 0
    usual = 0
    if stack.answers:
        with gate.refusals_to(settings.notify):
            usual = data.telling_layer(stack.ref, stack.tokens, stack.usual_lane)
    carried.bring_head(layer=AT, fits=lambda layer, head: layer < n_layers)
    say("layer")
    why = f"this model has {n_layers} layers, counted from 0, so there is no layer {{}}"
    is_pressed = AT in st.session_state and st.session_state[AT] == st.session_state.get(PRESSED)
    if is_pressed and st.session_state[AT] in range(n_layers) and st.session_state[AT] != usual:
        _name_in_link(str(st.session_state[AT]))
    layer = OPEN_LAYER.ask(
        AT,
        options=range(n_layers),
        default=usual,
        why=why,
        follows=not is_pressed,
        label_visibility="collapsed",
        on_change=_press,
    )
    carried.stand(layer, is_in=carried.stands() is not None)
    return layer


def _press() -> None:
    st.session_state[PRESSED] = st.session_state[AT]


def _name_in_link(layer: str) -> None:
    """A layer that was the usual one when it was pressed is in no link yet."""
    if not settings.replaying() and st.query_params.get(AT) != layer:
        runtime.readdress(urlencode(st.query_params.to_dict() | {AT: layer}))
        st.query_params.update({})  # tells the browser


def _ask_untrained(
    tokens: tuple[str, ...], *, layer: bool = False, depth: bool = True, has_logits: bool = False
) -> Stack:
    """The sizes of an untrained encoder, in the line at hand. depth=False: without the number of its layers."""
    d_model = D_MODEL.ask()
    n_heads = ask_heads(d_model, default=DEFAULT_HEADS)
    n_layers = DEFAULT_LAYERS
    if depth:
        n_layers = LAYERS.ask(default=DEFAULT_LAYERS, help="How many layers are stacked. Each has its own parameters.")
    d_ff = d_model * (EXPANSION.ask("blocks_ff") if layer else EXPANSION.default)
    norm = LAYER_NORMS[LAYER_NORM.ask()]
    activation = ACTIVATIONS[ACTIVATION.ask(help="The curve inside the feed-forward layer: see its tab “The bend”.")]
    seed = SEED.ask()
    later = ask_later_parts(norm=norm, positions="sinusoidal", n_heads=n_heads, d_model=d_model, has_logits=has_logits)
    config = TransformerConfig(
        d_model=d_model,
        n_heads=n_heads,
        d_ff=d_ff,
        n_encoder_layers=n_layers,
        n_decoder_layers=n_layers,
        norm=norm,
        activation=activation,
        max_len=MAX_TOKENS,
        **later,
    )
    return Stack(tokens, Untrained("encoder", config, seed))
