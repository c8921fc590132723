"""Attention: the formula as free functions, its parameters as a module."""

import math
from collections.abc import Callable

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import elu

from transformer.core.checks import InputError, check_choice, check_heads
from transformer.core.config import ATTENTIONS
from transformer.core.context import Context
from transformer.core.masks import split_additive
from transformer.core.positions import Positions
from transformer.core.random import dropout, linear
from transformer.core.taps import Tap, no_tap


def masked_softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """softmax over the keys that the mask allows.

    Blocked cells come out exactly 0, and a row with nothing allowed is all zeros with zero gradient: not the NaN
    that a mask of -inf gives, and not the uniform row that a mask of -1e9 gives.

    scores (..., T, S) in any floating dtype; mask boolean, True = may attend, broadcastable to scores.
    """
    if mask is None:
        return scores.softmax(dim=-1)
    if mask.dtype != torch.bool:
        raise TypeError(f"a mask is boolean, True = may attend; this one is {mask.dtype}")
    some_allowed = mask.any(dim=-1, keepdim=True)
    # Blocked scores become -inf, but 0 in a row with nothing allowed, so that softmax has something to divide by.
    floor = torch.zeros_like(some_allowed, dtype=scores.dtype).masked_fill(some_allowed, -math.inf)
    weights = torch.where(mask, scores, floor).softmax(dim=-1)
    if mask.is_meta or not some_allowed.all():  # a meta tensor has a shape, but no values to look at
        weights = weights.masked_fill(~some_allowed, 0.0)
    return weights


def scaled_dot_product_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    *,
    bias: Tensor | None = None,
    scaled: bool = True,
    dropout_p: float = 0.0,
    tap: Tap = no_tap,
    generator: Generator | None = None,
) -> tuple[Tensor, Tensor]:
    """Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k) + bias) V  (Vaswani et al. 2017, equation 1).

    q (..., T, d_k), k (..., S, d_k), v (..., S, d_v) -> output (..., T, d_v), weights (..., T, S).
    A mask is boolean, True = may attend, or of floats, which are added to the scaled scores (-inf blocks a cell).
    The weights returned are those before dropout: each row sums to 1, or to 0 where the mask allows nothing.
    Taps: scores, scaled, biased (if there is a bias or a mask of floats), weights.
    """
    if mask is not None and mask.is_floating_point():
        mask, additive = split_additive(mask)
        additive = additive.to(q.dtype)
        bias = additive if bias is None else bias + additive
    scores = tap("scores", q @ k.transpose(-2, -1))  # (B, H, T, S)
    if scaled:
        scores = scores / math.sqrt(q.shape[-1])
    scores = tap("scaled", scores)
    if bias is not None:
        scores = tap("biased", scores + bias)
    weights = tap("weights", masked_softmax(scores, mask))  # (B, H, T, S)
    return dropout(weights, dropout_p, generator) @ v, weights  # (B, H, T, d_v)


def linear_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    *,
    dropout_p: float = 0.0,
    tap: Tap = no_tap,
    generator: Generator | None = None,
) -> tuple[Tensor, Tensor]:
    """phi(q) . phi(k) in the place of exp(q . k / sqrt(d_k)), phi(x) = elu(x) + 1  (Katharopoulos et al. 2020).

    Shapes and masks as in scaled_dot_product_attention. The weights are written down here so that they can be drawn
    and masked; `variants.linear_output` gives the same output without them. Taps: scores, weights.
    """
    if mask is not None and mask.is_floating_point():
        mask, additive = split_additive(mask)
        if additive.any():
            raise InputError("linear attention has no scores that numbers could be added to; hand in a boolean mask")
    scores = tap("scores", (elu(q) + 1) @ (elu(k) + 1).transpose(-2, -1))  # (B, H, T, S)
    if mask is not None:
        scores = scores.masked_fill(~mask, 0.0)
    total = scores.sum(dim=-1, keepdim=True).clamp_min(torch.finfo(scores.dtype).tiny)
    weights = tap("weights", scores / total)  # (B, H, T, S)
    return dropout(weights, dropout_p, generator) @ v, weights


class MultiHeadAttention(nn.Module):
    """MultiHead(Q, K, V) = Concat(head_1, ..., head_H) W_o, head_i = Attention(Q W_q_i, K W_k_i, V W_v_i).

    Self-attention reads q, k and v from one stream; cross-attention reads q from x and k, v from `memory`.
    With n_kv_heads < n_heads, groups of query heads share a key/value head (grouped-query attention, Ainslie et al.
    2023; n_kv_heads=1 is multi-query attention, Shazeer 2019). Heads are d_model / n_heads wide, or head_width. `bias`
    is of W_q, W_k and W_v, and of W_o as well unless o_bias says otherwise. `kind` is "softmax" or "linear".
    `head_norm` makes a norm over the d_k features of a head, one for q and one for k (Henry et al. 2020; Qwen3): no
    score can then grow with the lengths of q and k.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        n_kv_heads: int | None = None,
        *,
        head_width: int | None = None,
        bias: bool = True,
        o_bias: bool | None = None,
        kind: str = "softmax",
        scaled: bool = True,
        head_norm: Callable[[int], nn.Module] | None = None,
        dropout: float = 0.0,
        generator: Generator | None = None,
    ) -> None:
        super().__init__()
        check_choice("attention", kind, ATTENTIONS)
        n_kv_heads = n_heads if n_kv_heads is None else n_kv_heads
        check_heads(d_model, n_heads, n_kv_heads, head_width)
        self.n_heads, self.n_kv_heads = n_heads, n_kv_heads
        self.d_k = d_model // n_heads if head_width is None else head_width
        self.kind, self.scaled, self.dropout = kind, scaled, dropout
        self.w_q = linear(d_model, n_heads * self.d_k, bias=bias, generator=generator)
        self.w_k = linear(d_model, n_kv_heads * self.d_k, bias=bias, generator=generator)
        self.w_v = linear(d_model, n_kv_heads * self.d_k, bias=bias, generator=generator)
        self.w_o = linear(n_heads * self.d_k, d_model, bias=bias if o_bias is None else o_bias, generator=generator)
        self.norm_q = None if head_norm is None else head_norm(self.d_k)
        self.norm_k = None if head_norm is None else head_norm(self.d_k)

    def forward(
        self,
        x: Tensor,
        memory: Tensor | None = None,
        mask: Tensor | None = None,
        *,
        positions: Positions | None = None,
        ctx: Context | None = None,
        tap: Tap = no_tap,
        generator: Generator | None = None,
    ) -> tuple[Tensor, Tensor]:
        """x (B, T, D), memory (B, S, D) or None for self-attention -> output (B, T, D), weights (B, H, T, S).

        With a cache, x is only what is new: the queries are the last T of the S tokens that the cache then holds.
        A model hands in its context; a caller of this module alone may give tap and generator instead.
        Taps: q, k, v (q and k as they meet, already rotated), scores, scaled, biased, weights, heads, out.
        """
        if ctx is None:
            ctx = Context(tap, generator=generator)
        tap = ctx.tap
        q = split_heads(self.w_q(x), self.n_heads)  # (B, H, T, d_k)
        q = q if self.norm_q is None else self.norm_q(q)
        k, v = ctx.keys_values().extend_or_reuse(self.keys_values, x, memory)  # (B, Hkv, S, d_k)
        bias = None
        if positions is not None:
            q, k = positions.rotate(q, k)
            bias = positions.bias(q.shape[-2], k.shape[-2])
        q, k, v = tap("q", q), tap("k", k), tap("v", v)

        group = self.n_heads // self.n_kv_heads
        if group > 1:
            k = k.repeat_interleave(group, dim=1)  # (B, H, S, d_k)
            v = v.repeat_interleave(group, dim=1)
        dropout_p = self.dropout if self.training else 0.0
        if self.kind == "linear":
            heads, weights = linear_attention(q, k, v, mask, dropout_p=dropout_p, tap=tap, generator=ctx.generator)
        else:
            heads, weights = scaled_dot_product_attention(
                q, k, v, mask, bias=bias, scaled=self.scaled, dropout_p=dropout_p, tap=tap, generator=ctx.generator
            )
        heads = tap("heads", heads)  # (B, H, T, d_k)
        return tap("out", self.w_o(merge_heads(heads))), weights

    def keys_values(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values, before positions rotate the keys. x (B, S, D) -> k, v (B, Hkv, S, d_k)"""
        k = split_heads(self.w_k(x), self.n_kv_heads)
        k = k if self.norm_k is None else self.norm_k(k)
        v = split_heads(self.w_v(x), self.n_kv_heads)
        return k, v


def split_heads(x: Tensor, n_heads: int) -> Tensor:
    """Cut the features of every token into heads; no token is mixed with another. (B, T, D) -> (B, H, T, d_k)"""
    B, T, D = x.shape
    return x.view(B, T, n_heads, D // n_heads).transpose(1, 2)


def merge_heads(x: Tensor) -> Tensor:
    """Concat(head_1, ..., head_H). (B, H, T, d_k) -> (B, T, D)"""
    B, H, T, d_k = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_k)
