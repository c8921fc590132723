"""Writing with a model, token by token.

sampling   what is done to a distribution before a token is drawn from it
decoding   a text in the making: `begin`, then `.next()` and `.take()`, or `generate` for a run of steps
beam       several texts at once, and the tree of what was kept and dropped
batch      many texts at once, greedily, for measuring how often a model is right
"""

from transformer.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
