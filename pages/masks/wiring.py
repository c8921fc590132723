"""Every way to feed queries, keys and values of one attention from an encoder and a decoder."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.masks import data, figures
from pages.masks.controls import TARGET, ask_tokens, row
from pages.shared import display, settings, teaching
from pages.shared.text_input import cut
from pages.shared.view import View

if TYPE_CHECKING:
    from transformer.inspection.qkv_sources import Stream, Wiring

STREAMS: "dict[str, Stream]" = {"encoder": "encoder", "decoder": "decoder"}


class Settings(NamedTuple):
    """Where queries, keys and values come from, and how many vectors there are of each stream."""

    queries: "Stream"
    keys: "Stream"
    values: "Stream"
    n_encoder: int
    n_decoder: int

    @property
    def sources(self) -> "dict[str, Stream]":
        return {"queries": self.queries, "keys": self.keys, "values": self.values}

    @property
    def lengths(self) -> dict[str, int]:
        return {"encoder": self.n_encoder, "decoder": self.n_decoder}

    @property
    def home(self) -> "Stream":
        """The stream whose residual connection the output is meant for."""
        return "encoder" if set(self.sources.values()) == {"encoder"} else "decoder"


def ask() -> Settings | None:
    tokens = ask_tokens()
    if not tokens:
        return None
    with row():
        queries, keys, values = (
            STREAMS[
                settings.choose(st.segmented_control, f"{name.capitalize()} from", f"wire_{name}", STREAMS, default)
            ]
            for name, default in (("queries", "decoder"), ("keys", "encoder"), ("values", "encoder"))
        )
    return Settings(queries, keys, values, len(tokens), len(cut(TARGET).tokens))


def compute(s: Settings) -> "Wiring":
    return data.wiring(s.queries, s.keys, s.values, s.n_encoder, s.n_decoder)


def draw(s: Settings, wiring: "Wiring") -> None:
    output = "nothing" if wiring.n_outputs is None else f"{wiring.n_outputs} vectors"
    display.figure(
        figures.ports(s.sources, s.lengths, wiring.n_outputs, s.home),
        key="masks_ports",
        alt="; ".join(f"{name} from the {stream}" for name, stream in s.sources.items()) + f". Out: {output}.",
    )
    streams = " and ".join(sorted(wiring.depends_on))
    st.markdown(_verdict(s, wiring) + (f" The output depends on: {streams}, by its gradient." if streams else ""))
    words, code = st.columns([1, 1], gap="large")
    with words:
        _explain(s)
    with code:
        teaching.code("transformer/layers.py", "DecoderLayer.forward")


def _verdict(s: Settings, wiring: "Wiring") -> str:
    """What this wiring is, or why it is none, in Markdown."""
    if wiring.n_outputs is None:
        return (
            f"**Nothing comes out.** There is a weight for each of {s.lengths[s.keys]} keys, but there are "
            f"{s.lengths[s.values]} values."
        )
    if wiring.name:
        return f"This is **{wiring.name}**: {wiring.n_outputs} vectors ask, and {wiring.n_outputs} come back."
    if s.home in wiring.fits:
        return (
            f"**It runs, and is wrong.** Both texts have {wiring.n_outputs} words, so every shape fits; but this is "
            "none of the three attentions of a Transformer."
        )
    return (
        f"**{wiring.n_outputs} vectors come out, and the {s.home} has {s.lengths[s.home]}**: they cannot be added to "
        "its stream."
    )


def _explain(s: Settings) -> None:
    st.markdown(
        f"The encoder has read your sentence of {s.n_encoder} words; the decoder has written {s.n_decoder}, "
        f"“{TARGET}”. An attention has three ports. Whoever feeds the :blue[**queries**] asks, and gets as many "
        "vectors back as it asked with; :orange[**keys**] and :green[**values**] are two readings of the same "
        "words, so they have to come from one stream. Three of the eight ways are in every Transformer. With two "
        "texts of the same length the other five run as well, and nobody complains: that is why such a mistake "
        "goes unnoticed."
    )
    teaching.check(
        "The decoder is to take in what the encoder has read. Who asks?",
        ["The encoder, with its queries", "The decoder, with its queries"],
        1,
        "What comes out is as long as the queries, and is added to the stream that asked: the decoder's.",
        key="masks_wiring_check",
    )


VIEW = View("Wiring", ask, compute, draw)
