"""The ledger of a layer: every tensor that passes, its shape, and the parameters that made it."""

from typing import NamedTuple

import torch

from transformer.config import TransformerConfig
from transformer.context import Context
from transformer.layers import EncoderLayer
from transformer.taps import Recorder


class Line(NamedTuple):
    """One line of the ledger: what it is, its letters and its shape, the parameters used up to it, and their group."""

    name: str
    letters: str
    shape: tuple[int, ...]
    n_parameters: int
    group: str


class Tower(NamedTuple):
    """N layers on each other: parameters of one, of all, and how many tensors share how many places in memory."""

    one: int
    all: int
    n_tensors: int
    n_storages: int


def ledger(config: TransformerConfig, B: int, T: int, seed: int = 0) -> list[Line]:
    """Run one encoder layer on random numbers (B, T, D) and write down what passes, in order."""
    generator = torch.Generator().manual_seed(seed)
    layer = EncoderLayer(config, generator).eval()
    seen = Recorder()
    with torch.inference_mode():
        layer(torch.randn(B, T, config.d_model, generator=generator), ctx=Context(seen))

    def count(*parts: str) -> int:
        return sum(p.numel() for part in parts for p in layer.get_submodule(part).parameters())

    def line(name: str, letters: str, tap: str, *parts: str, group: str = "") -> Line:
        return Line(name, letters, tuple(seen[tap].shape), count(*parts), group)

    lines = [
        line("stream in", "B T D", "residual_in"),
        line("queries", "B H T d_k", "self_attn.q", "self_attn.w_q", group="attention"),
        line("keys", "B Hkv T d_k", "self_attn.k", "self_attn.w_k", group="attention"),
        line("values", "B Hkv T d_k", "self_attn.v", "self_attn.w_v", group="attention"),
        line("scores", "B H T T", "self_attn.scores"),
        line("weights", "B H T T", "self_attn.weights"),
        line("heads", "B H T d_k", "self_attn.heads"),
        line("joined, mapped back", "B T D", "self_attn.out", "self_attn.w_o", group="attention"),
        line("add & norm", "B T D", "residual_mid", "norm1", group="norm"),
        line("hidden units", "B T F", "feed_forward.hidden", "feed_forward.w_1", group="feed-forward"),
        line("mapped back", "B T D", "feed_forward.out", "feed_forward.w_2", group="feed-forward"),
        line("add & norm, stream out", "B T D", "residual_out", "norm2", group="norm"),
    ]
    assert sum(each.n_parameters for each in lines) == sum(p.numel() for p in layer.parameters())
    return lines


def tower(config: TransformerConfig, n_layers: int, seed: int = 0) -> Tower:
    """n_layers encoder layers, built as a stack builds them: the same plan, each with numbers of its own."""
    generator = torch.Generator().manual_seed(seed)
    layers = [EncoderLayer(config, generator) for _ in range(n_layers)]
    tensors = [p for layer in layers for p in layer.parameters()]
    one = sum(p.numel() for p in layers[0].parameters()) if layers else 0
    storages = {p.untyped_storage().data_ptr() for p in tensors}
    return Tower(one, sum(p.numel() for p in tensors), len(tensors), len(storages))
