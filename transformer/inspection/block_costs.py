"""What one block costs, counted on the block itself: parameters, multiplications, memory of the cache, time."""

from dataclasses import replace
from typing import NamedTuple

import torch

from transformer.core.config import TransformerConfig
from transformer.core.layers import EncoderLayer, OutputTransform, make_norm
from transformer.core.masks import causal
from transformer.core.positions import make_positions
from transformer.generation import cache_formula
from transformer.inspection.timing import Timings, time_runs
from transformer.inspection.writing import multiplications


class BlockCost(NamedTuple):
    """One block of a decoder.

    attention, norms, experts, router  parameters of its parts; experts: of all its feed-forward layers
    multiplications                    of one token, with T in sight
    cache                              bytes that one token leaves in the cache of keys and values, in float32
    outside                            parameters of what stands around all blocks, once in a model: a norm of the
                                       embeddings, a transform before the logits
    """

    attention: int
    norms: int
    experts: int
    router: int
    multiplications: int
    cache: int
    outside: int

    @property
    def parameters(self) -> int:
        return self.attention + self.norms + self.experts + self.router


def block_cost(config: TransformerConfig, T: int) -> BlockCost:
    """Count one block of this configuration, T tokens in sight."""
    with torch.device("meta"):  # shapes without memory
        names = [(name, p.numel()) for name, p in EncoderLayer(config).named_parameters()]
        around = [make_norm(config)] * config.embedding_norm + [OutputTransform(config)] * config.output_transform
        outside = sum(p.numel() for part in around for p in part.parameters())

    def count(part: str) -> int:
        return sum(n for name, n in names if part in name)

    one = replace(config, n_decoder_layers=1)
    router = count(".router.")
    return BlockCost(
        count("self_attn"),
        count("norm"),
        count("feed_forward") - router,
        router,
        multiplications(one, 0, T, cached=True),
        cache_formula(one, 1),
        outside,
    )


@torch.inference_mode()
def time_blocks(first: TransformerConfig, second: TransformerConfig, T: int, seconds: float = 1.0) -> Timings:
    """Milliseconds of one forward pass of each block over one text of T tokens, taken in turn."""
    runs = []
    for config in (first, second):
        generator = torch.Generator().manual_seed(0)
        block = EncoderLayer(config, generator).eval()
        positions = make_positions(config, bidirectional=False, generator=generator)
        x, mask = torch.randn(1, T, config.d_model, generator=generator), causal(T)
        runs.append(lambda block=block, x=x, mask=mask, positions=positions: block(x, mask, positions=positions))
    return time_runs((T,), [(runs[0], runs[1])], seconds)
