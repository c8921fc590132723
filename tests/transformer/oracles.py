"""What the tests share: numbers to test with, and torch's own modules filled with the weights of ours."""

import math
from typing import TypeVar

import torch
from hypothesis import settings
from torch import nn

from transformer.core import masks

quick = settings(deadline=None)

Module = TypeVar("Module", bound=nn.Module)

DTYPES = [torch.float64, torch.float32]
TOLERANCE = {torch.float64: (0.0, 1e-10), torch.float32: (1e-5, 1e-5)}  # relative, absolute

MASKS = ["none", "causal", "padding", "causal+padding"]


def rng(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def rand(*shape: int, seed: int = 0, dtype=torch.float64) -> torch.Tensor:
    return torch.randn(shape, generator=rng(seed), dtype=torch.float64).to(dtype)


def ids(*shape: int, vocab: int = 50, seed: int = 0) -> torch.Tensor:
    return torch.randint(0, vocab, shape, generator=rng(seed))


def shaken(module: Module, dtype: torch.dtype = torch.float64, seed: int = 0) -> Module:
    """The module in eval mode with every parameter drawn anew: no bias stays 0 and no norm stays the identity."""
    generator = rng(seed)
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.randn(p.shape, generator=generator, dtype=torch.float64) * 0.3)
            if p.dim() == 1:
                p.add_(0.5)
    return module.eval().to(dtype)


def close(ours: torch.Tensor, theirs: torch.Tensor) -> None:
    rtol, atol = TOLERANCE[ours.dtype]
    torch.testing.assert_close(ours, theirs, rtol=rtol, atol=atol)


def mask_pair(kind: str, B: int, T: int, S: int, seed: int = 0):
    """The same rule twice: our mask (True = may attend), torch's attn_mask and key_padding_mask (True = blocked)."""
    mask = attn = pads = None
    if "causal" in kind:
        mask = masks.causal(T, S)
        attn = torch.tensor([[s > S - T + t for s in range(S)] for t in range(T)])
    if "padding" in kind:
        lengths = torch.randint(1, S + 1, (B,), generator=rng(seed))
        mask = masks.all_of(mask, masks.padding(lengths, S))
        pads = torch.tensor([[s >= n for s in range(S)] for n in lengths.tolist()])
    return mask, attn, pads


def sinusoid_table(length: int, d_model: int, base: float = 10_000.0) -> torch.Tensor:
    """The formula of the paper, cell by cell, with nothing but the math module."""
    rows = []
    for pos in range(length):
        row = []
        for column in range(d_model):
            angle = pos / base ** ((column - column % 2) / d_model)
            row.append(math.cos(angle) if column % 2 else math.sin(angle))
        rows.append(row)
    return torch.tensor(rows, dtype=torch.float64).reshape(length, d_model)


# From ours to torch's. load_state_dict is strict, so nothing can be left out unseen.


def _linear(ours: nn.Linear, name: str) -> dict:
    state = {f"{name}.weight": ours.weight}
    return state if ours.bias is None else state | {f"{name}.bias": ours.bias}


def _norm(ours: nn.LayerNorm, name: str) -> dict:
    return {f"{name}.weight": ours.weight, f"{name}.bias": ours.bias}


def _attention(ours, prefix: str = "") -> dict:
    maps = (ours.w_q, ours.w_k, ours.w_v)
    state = {f"{prefix}in_proj_weight": torch.cat([m.weight for m in maps])}
    if ours.w_q.bias is not None:
        state[f"{prefix}in_proj_bias"] = torch.cat([m.bias for m in maps])
    return state | _linear(ours.w_o, f"{prefix}out_proj")


def _layer(ours, prefix: str = "") -> dict:
    state = _attention(ours.self_attn, f"{prefix}self_attn.")
    if hasattr(ours, "cross_attn"):
        state |= _attention(ours.cross_attn, f"{prefix}multihead_attn.") | _norm(ours.norm3, f"{prefix}norm3")
    state |= _linear(ours.feed_forward.w_1, f"{prefix}linear1") | _linear(ours.feed_forward.w_2, f"{prefix}linear2")
    return state | _norm(ours.norm1, f"{prefix}norm1") | _norm(ours.norm2, f"{prefix}norm2")


def _empty_layer(kind, config, dtype):
    return kind(
        config.d_model,
        config.n_heads,
        config.d_ff,
        dropout=0.0,
        activation=config.activation,
        layer_norm_eps=config.norm_eps,
        batch_first=True,
        norm_first=config.norm == "pre",
        dtype=dtype,
    )


def torch_attention(ours) -> nn.MultiheadAttention:
    theirs = nn.MultiheadAttention(
        ours.w_o.out_features,
        ours.n_heads,
        bias=ours.w_o.bias is not None,
        batch_first=True,
        dtype=ours.w_o.weight.dtype,
    )
    theirs.load_state_dict(_attention(ours))
    return theirs.eval()


def torch_encoder_layer(ours, config) -> nn.TransformerEncoderLayer:
    theirs = _empty_layer(nn.TransformerEncoderLayer, config, ours.norm1.weight.dtype)
    theirs.load_state_dict(_layer(ours))
    return theirs.eval()


def torch_decoder_layer(ours, config) -> nn.TransformerDecoderLayer:
    theirs = _empty_layer(nn.TransformerDecoderLayer, config, ours.norm1.weight.dtype)
    theirs.load_state_dict(_layer(ours))
    return theirs.eval()


def torch_transformer(ours) -> nn.Transformer:
    """nn.Transformer with the stacks of ours. Left to itself it closes every stack with a norm, post-norm ones too."""
    config, dtype = ours.config, ours.decoder.embedding.weight.dtype

    def last_norm():
        return nn.LayerNorm(config.d_model, config.norm_eps, dtype=dtype) if config.norm == "pre" else None

    encoder_layer = _empty_layer(nn.TransformerEncoderLayer, config, dtype)
    decoder_layer = _empty_layer(nn.TransformerDecoderLayer, config, dtype)
    theirs = nn.Transformer(
        config.d_model,
        config.n_heads,
        custom_encoder=nn.TransformerEncoder(
            encoder_layer, config.n_encoder_layers, last_norm(), enable_nested_tensor=False
        ),
        custom_decoder=nn.TransformerDecoder(decoder_layer, config.n_decoder_layers, last_norm()),
        batch_first=True,
    )
    # Only now: the constructor of nn.Transformer draws all weights anew.
    theirs.load_state_dict(_stack(ours.encoder, "encoder.") | _stack(ours.decoder, "decoder."))
    return theirs.eval()


def _stack(ours, prefix: str) -> dict:
    state = {}
    for i, layer in enumerate(ours.layers):
        state |= _layer(layer, f"{prefix}layers.{i}.")
    return state | (_norm(ours.final_norm, f"{prefix}norm") if isinstance(ours.final_norm, nn.LayerNorm) else {})


def angles(T, d_k, base=10_000.0):
    """Angle of each position t and pair i of a rotary head, t / base^(2i/d_k): (T, d_k // 2), float64."""
    return torch.tensor(
        [[t / base ** (2 * i / d_k) for i in range(d_k // 2)] for t in range(T)], dtype=torch.float64
    ).reshape(T, d_k // 2)
