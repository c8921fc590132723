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

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name in _HOME:
        return getattr(import_module(f"transformer.{_HOME[name]}"), name)
    if name in _MODULES:
        return import_module(f"transformer.{name}")
    raise AttributeError(f"module 'transformer' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_MODULES})
