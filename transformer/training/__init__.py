"""Training: from texts and tasks to a trained model, its film and its file."""

from transformer.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
