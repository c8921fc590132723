"""The table of a layer: every tensor that passes, its shape, and the parameters that made it."""

from typing import NamedTuple

import torch

from transformer.core.config import TransformerConfig
from transformer.core.context import Context
from transformer.core.layers import EncoderLayer
from transformer.core.taps import Recorder


class Row(NamedTuple):
    """One tensor: its name, the letters of its shape and the shape, the parameters that made it, and their group."""

    name: str
    letters: str
    shape: tuple[int, ...]
    n_parameters: int
    group: str


class StackCount(NamedTuple):
    """N layers on each other: parameters of one and of all, and how many tensors lie in how many places of memory."""

    one: int
    all: int
    n_tensors: int
    n_storages: int


def shape_table(config: TransformerConfig, B: int, T: int) -> list[Row]:
    """Every tensor that passes when one encoder layer runs on random numbers (B, T, D), in order."""
    generator = torch.Generator().manual_seed(0)
    layer = EncoderLayer(config, generator).eval()
    recorder = Recorder()
    with torch.inference_mode():
        layer(torch.randn(B, T, config.d_model, generator=generator), ctx=Context(recorder))

    def count(*parts: str) -> int:
        return sum(p.numel() for part in parts for p in layer.get_submodule(part).parameters())

    def row(name: str, letters: str, tap: str, *parts: str, group: str = "") -> Row:
        return Row(name, letters, tuple(recorder[tap].shape), count(*parts), group)

    last_map, gate = "feed_forward.w_1", []
    if config.gated:
        last_map = "feed_forward.w_3"
        gate = [row("gate", "B T F", "feed_forward.gate", "feed_forward.w_1", group="feed-forward")]
    rows = [
        row("stream in", "B T D", "residual_in"),
        row("queries", "B H T d_k", "self_attn.q", "self_attn.w_q", group="attention"),
        row("keys", "B Hkv T d_k", "self_attn.k", "self_attn.w_k", group="attention"),
        row("values", "B Hkv T d_k", "self_attn.v", "self_attn.w_v", group="attention"),
        row("scores", "B H T T", "self_attn.scores"),
        row("weights", "B H T T", "self_attn.weights"),
        row("heads", "B H T d_k", "self_attn.heads"),
        row("joined, mapped back", "B T D", "self_attn.out", "self_attn.w_o", group="attention"),
        row("add & norm", "B T D", "residual_mid", "norm1", group="norm"),
        *gate,
        row("hidden units", "B T F", "feed_forward.hidden", last_map, group="feed-forward"),
        row("mapped back", "B T D", "feed_forward.out", "feed_forward.w_2", group="feed-forward"),
        row("add & norm, stream out", "B T D", "residual_out", "norm2", group="norm"),
    ]
    assert sum(each.n_parameters for each in rows) == sum(p.numel() for p in layer.parameters())
    return rows


def stack_count(config: TransformerConfig, n_layers: int) -> StackCount:
    """Count n_layers encoder layers, built as a stack builds them: the same plan, each with parameters of its own."""
    generator = torch.Generator().manual_seed(0)
    layers = [EncoderLayer(config, generator) for _ in range(n_layers)]
    tensors = [p for layer in layers for p in layer.parameters()]
    one = sum(p.numel() for p in layers[0].parameters()) if layers else 0
    storages = {p.untyped_storage().data_ptr() for p in tensors}
    return StackCount(one, sum(p.numel() for p in tensors), len(tensors), len(storages))
