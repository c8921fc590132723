"""Writing with a model, token by token.

sampling   what is done to a distribution before a token is drawn from it
decoding   a text in the making: `begin`, then `.next()` and `.take()`, or `generate` for a run of steps
beam       several texts at once, and the tree of what was kept and dropped
batch      many texts at once, greedily, for measuring how often a model is right
"""

from transformer.generation.batch import greedy_batch, greedy_prompts
from transformer.generation.beam import BeamSearch, Hypothesis, Node, beam_search
from transformer.generation.decoding import Decoding, Step, begin, cache_formula, generate
from transformer.generation.sampling import GREEDY, REMOVED_BY, Distribution, Sampling, distribution, draw

__all__ = [
    "GREEDY",
    "REMOVED_BY",
    "BeamSearch",
    "Decoding",
    "Distribution",
    "Hypothesis",
    "Node",
    "Sampling",
    "Step",
    "beam_search",
    "begin",
    "cache_formula",
    "distribution",
    "draw",
    "generate",
    "greedy_batch",
    "greedy_prompts",
]
