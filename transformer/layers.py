"""One layer of an encoder and of a decoder, and what they are made of."""

import torch.nn.functional as F
from torch import Generator, Tensor, nn

from transformer.attention import MultiHeadAttention
from transformer.checks import check_choice
from transformer.config import ACTIVATIONS, NORMS, TransformerConfig
from transformer.context import PLAIN, Context
from transformer.positions import Positions
from transformer.random import linear

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
    ) -> None:
        super().__init__()
        check_choice("activation", activation, ACTIVATIONS)
        self.w_1 = linear(d_model, d_ff, bias=bias, generator=generator)
        self.w_2 = linear(d_ff, d_model, bias=bias, generator=generator)
        self.activation = _ACTIVATIONS[activation]

    def forward(self, x: Tensor, ctx: Context = PLAIN) -> Tensor:
        """x (B, T, D) -> (B, T, D). Taps: hidden (after the activation), out."""
        hidden = ctx.tap("hidden", self.activation(self.w_1(x)))  # (B, T, F)
        return ctx.tap("out", self.w_2(hidden))


class AddNorm(nn.LayerNorm):
    """The residual connection and layer normalisation around a sublayer.

    post (the paper):  LayerNorm(x + Sublayer(x))
    pre  (GPT-2 on):   x + Sublayer(LayerNorm(x))

    so a layer writes `norm.after(x, sublayer(norm.before(x)))`, and this module does the one or the other.
    """

    def __init__(self, d_model: int, norm: str = "pre", *, eps: float = 1e-5, dropout: float = 0.0) -> None:
        super().__init__(d_model, eps=eps)
        check_choice("norm", norm, NORMS)
        self.norm, self.dropout = norm, dropout

    def before(self, x: Tensor) -> Tensor:
        """The input of the sublayer, (B, T, D)."""
        return self(x) if self.norm == "pre" else x

    def after(self, x: Tensor, update: Tensor, ctx: Context = PLAIN) -> Tensor:
        """The stream x (B, T, D) with the sublayer's update (B, T, D) added to it."""
        x = x + ctx.dropout(update, self.dropout, self.training)
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

    def __init__(self, config: TransformerConfig, generator: Generator | None = None) -> None:
        super().__init__()
        self.self_attn = _attention(config, generator)
        self.feed_forward = _feed_forward(config, generator)
        self.norm1, self.norm2 = _add_norm(config), _add_norm(config)

    def forward(
        self, x: Tensor, mask: Tensor | None = None, *, positions: Positions | None = None, ctx: Context = PLAIN
    ) -> tuple[Tensor, Tensor]:
        """x (B, T, D) -> x (B, T, D), weights (B, H, T, T).

        Taps: residual_in, residual_mid (after self-attention), residual_out, and those of the sublayers.
        """
        x = ctx.tap("residual_in", x)
        update, weights = self.self_attn(self.norm1.before(x), mask=mask, positions=positions, ctx=ctx.at("self_attn"))
        x = ctx.tap("residual_mid", self.norm1.after(x, update, ctx))
        update = self.feed_forward(self.norm2.before(x), ctx.at("feed_forward"))
        x = ctx.tap("residual_out", self.norm2.after(x, update, ctx))
        return x, weights


class DecoderLayer(nn.Module):
    """Three sublayers: self-attention, cross-attention (q from here, k and v from memory), feed-forward."""

    def __init__(self, config: TransformerConfig, generator: Generator | None = None) -> None:
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
        ctx: Context = PLAIN,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """x (B, T, D), memory (B, S, D) -> x (B, T, D), self weights (B, H, T, T), cross weights (B, H, T, S).

        Taps: residual_in, residual_self (after self-attention), residual_mid (after cross-attention), residual_out.
        """
        x = ctx.tap("residual_in", x)
        update, self_weights = self.self_attn(
            self.norm1.before(x), mask=tgt_mask, positions=positions, ctx=ctx.at("self_attn")
        )
        x = ctx.tap("residual_self", self.norm1.after(x, update, ctx))
        # Positions count the distance within one text, so they have no say between two.
        update, cross_weights = self.cross_attn(self.norm2.before(x), memory, memory_mask, ctx=ctx.at("cross_attn"))
        x = ctx.tap("residual_mid", self.norm2.after(x, update, ctx))
        update = self.feed_forward(self.norm3.before(x), ctx.at("feed_forward"))
        x = ctx.tap("residual_out", self.norm3.after(x, update, ctx))
        return x, self_weights, cross_weights
