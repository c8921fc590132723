"""The model itself: one idea per file, from attention to the whole Transformer; nothing here trains or draws."""

from transformer.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
