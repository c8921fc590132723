"""The controls of the front page: the sizes of the model on its map, and the model of its first picture."""

from collections.abc import Iterable
from dataclasses import dataclass

import streamlit as st

from pages.shared.controls import ModelChoice, choose
from pages.shared.readers import Mask
from transformer.config import PRESETS, TransformerConfig

# What stands for all models where one finished picture is wanted: its heads differ although nothing was learned.
EXAMPLE = ModelChoice(
    kind="decoder",
    config=TransformerConfig(d_model=64, n_heads=4, n_encoder_layers=1, n_decoder_layers=1, positions="alibi"),
    mask=Mask("causal"),
    seed=0,
)
EXAMPLE_LINK = {"model": "Decoder", "positions": "ALiBi", "layers": "1"}  # the same, as model() reads it


@dataclass(frozen=True)
class Sizes:
    """The sizes of an encoder-decoder, and of a batch of `batch` pairs of texts, S source and T target tokens each."""

    config: TransformerConfig
    batch: int
    S: int
    T: int
    notices: tuple[str, ...] = ()


# What can be chosen on the map, and what a quick choice makes of it.
_SIZES: dict[str, Iterable] = {
    "map_d_model": (16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024),
    "map_heads": (1, 2, 4, 8, 16),
    "map_d_ff": (64, 128, 256, 512, 1024, 2048, 3072, 4096),
    "map_encoder_layers": range(1, 13),
    "map_decoder_layers": range(1, 13),
    "map_vocabulary": (64, 1000, 4096, 10_000, 30_000, 37_000, 50_000),
    "map_source": range(1, 65),
    "map_target": range(1, 65),
    "map_batch": (1, 2, 4, 8, 16, 32, 64),
}
QUICK = {"tiny": "tiny", "classroom": "classroom", "the paper's": "paper_base"}


def _quick(name: str) -> dict:
    """Every size of the model as the preset has it; lengths of texts and the batch are no part of it."""
    config = PRESETS[QUICK[name]]
    return {
        "map_d_model": config.d_model,
        "map_heads": config.n_heads,
        "map_d_ff": config.d_ff,
        "map_encoder_layers": config.n_encoder_layers,
        "map_decoder_layers": config.n_decoder_layers,
        "map_vocabulary": config.vocab_size,
    }


def _take_quick() -> None:
    for key, value in _quick(st.session_state.get("size") or "classroom").items():
        st.session_state[key] = value


def sizes() -> Sizes:
    """Every size of an encoder-decoder and of what it reads; a quick choice sets those of the model."""
    say: list[str] = []
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        st.header("The map of the model", anchor=False)
        start = choose(st.segmented_control, "Start from", "size", QUICK, "classroom", say, on_change=_take_quick)
    usual = {**_quick(start), "map_source": 11, "map_target": 6, "map_batch": 2}
    values = {}
    labels = (
        ("map_d_model", "d_model", "How many numbers stand for a token."),
        ("map_heads", "Heads", "They share d_model equally."),
        ("map_d_ff", "d_ff", "The width in the middle of the feed-forward layer."),
        ("map_encoder_layers", "Encoder layers", "The encoder reads the source text."),
        ("map_decoder_layers", "Decoder layers", "The decoder writes the target text, word by word."),
        ("map_vocabulary", "Vocabulary", "How many different tokens the model knows."),
        ("map_source", "Source tokens", "The length of the text that is read."),
        ("map_target", "Target tokens", "How much of the answer is written so far."),
        ("map_batch", "Batch", "How many pairs of texts go through at once."),
    )
    with st.grid(9, min_column_width=118, gap="small", vertical_alignment="bottom", key="size-row"):
        for key, label, help in labels:
            values[key] = choose(
                st.select_slider, label, key, _SIZES[key], usual[key], say, follows=True, help=help or None
            )
    config = TransformerConfig(
        d_model=values["map_d_model"],
        n_heads=values["map_heads"],
        d_ff=values["map_d_ff"],
        n_encoder_layers=values["map_encoder_layers"],
        n_decoder_layers=values["map_decoder_layers"],
        vocab_size=values["map_vocabulary"],
    )
    return Sizes(config, values["map_batch"], values["map_source"], values["map_target"], tuple(say))
