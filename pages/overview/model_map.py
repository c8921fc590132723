"""The map of an encoder-decoder of any size: its parts show what a real translator computes, and open their pages."""

from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import catalogue, settings
from lab.kit.controls.hyperparameters import D_MODEL, Control
from lab.kit.view import View
from pages.overview import data, figures
from pages.overview.components.model_map import model_map
from pages.overview.parts import Map, Picture
from transformer.core.config import PRESETS, TransformerConfig

SHOWN = "the one shown"
QUICK = {SHOWN: "", "tiny": "tiny", "classroom": "classroom", "the paper's": "paper_base"}
SENTENCE = 0  # of the translator's examples: short, and an adjective changes places
# Pages on the whole, not on a part.
ABOUT = ("why", "attention", "live", "pretrained", "finetuning", "vision", "beyond")
# The default of a size of the model is that of the quick choice; that of a length is the sentence's.
SIZES = {
    "front_map_d_model": replace(
        D_MODEL, options=(16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024), chip="{} wide"
    ),
    "front_map_heads": Control(
        "Heads", st.select_slider, (1, 2, 4, 8, 16), None, "They share d_model equally.", chip="{} head{s}"
    ),
    "front_map_d_ff": Control(
        "d_ff",
        st.select_slider,
        (64, 128, 192, 256, 512, 1024, 2048, 3072, 4096),
        None,
        "The width in the middle of the feed-forward layer.",
    ),
    "front_map_encoder_layers": Control(
        "Encoder layers",
        st.select_slider,
        range(1, 13),
        None,
        "The encoder reads the source text.",
        chip="{} encoder layer{s}",
    ),
    "front_map_decoder_layers": Control(
        "Decoder layers",
        st.select_slider,
        range(1, 13),
        None,
        "The decoder writes the target text, word by word.",
        chip="{} decoder layer{s}",
    ),
    "front_map_vocabulary": Control(
        "Vocabulary",
        st.select_slider,
        (64, 177, 1000, 4096, 10_000, 30_000, 37_000, 50_000),
        None,
        "How many different tokens the model knows.",
        chip="{} words",
    ),
    "front_map_source": Control(
        "Source tokens", st.select_slider, range(1, 65), None, "The length of the text that is read."
    ),
    "front_map_target": Control(
        "Target tokens", st.select_slider, range(1, 65), None, "How much of the answer is written so far."
    ),
    "front_map_batch": Control(
        "Batch", st.select_slider, (1, 2, 4, 8, 16, 32, 64), 1, "How many pairs of texts go through at once."
    ),
}


class Settings(NamedTuple):
    """The sizes of an encoder-decoder, and of a batch of `batch` pairs of texts, S source and T target tokens each.

    text  what the translator reads, whose numbers are drawn
    """

    config: TransformerConfig
    batch: int
    S: int
    T: int
    text: str


def ask() -> Settings:
    """The sentence, and every size; a quick choice sets those of the model."""
    sentences = data.sentences()
    with settings.place(st.container, horizontal=True, vertical_alignment="center", gap="small", key="map-row"):
        text = settings.choose(
            st.selectbox,
            "Read and translate",
            "front_map_text",
            sentences,
            sentences[SENTENCE],
            label_visibility="collapsed",
            width=360,
        )
        with settings.line("English to French", key="sizes"):
            preset = settings.choose(
                st.segmented_control, "Start from", "front_size", QUICK, SHOWN, on_change=_take_preset
            )
            read = data.numbers(text)
            defaults = _sizes_of(preset) | {"front_map_source": len(read.source), "front_map_target": len(read.target)}
            with settings.place(st.grid, 2, min_column_width=190, gap="small"):
                sizes: dict[str, Any] = {
                    key: control.ask(key, default=defaults.get(key), follows=True) for key, control in SIZES.items()
                }
    config = TransformerConfig(
        d_model=sizes["front_map_d_model"],
        n_heads=sizes["front_map_heads"],
        d_ff=sizes["front_map_d_ff"],
        n_encoder_layers=sizes["front_map_encoder_layers"],
        n_decoder_layers=sizes["front_map_decoder_layers"],
        vocab_size=sizes["front_map_vocabulary"],
    )
    return Settings(config, sizes["front_map_batch"], sizes["front_map_source"], sizes["front_map_target"], text)


def _sizes(s: Settings) -> figures.Sizes:
    c = s.config
    layers = c.n_encoder_layers, c.n_decoder_layers
    return figures.Sizes(s.batch, s.S, s.T, c.d_model, c.n_heads, c.d_ff, *layers, c.tgt_vocab_size)


def compute(s: Settings) -> Map:
    figure = figures.model_map(
        _sizes(s),
        pictures=_pictures(s.text),
        about=[(url, catalogue.page(url).title, catalogue.page(url).question) for url in ABOUT],
    )
    return figure._replace(
        numbers={page.url: catalogue.number(page) for page in catalogue.PAGES if catalogue.number(page)}
    )


def draw(s: Settings, figure: Map) -> None:
    """The map; a part opens its page."""
    url = model_map(figure, key="model_map")
    if url in {page.url for page in catalogue.PAGES[1:]}:
        st.switch_page(catalogue.page(url).script)


def _pictures(text: str) -> dict[str, Picture]:
    """A miniature for every part: what the translator computes on this sentence."""
    n = data.numbers(text)
    config = data.TRANSLATOR.resolve().config
    tensor = n.tensors

    def heads(path: str, n_layers: int, *, is_causal: bool = False) -> Picture:
        return figures.heads(
            [tensor[f"{path.format(layer)}.weights"] for layer in range(n_layers)], is_causal=is_causal
        )

    last_encoder, last_decoder = config.n_encoder_layers - 1, config.n_decoder_layers - 1
    return {
        "source": figures.words(n.source),
        "encoder embedding": figures.stream(tensor["encoder.embedded"]),
        "positions": figures.waves(n.waves),
        "encoder self-attention": heads("encoder.{}.self_attn", config.n_encoder_layers),
        "encoder feed-forward": figures.hidden(tensor[f"encoder.{last_encoder}.feed_forward.hidden"]),
        "memory": figures.stream(tensor["encoder.out"]),
        "target": figures.words(n.target),
        "decoder embedding": figures.stream(tensor["decoder.embedded"]),
        "decoder self-attention": heads("decoder.{}.self_attn", config.n_decoder_layers, is_causal=True),
        "cross-attention": heads("decoder.{}.cross_attn", config.n_decoder_layers),
        "decoder feed-forward": figures.hidden(tensor[f"decoder.{last_decoder}.feed_forward.hidden"]),
        "linear": figures.logits(n.logits),
        "softmax": figures.shares(n.probabilities, n.candidates[0]),
        "attention": figures.product(n.q, n.k),
        "why": figures.steps(len(n.source), *data.path_lengths(len(n.source))),
        "live": figures.learning(data.learning().losses),
        "pretrained": figures.heads([data.recorded_heads()]),
        "finetuning": figures.learning(data.fine_tuning()),
        "vision": figures.heads([data.picture_heads()]),
        "beyond": figures.heads([data.code_heads()], is_causal=True),
    }


def _sizes_of(preset: str) -> dict[str, int]:
    """Every size of the model as the preset has it; lengths of texts and the batch are no part of it."""
    config = PRESETS[QUICK[preset]] if QUICK[preset] else data.TRANSLATOR.resolve().config
    return {
        "front_map_d_model": config.d_model,
        "front_map_heads": config.n_heads,
        "front_map_d_ff": config.d_ff,
        "front_map_encoder_layers": config.n_encoder_layers,
        "front_map_decoder_layers": config.n_decoder_layers,
        "front_map_vocabulary": config.tgt_vocab_size,
    }


def _take_preset() -> None:
    for key, size in _sizes_of(st.session_state.get("front_size") or SHOWN).items():
        st.session_state[key] = size


VIEW = View(ask, compute, draw, height=460)
