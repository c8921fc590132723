"""A Transformer to look inside: every attention module returns its weights, every other tensor can be tapped.

The letters of the shape comments, the same everywhere:

    B  batch                      H    heads               F  d_ff, the feed-forward width
    T  length of the queries      Hkv  key/value heads     V  vocabulary size
    S  length of the keys         D    d_model             L  layers
                                  d_k  width of one head: D / H, or head_width

Batch comes first. Weights are (B, H, T, S): a row is a query, and it looks at columns, the keys.
Masks are boolean, True = may attend, or floats to be added to the scores; they broadcast to (B, H, T, S).

The public names stand in `__init__.pyi` and are imported when first used, here and in the packages below, so that
`from transformer import core, inspection` costs nothing: a page can be drawn before torch is loaded.
"""

from transformer.lazy import attach

__version__ = "1.0.0"
__getattr__, __dir__, __all__ = attach(__name__, __file__)
