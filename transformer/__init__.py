"""A Transformer to look inside: every attention module returns its weights, every other tensor can be tapped.

The letters of the shape comments, the same everywhere:

    B  batch                      H    heads               F  d_ff, the feed-forward width
    T  length of the queries      Hkv  key/value heads     V  vocabulary size
    S  length of the keys         D    d_model             L  layers
                                  d_k  width of one head: D / H, or head_width

Batch comes first. Weights are (B, H, T, S): a row is a query, and it looks at columns, the keys.
Masks are boolean, True = may attend, or floats to be added to the scores; they broadcast to (B, H, T, S).

The public names below are imported when first used, so that `from transformer.core.config import TransformerConfig`
costs nothing: a page can be drawn before torch is loaded.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what is imported when first used, for editors and type checkers
    from transformer.core.attention import MultiHeadAttention, masked_softmax, scaled_dot_product_attention
    from transformer.core.cache import Cache
    from transformer.core.checks import InputError
    from transformer.core.config import PRESETS, TransformerConfig
    from transformer.core.context import Context
    from transformer.core.embeddings import TokenEmbedding
    from transformer.core.layers import AddNorm, DecoderLayer, EncoderLayer, FeedForward
    from transformer.core.model import Attention, Decoder, DecoderModel, Encoder, EncoderModel, Output, Transformer
    from transformer.core.positions import make_positions
    from transformer.core.taps import Recorder, ablate, compose, no_tap, patch
    from transformer.pretrained import load

__version__ = "0.1.0"
__all__ = [  # noqa: RUF022 type checkers read the names here, and sorted() orders them so
    "AddNorm", "Attention", "Cache", "Context", "Decoder", "DecoderLayer", "DecoderModel", "Encoder",
    "EncoderLayer", "EncoderModel", "FeedForward", "InputError", "MultiHeadAttention", "Output", "PRESETS",
    "Recorder", "TokenEmbedding", "Transformer", "TransformerConfig", "ablate", "compose", "load",
    "make_positions", "masked_softmax", "no_tap", "patch", "scaled_dot_product_attention",
]  # fmt: skip

_HOME = {
    "TransformerConfig": "core.config",
    "PRESETS": "core.config",
    "Transformer": "core.model",
    "EncoderModel": "core.model",
    "DecoderModel": "core.model",
    "Encoder": "core.model",
    "Decoder": "core.model",
    "Output": "core.model",
    "Attention": "core.model",
    "EncoderLayer": "core.layers",
    "DecoderLayer": "core.layers",
    "FeedForward": "core.layers",
    "AddNorm": "core.layers",
    "TokenEmbedding": "core.embeddings",
    "MultiHeadAttention": "core.attention",
    "scaled_dot_product_attention": "core.attention",
    "masked_softmax": "core.attention",
    "make_positions": "core.positions",
    "Cache": "core.cache",
    "Recorder": "core.taps",
    "no_tap": "core.taps",
    "ablate": "core.taps",
    "patch": "core.taps",
    "compose": "core.taps",
    "Context": "core.context",
    "InputError": "core.checks",
    "load": "pretrained",
}

_PARTS = ("generation", "inspection", "pretrained", "training")
_CORE = (
    "attention", "cache", "checks", "config", "context", "embeddings", "images", "interruption", "layers", "lora",
    "masks", "mixture", "model", "positions", "random", "recurrent", "stretching", "taps", "variants", "workload",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"transformer.{_HOME[name]}"), name)
    if name in _CORE:
        return import_module(f"transformer.core.{name}")
    if name in _PARTS:
        return import_module(f"transformer.{name}")
    raise AttributeError(f"module 'transformer' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_CORE, *_PARTS})
