"""What the masks page computes. torch is imported inside the functions: the page is on screen before it loads.

Masks are keyed by their short strings: components/mask_brush/code.py.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from attention_view import Packed, Picture
from pages.masks.components.mask_brush import pack, unpack
from pages.shared.caching import cached
from pages.shared.hyperparameters import MASKS
from pages.shared.models import VOCABULARY, Kind, Mask, untrained_model
from transformer.config import TransformerConfig
from transformer.training.text import hashed_ids

if TYPE_CHECKING:
    from transformer.inspection.masks import Batch, Fill, Leak, Stages
    from transformer.inspection.qkv_sources import Stream, Wiring
    from transformer.inspection.run import AttentionMap
    from transformer.model import DecoderModel, EncoderModel, Transformer

PAD = VOCABULARY  # the ids of words are below it
PAD_TOKEN, START_TOKEN = "⟨pad⟩", "⟨start⟩"
_CONFIG = TransformerConfig(vocab_size=VOCABULARY + 1, tgt_vocab_size=VOCABULARY + 1, d_model=32, n_heads=4)


def _model(kind: Kind, n_layers: int) -> "EncoderModel | DecoderModel | Transformer":
    """A small model with random weights and an id for padding."""
    return untrained_model(kind, replace(_CONFIG, n_encoder_layers=n_layers, n_decoder_layers=n_layers), 0)


def cells(code: str) -> np.ndarray:
    """The mask (T, T) of a short string. Raises ValueError if it is none."""
    mask = unpack(code)
    if mask is None:
        raise ValueError(f"{code!r} is no mask")
    return mask


@cached()
def named_mask(name: str, T: int, span: int) -> str:
    """The mask for T tokens with this name of MASKS, as a short string. Raises KeyError if there is none."""
    from transformer.masks import all_of, causal

    named = {mask.name: mask for mask in MASKS}[name]
    # A decoder is causal by itself, but for a prefix, which opens some of the future.
    own = causal(T) if "decoder" in named.kinds and named.value != "prefix" else None
    mask = all_of(Mask(named.value, span).tensor(T), own)
    return pack(np.ones((T, T), bool) if mask is None else mask.numpy())


@cached()
def stages(tokens: tuple[str, ...], code: str, is_inverted: bool) -> "Stages":
    """Scores, masked scores and weights of one head. is_inverted reads True of the mask as blocked."""
    from transformer.inspection import masks
    from transformer.model import EncoderModel

    model, mask = _model("encoder", 1), cells(code)
    assert isinstance(model, EncoderModel)
    return masks.stages(model, hashed_ids(list(tokens), VOCABULARY), ~mask if is_inverted else mask)


@cached()
def leak(tokens: tuple[str, ...], code: str, position: int, word: str, n_layers: int) -> "Leak":
    """What moves in a decoder if the token at `position` becomes `word`."""
    from transformer.inspection import masks
    from transformer.model import DecoderModel

    # Hashed together with the text, the new word cannot take the id of a word that stays.
    *ids, new = hashed_ids([*tokens, word], VOCABULARY)
    edited = [*ids[:position], new, *ids[position + 1 :]]
    model = _model("decoder", n_layers)
    assert isinstance(model, DecoderModel)
    return masks.leak(model, ids, edited, cells(code))


@cached()
def layers_needed(code: str) -> np.ndarray:
    """After how many layers query i can have heard of key j, (T, T)."""
    from transformer.inspection import masks

    return masks.layers_needed(cells(code))


@cached()
def fills(tokens: tuple[str, ...], n_allowed: int, dtype: str) -> "list[Fill]":
    """The last row of scores, blocked in three ways; only the first n_allowed keys are open."""
    from transformer.inspection import masks

    scores = stages(tokens, named_mask("none", len(tokens), 0), False).scores[-1]
    return masks.blocked_row(scores.tolist(), [n < n_allowed for n in range(len(tokens))], dtype)


@cached()
def wiring(queries: "Stream", keys: "Stream", values: "Stream", n_encoder: int, n_decoder: int) -> "Wiring":
    """One attention with these sources of queries, keys and values."""
    from transformer.inspection import qkv_sources

    return qkv_sources.wire(queries, keys, values, n_encoder, n_decoder)


class Attentions(NamedTuple):
    """The three attentions of an encoder-decoder by kind: as maps, and packed for the browser."""

    maps: "dict[str, AttentionMap]"
    packed: dict[str, Packed]


@cached()
def attentions(source: tuple[str, ...], target: tuple[str, ...], n_pads: int) -> Attentions:
    """Encoder self-attention, decoder self-attention and cross-attention; n_pads padding tokens follow the source."""
    from transformer.inspection import masks
    from transformer.model import Transformer

    pads = (PAD_TOKEN,) * n_pads
    source_ids = hashed_ids(list(source), VOCABULARY) + [PAD] * n_pads
    target = (START_TOKEN, *target)  # the decoder reads one step behind what it predicts
    model = _model("encoder-decoder", 2)
    assert isinstance(model, Transformer)
    maps = masks.three_attentions(model, source_ids, hashed_ids(list(target), VOCABULARY), PAD, source + pads, target)
    labels = {"encoder": "encoder self-attention", "decoder": "decoder self-attention", "cross": "cross-attention"}
    return Attentions(maps, {kind: Packed(_picture(maps[kind], kind, label)) for kind, label in labels.items()})


def _picture(m: "AttentionMap", kind: str, label: str) -> Picture:
    from transformer.inspection.heads import chance, head_scores

    T, S = m.weights.shape[-2:]
    return Picture(
        queries=m.queries, keys=m.keys, weights=m.weights, mask=m.mask, q=m.q, k=m.k, scale=m.scale,
        scores=head_scores(m.weights), chance=chance(T, S, m.mask), facts=(kind,), untrained=True, label=label,
    )  # fmt: skip


@cached()
def batch(kind: Kind, sentences: tuple[tuple[str, ...], ...], is_masked: bool) -> "Batch":
    """Sentences in one padded batch, with a padding mask or without it, and each of them alone."""
    from transformer.inspection import masks
    from transformer.model import SingleStack

    ids = [hashed_ids(list(sentence), VOCABULARY) for sentence in sentences]
    model = _model(kind, 2)
    assert isinstance(model, SingleStack)
    return masks.padded_batch(model, ids, PAD, masked=is_masked)
