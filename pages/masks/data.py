"""What the page on masks computes once and shares, keyed on plain values and read-only once made.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from typing import NamedTuple

import streamlit as st

from attention_view import Packed, Picture
from pages.shared.readers import VOCABULARY, Kind, model
from transformer.config import TransformerConfig
from transformer.training.text import hashed_ids

PAD = VOCABULARY  # a word's id is below it


def _masked_model(kind: Kind, n_layers: int = 1):
    """A small model with room for padding, and random weights."""
    sizes = {"d_model": 32, "n_heads": 4, "n_encoder_layers": n_layers, "n_decoder_layers": n_layers}
    return model(kind, TransformerConfig(vocab_size=VOCABULARY + 1, tgt_vocab_size=VOCABULARY + 1, **sizes), 0)


@st.cache_resource(max_entries=256, show_spinner=False)
def mask_named(name: str, T: int, span: int) -> str:
    """A mask by its name, as a short string: inspection.masks.named."""
    from pages.masks.components.mask_brush import pack
    from transformer.inspection import masks

    return pack(masks.named(name, T, span))


@st.cache_resource(max_entries=64, show_spinner=False)
def mask_stages(tokens: tuple[str, ...], code: str, upside_down: bool):
    """Scores, masked scores and weights of one head: inspection.masks.stages. upside_down reads True as blocked."""
    from pages.masks.components.mask_brush import unpack
    from transformer.inspection import masks

    mask = unpack(code)
    return masks.stages(_masked_model("encoder"), hashed_ids(list(tokens), VOCABULARY), ~mask if upside_down else mask)


@st.cache_resource(max_entries=64, show_spinner=False)
def mask_leak(tokens: tuple[str, ...], code: str, position: int, word: str, n_layers: int):
    """What moves when the token at `position` becomes `word`: inspection.masks.leak."""
    from pages.masks.components.mask_brush import unpack
    from transformer.inspection import masks

    # Cut together with the text, the new word cannot take an id away from a word that stays.
    *ids, new = hashed_ids([*tokens, word], VOCABULARY)
    edited = [*ids[:position], new, *ids[position + 1 :]]
    return masks.leak(_masked_model("decoder", n_layers), ids, edited, unpack(code))


@st.cache_resource(max_entries=128, show_spinner=False)
def mask_layers_needed(code: str):
    """After how many layers each token can have heard of each: inspection.masks.layers_needed."""
    from pages.masks.components.mask_brush import unpack
    from transformer.inspection import masks

    return masks.layers_needed(unpack(code))


@st.cache_resource(max_entries=64, show_spinner=False)
def mask_fills(tokens: tuple[str, ...], n_allowed: int, dtype: str):
    """The last row of scores, blocked in three ways: inspection.masks.blocked_row. Only the first n_allowed keys are
    open."""
    from transformer.inspection import masks

    scores = mask_stages(tokens, mask_named("none", len(tokens), 0), False).scores[-1]
    return masks.blocked_row(scores.tolist(), [n < n_allowed for n in range(len(tokens))], dtype)


class Three(NamedTuple):
    """The attentions of an encoder-decoder by kind: the maps, and the same ready for the browser."""

    maps: dict
    packed: dict[str, Packed]


@st.cache_resource(max_entries=64, show_spinner=False)
def wired(queries: str, keys: str, values: str, S: int, T: int):
    """What comes of wiring one attention so: inspection.qkv_sources.Wiring."""
    from transformer.inspection import qkv_sources

    return qkv_sources.wire(queries, keys, values, S, T)


@st.cache_resource(max_entries=16, show_spinner=False)
def mask_three(source: tuple[str, ...], target: tuple[str, ...], n_pads: int) -> Three:
    """Encoder self-attention, decoder self-attention, cross-attention: inspection.masks.three_attentions."""
    import torch

    from transformer.inspection import masks
    from transformer.inspection.heads import chance, head_scores
    from transformer.model import Transformer

    config = TransformerConfig(
        vocab_size=VOCABULARY + 1, tgt_vocab_size=VOCABULARY + 1, n_encoder_layers=2, n_decoder_layers=2, d_model=32
    )
    net = Transformer(config, torch.Generator().manual_seed(0)).eval()
    pads = ("⟨pad⟩",) * n_pads
    src = hashed_ids(list(source), VOCABULARY) + [PAD] * n_pads
    started = ("⟨start⟩", *target)  # the decoder reads one step behind what it predicts
    maps = masks.three_attentions(net, src, hashed_ids(list(started), VOCABULARY), PAD, source + pads, started)
    labels = {"encoder": "encoder self-attention", "decoder": "decoder self-attention", "cross": "cross-attention"}
    packed = {}
    for kind, seen in maps.items():
        T, S = seen.weights.shape[-2:]
        scores = {"scores": head_scores(seen.weights), "chance": chance(T, S, seen.mask)}
        parts = {name: getattr(seen, name) for name in ("queries", "keys", "weights", "mask", "q", "k", "scale")}
        packed[kind] = Packed(Picture(**parts, **scores, facts=(kind,), untrained=True, label=labels[kind]))
    return Three(maps, packed)


@st.cache_resource(max_entries=32, show_spinner=False)
def mask_batch(kind: Kind, sentences: tuple[tuple[str, ...], ...], masked: bool):
    """Sentences in one padded batch and each alone: inspection.masks.padded_batch."""
    from transformer.inspection import masks

    ids = [hashed_ids(list(words), VOCABULARY) for words in sentences]
    return masks.padded_batch(_masked_model(kind, 2), ids, PAD, masked=masked)
