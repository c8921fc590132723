"""The three attentions of an encoder-decoder, and their masks."""

from typing import NamedTuple

import streamlit as st

from pages.masks import data
from pages.masks.components.mask_brush import Panel, mask_brush
from pages.masks.controls import ask_target, ask_tokens, row
from pages.masks.data import Attentions
from pages.shared import settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.components.attention_view import attention_view
from pages.shared.view import Comparison, View

ALL = "All three"
KINDS = {"Encoder self": "encoder", "Decoder self": "decoder", "Cross": "cross"}
BLOCKED = {"encoder": "padding, 0", "decoder": "the future, 0", "cross": "padding, 0"}


class Settings(NamedTuple):
    source: tuple[str, ...]
    target: tuple[str, ...]
    n_pads: int
    shown: str

    @property
    def compared(self) -> str:
        """The kind of attention that A | B compares."""
        return KINDS.get(self.shown, "cross")


def ask() -> Settings | None:
    source = ask_tokens()
    if not source:
        return None
    with row():
        target = ask_target()
        n_pads = settings.choose(
            st.select_slider, "Padding after the source", "masks_pads", range(5), 2, width=200,
            help="What a shorter sentence is filled up with in a batch. Nobody may look at it.",
        )  # fmt: skip
        shown = settings.choose(st.segmented_control, "Show", "masks_which", (ALL, *KINDS), ALL)
    if not target:
        settings.notify("There is no target to write yet. Type one.")
        return None
    return Settings(source, target, n_pads, shown)


def compute(s: Settings) -> Attentions:
    return data.attentions(s.source, s.target, s.n_pads)


def draw(s: Settings, result: Attentions) -> None:
    st.markdown(
        "A translator has two halves. The **encoder** reads the whole source; what it makes of it is the **memory**. "
        "Then the **decoder** writes the target, word by word. Attention is at work in three places:"
    )
    if s.shown == ALL:
        panels = [
            Panel(title, "weights", m.queries, m.keys, m.weights[0, 0], m.mask, BLOCKED[kind])
            for title, kind in KINDS.items()
            for m in [result.maps[kind]]
        ]
        alt = (
            f"Three attentions of an encoder-decoder that reads {len(s.source)} words and has written {len(s.target)}."
        )
        mask_brush(panels, key="mask_three", alt=alt)
    else:
        kind = KINDS[s.shown]
        attention_view(result.packed[kind], key=f"masks_{kind}", url="masks_")
    shapes = {kind: m.weights.shape[1:] for kind, m in result.maps.items()}
    one, two, three = st.columns(3, gap="large")
    one.markdown(
        f"**Encoder self-attention** {shapes['encoder']}. Every source word looks at every source word, before and "
        "after it. Only padding is closed."
    )
    two.markdown(
        f"**Decoder self-attention** {shapes['decoder']}. Every target word looks at itself and at all that came "
        "before; the first row is 1 and then zeros."
    )
    three.markdown(
        f"**Cross-attention** {shapes['cross']}. :blue[Queries] from the target, :orange[keys] and :green[values] "
        "from the encoder's memory, so every row sees the whole source. It need not be square, and nobody looks at "
        "padding."
    )
    st.caption("Sizes are (heads, queries, keys). The model is random: what you see is the shape, not a translation.")
    words, code = st.columns([1, 1], gap="large")
    with words:
        teaching.check(
            "Why is the cross-attention not masked like the decoder's own?",
            ["The whole source is known before the first word is written", "It is an oversight", "It has no rows"],
            0,
            "Nothing in the source is in the future: a translator has read all of it before writing.",
            key="masks_cross",
        )
    with code:
        teaching.code("transformer/layers.py", "DecoderLayer.forward")


def _weights(s: Settings, result: Attentions) -> Sheet:
    m = result.maps[s.compared]
    return Sheet(m.weights[0, 0], "weight", ("query", "key"), tuple(m.queries), tuple(m.keys), m.mask)


VIEW = View(
    "Three attentions", ask, compute, draw,
    comparison=Comparison(lambda s: f"{s.compared}, layer 0, head 0", _weights), height=400,
)  # fmt: skip
