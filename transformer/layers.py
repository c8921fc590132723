"""One layer of an encoder and of a decoder, and what they are made of."""

import torch.nn.functional as F
from torch import Generator, Tensor, nn

from transformer.attention import MultiHeadAttention
from transformer.cache import LayerCache
from transformer.config import NORMS, TransformerConfig
from transformer.positions import Positions
from transformer.random import dropout, linear
from transformer.taps import Tap, no_tap, under

_ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu}


class FeedForward(nn.Module):
    """FFN(x) = f(x W_1 + b_1) W_2 + b_2, the same at every position; f is ReLU, or GELU in its exact form."""

    def __init__(
        self,
        d_model: int,
        d_ff: int,
        activation: str = "relu",
        *,
        bias: bool = True,
        generator: Generator | None = None,
    ):
        super().__init__()
        self.w_1 = linear(d_model, d_ff, bias=bias, generator=generator)
        self.w_2 = linear(d_ff, d_model, bias=bias, generator=generator)
        self.activation = _ACTIVATIONS[activation]

    def forward(self, x: Tensor, *, tap: Tap = no_tap) -> Tensor:
        """x (B, T, D) -> (B, T, D). Taps: hidden (after the activation), out."""
        hidden = tap("hidden", self.activation(self.w_1(x)))  # (B, T, F)
        return tap("out", self.w_2(hidden))


class AddNorm(nn.LayerNorm):
    """The residual connection and layer normalisation around a sublayer.

    post (the paper):  LayerNorm(x + Sublayer(x))
    pre  (GPT-2 on):   x + Sublayer(LayerNorm(x))

    so a layer writes `norm.after(x, sublayer(norm.before(x)))`, and this module does the one or the other.
    """

    def __init__(self, d_model: int, norm: str = "pre", *, eps: float = 1e-5, dropout: float = 0.0):
        super().__init__(d_model, eps=eps)
        if norm not in NORMS:
            raise ValueError(f"norm={norm!r} is not known; try pre or post")
        self.norm, self.dropout = norm, dropout

    def before(self, x: Tensor) -> Tensor:
        return self(x) if self.norm == "pre" else x

    def after(self, x: Tensor, update: Tensor, *, generator: Generator | None = None) -> Tensor:
        x = x + dropout(update, self.dropout if self.training else 0.0, generator)
        return x if self.norm == "pre" else self(x)


def _attention(config: TransformerConfig, generator: Generator | None) -> MultiHeadAttention:
    return MultiHeadAttention(
        config.d_model,
        config.n_heads,
        config.n_kv_heads,
        bias=config.bias,
        scaled=config.scaled,
        dropout=config.dropout,
        generator=generator,
    )


def _feed_forward(config: TransformerConfig, generator: Generator | None) -> FeedForward:
    return FeedForward(config.d_model, config.d_ff, config.activation, bias=config.bias, generator=generator)


def _add_norm(config: TransformerConfig) -> AddNorm:
    return AddNorm(config.d_model, config.norm, eps=config.norm_eps, dropout=config.dropout)


class EncoderLayer(nn.Module):
    """Two sublayers: self-attention, feed-forward; each inside an Add & Norm."""

    def __init__(self, config: TransformerConfig, generator: Generator | None = None):
        super().__init__()
        self.self_attn = _attention(config, generator)
        self.feed_forward = _feed_forward(config, generator)
        self.norm1, self.norm2 = _add_norm(config), _add_norm(config)

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None = None,
        *,
        positions: Positions | None = None,
        cache: LayerCache | None = None,
        tap: Tap = no_tap,
        generator: Generator | None = None,
    ) -> tuple[Tensor, Tensor]:
        """x (B, T, D) -> x (B, T, D), weights (B, H, T, T).

        Taps: residual_in, residual_mid (after self-attention), residual_out, and those of the sublayers.
        """
        x = tap("residual_in", x)
        attended, weights = self.self_attn(
            self.norm1.before(x),
            mask=mask,
            positions=positions,
            cache=cache and cache.self_attn,
            tap=under("self_attn", tap),
            generator=generator,
        )
        x = tap("residual_mid", self.norm1.after(x, attended, generator=generator))
        update = self.feed_forward(self.norm2.before(x), tap=under("feed_forward", tap))
        x = tap("residual_out", self.norm2.after(x, update, generator=generator))
        return x, weights


class DecoderLayer(nn.Module):
    """Three sublayers: self-attention, cross-attention (q from here, k and v from memory), feed-forward."""

    def __init__(self, config: TransformerConfig, generator: Generator | None = None):
        super().__init__()
        self.self_attn = _attention(config, generator)
        self.cross_attn = _attention(config, generator)
        self.feed_forward = _feed_forward(config, generator)
        self.norm1, self.norm2, self.norm3 = _add_norm(config), _add_norm(config), _add_norm(config)

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        *,
        positions: Positions | None = None,
        cache: LayerCache | None = None,
        tap: Tap = no_tap,
        generator: Generator | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """x (B, T, D), memory (B, S, D) -> x (B, T, D), self weights (B, H, T, T), cross weights (B, H, T, S).

        Taps: residual_in, residual_self (after self-attention), residual_mid (after cross-attention), residual_out.
        """
        x = tap("residual_in", x)
        attended, self_weights = self.self_attn(
            self.norm1.before(x),
            mask=tgt_mask,
            positions=positions,
            cache=cache and cache.self_attn,
            tap=under("self_attn", tap),
            generator=generator,
        )
        x = tap("residual_self", self.norm1.after(x, attended, generator=generator))
        # Relative schemes count the distance within one text, so they have no say between two.
        attended, cross_weights = self.cross_attn(
            self.norm2.before(x),
            memory,
            memory_mask,
            cache=cache and cache.cross_attn,
            tap=under("cross_attn", tap),
            generator=generator,
        )
        x = tap("residual_mid", self.norm2.after(x, attended, generator=generator))
        update = self.feed_forward(self.norm3.before(x), tap=under("feed_forward", tap))
        x = tap("residual_out", self.norm3.after(x, update, generator=generator))
        return x, self_weights, cross_weights
