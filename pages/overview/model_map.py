"""The map of an encoder-decoder of any size, whose parts open the pages about them."""

from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

from pages.overview import figures
from pages.shared import catalogue, settings
from pages.shared.components.model_map import model_map
from pages.shared.hyperparameters import D_MODEL, Control
from pages.shared.model_map import Map
from pages.shared.view import View
from transformer.config import PRESETS, TransformerConfig

QUICK = {"tiny": "tiny", "classroom": "classroom", "the paper's": "paper_base"}
# The default of a size of the model is that of the quick choice.
SIZES = {
    "map_d_model": replace(D_MODEL, options=(16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)),
    "map_heads": Control("Heads", st.select_slider, (1, 2, 4, 8, 16), None, "They share d_model equally."),
    "map_d_ff": Control(
        "d_ff", st.select_slider, (64, 128, 256, 512, 1024, 2048, 3072, 4096), None,
        "The width in the middle of the feed-forward layer.",
    ),
    "map_encoder_layers": Control(
        "Encoder layers", st.select_slider, range(1, 13), None, "The encoder reads the source text."
    ),
    "map_decoder_layers": Control(
        "Decoder layers", st.select_slider, range(1, 13), None, "The decoder writes the target text, word by word."
    ),
    "map_vocabulary": Control(
        "Vocabulary", st.select_slider, (64, 1000, 4096, 10_000, 30_000, 37_000, 50_000), None,
        "How many different tokens the model knows.",
    ),
    "map_source": Control(
        "Source tokens", st.select_slider, range(1, 65), 11, "The length of the text that is read."
    ),
    "map_target": Control(
        "Target tokens", st.select_slider, range(1, 65), 6, "How much of the answer is written so far."
    ),
    "map_batch": Control(
        "Batch", st.select_slider, (1, 2, 4, 8, 16, 32, 64), 2, "How many pairs of texts go through at once."
    ),
}  # fmt: skip


class Settings(NamedTuple):
    """The sizes of an encoder-decoder, and of a batch of `batch` pairs of texts, S source and T target tokens each."""

    config: TransformerConfig
    batch: int
    S: int
    T: int


def ask() -> Settings:
    """Every size; a quick choice sets those of the model."""
    with settings.place(st.container, horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        st.header("The map of the model", anchor=False)
        preset = settings.choose(st.segmented_control, "Start from", "size", QUICK, "classroom", on_change=_take_preset)
    defaults = _sizes_of(preset)
    with settings.place(st.grid, 9, min_column_width=118, gap="small", vertical_alignment="bottom", key="size-row"):
        sizes: dict[str, Any] = {
            key: control.ask(key, default=defaults.get(key), follows=True) for key, control in SIZES.items()
        }
    config = TransformerConfig(
        d_model=sizes["map_d_model"],
        n_heads=sizes["map_heads"],
        d_ff=sizes["map_d_ff"],
        n_encoder_layers=sizes["map_encoder_layers"],
        n_decoder_layers=sizes["map_decoder_layers"],
        vocab_size=sizes["map_vocabulary"],
    )
    return Settings(config, sizes["map_batch"], sizes["map_source"], sizes["map_target"])


def compute(s: Settings) -> Map:
    return figures.model_map(
        B=s.batch,
        S=s.S,
        T=s.T,
        d_model=s.config.d_model,
        n_heads=s.config.n_heads,
        d_ff=s.config.d_ff,
        n_encoder=s.config.n_encoder_layers,
        n_decoder=s.config.n_decoder_layers,
        vocab_size=s.config.tgt_vocab_size,
    )


def draw(s: Settings, figure: Map) -> None:
    """The map; a part with a page opens it."""
    url = model_map(figure, key="model_map")
    if url in {page.url for page in catalogue.PAGES[1:]}:
        st.switch_page(catalogue.page(url).script)


def _sizes_of(preset: str) -> dict[str, int]:
    """Every size of the model as the preset has it; lengths of texts and the batch are no part of it."""
    config = PRESETS[QUICK[preset]]
    return {
        "map_d_model": config.d_model,
        "map_heads": config.n_heads,
        "map_d_ff": config.d_ff,
        "map_encoder_layers": config.n_encoder_layers,
        "map_decoder_layers": config.n_decoder_layers,
        "map_vocabulary": config.vocab_size,
    }


def _take_preset() -> None:
    for key, size in _sizes_of(st.session_state.get("size") or "classroom").items():
        st.session_state[key] = size


VIEW = View("The map of the model", ask, compute, draw)
