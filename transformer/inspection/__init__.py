"""Looking into a model: one forward pass, and everything it did as numpy arrays."""

from transformer.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
