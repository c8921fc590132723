"""A Transformer to look inside: every attention module returns its weights, every other tensor can be tapped.

The letters of the shape comments, the same everywhere:

    B  batch                      H    heads               F  d_ff, the feed-forward width
    T  length of the queries      Hkv  key/value heads     V  vocabulary size
    S  length of the keys         D    d_model             L  layers
                                  d_k  width of one head: D / H, or head_width

Batch comes first. Weights are (B, H, T, S): a row is a query, and it looks at columns, the keys.
Masks are boolean, True = may attend, or floats to be added to the scores; they broadcast to (B, H, T, S).

The public names below are imported when first used, so that `from transformer.config import TransformerConfig`
costs nothing: a page can be drawn before torch is loaded.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what is imported when first used, for editors and type checkers
    from transformer.attention import MultiHeadAttention, masked_softmax, scaled_dot_product_attention
    from transformer.cache import Cache
    from transformer.checks import InputError
    from transformer.config import PRESETS, TransformerConfig
    from transformer.context import Context
    from transformer.embeddings import TokenEmbedding
    from transformer.layers import AddNorm, DecoderLayer, EncoderLayer, FeedForward
    from transformer.model import Attention, Decoder, DecoderModel, Encoder, EncoderModel, Output, Transformer
    from transformer.positions import make_positions
    from transformer.pretrained import load
    from transformer.taps import Recorder, ablate, compose, no_tap, patch

__version__ = "0.1.0"
__all__ = [  # noqa: RUF022 type checkers read the names here, and sorted() orders them so
    "AddNorm", "Attention", "Cache", "Context", "Decoder", "DecoderLayer", "DecoderModel", "Encoder",
    "EncoderLayer", "EncoderModel", "FeedForward", "InputError", "MultiHeadAttention", "Output", "PRESETS",
    "Recorder", "TokenEmbedding", "Transformer", "TransformerConfig", "ablate", "compose", "load",
    "make_positions", "masked_softmax", "no_tap", "patch", "scaled_dot_product_attention",
]  # fmt: skip

_HOME = {
    "TransformerConfig": "config",
    "PRESETS": "config",
    "Transformer": "model",
    "EncoderModel": "model",
    "DecoderModel": "model",
    "Encoder": "model",
    "Decoder": "model",
    "Output": "model",
    "Attention": "model",
    "EncoderLayer": "layers",
    "DecoderLayer": "layers",
    "FeedForward": "layers",
    "AddNorm": "layers",
    "TokenEmbedding": "embeddings",
    "MultiHeadAttention": "attention",
    "scaled_dot_product_attention": "attention",
    "masked_softmax": "attention",
    "make_positions": "positions",
    "Cache": "cache",
    "Recorder": "taps",
    "no_tap": "taps",
    "ablate": "taps",
    "patch": "taps",
    "compose": "taps",
    "Context": "context",
    "InputError": "checks",
    "load": "pretrained",
}

_MODULES = (
    "attention", "cache", "checks", "config", "context", "embeddings", "generation", "images", "inspection",
    "interruption", "layers", "lora", "masks", "mixture", "model", "positions", "pretrained", "random", "recurrent",
    "stretching", "taps", "training", "variants", "workload",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"transformer.{_HOME[name]}"), name)
    if name in _MODULES:
        return import_module(f"transformer.{name}")
    raise AttributeError(f"module 'transformer' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_MODULES})
