"""Which stream feeds q, k and v: every way to wire one attention between an encoder and a decoder, tried out."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch import Generator, nn

from transformer.core.attention import MultiHeadAttention, merge_heads, scaled_dot_product_attention, split_heads
from transformer.core.model import Transformer
from transformer.inspection.ablations import twin

Stream = Literal["encoder", "decoder"]
NAMES: dict[tuple[Stream, Stream, Stream], str] = {
    ("encoder", "encoder", "encoder"): "encoder self-attention",
    ("decoder", "decoder", "decoder"): "decoder self-attention",
    ("decoder", "encoder", "encoder"): "cross-attention",
}  # queries, keys, values; a Transformer has none of the other five


@dataclass(frozen=True, eq=False)
class Wiring:
    """What one choice of sources gives.

    name        of the attention, if it is one of the three; else ""
    weights     (T', S') of the first head, for T' queries and S' keys
    n_outputs   how many vectors come out; None if there are not as many values as keys
    depends_on  the streams that the output depends on: those with a gradient above rounding error
    fits        the streams whose residual connection the output can be added to
    """

    name: str
    weights: np.ndarray
    n_outputs: int | None
    depends_on: frozenset[Stream]
    fits: frozenset[Stream]


def wire(queries: Stream, keys: Stream, values: Stream, S: int, T: int, *, seed: int = 0) -> Wiring:
    """Run one attention with random weights on S vectors of an encoder and T of a decoder, without a mask."""
    generator = Generator().manual_seed(seed)
    attention = MultiHeadAttention(16, 2, generator=generator)
    lengths: dict[Stream, int] = {"encoder": S, "decoder": T}
    streams = {name: torch.randn(1, n, 16, generator=generator).requires_grad_() for name, n in lengths.items()}
    q = split_heads(attention.w_q(streams[queries]), 2)  # (1, 2, T', d_k)
    k = split_heads(attention.w_k(streams[keys]), 2)  # (1, 2, S', d_k)
    v = split_heads(attention.w_v(streams[values]), 2)
    if k.shape[2] != v.shape[2]:  # a weight for every key, but not as many values
        _, weights = scaled_dot_product_attention(q, k, k)
        return Wiring("", weights[0, 0].detach().numpy(), None, frozenset(), frozenset())
    heads, weights = scaled_dot_product_attention(q, k, v)
    output = attention.w_o(merge_heads(heads))  # (1, T', D)
    gradients = torch.autograd.grad(output.square().sum(), tuple(streams.values()), allow_unused=True)
    return Wiring(
        NAMES.get((queries, keys, values), ""),
        weights[0, 0].detach().numpy(),
        output.shape[1],
        frozenset(
            name for name, g in zip(streams, gradients, strict=True) if g is not None and g.abs().max().item() > 1e-9
        ),
        frozenset(name for name, x in streams.items() if x.shape == output.shape),
    )


class _OwnText(nn.Module):
    """A cross-attention whose keys and values come from where its queries come from: the memory is not read."""

    def __init__(self, part: nn.Module) -> None:
        super().__init__()
        self.part = part

    def forward(self, x: torch.Tensor, memory: torch.Tensor, mask: torch.Tensor | None = None, **keywords: Any) -> Any:
        del memory, mask  # token by token, as one generates, nothing that is there comes later
        return self.part(x, None, None, **keywords)


def without_source(model: Transformer) -> Transformer:
    """The same model, on the same parameters, whose decoder takes the keys and values of every cross-attention from its
    own text: it generates without a word of the source. The given model stays as it is."""
    model = twin(model)
    for layer in model.decoder.layers:
        layer.register_module("cross_attn", _OwnText(layer.cross_attn))
    return model
