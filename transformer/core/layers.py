"""One layer of an encoder and of a decoder, and what they are made of."""

from functools import partial
from typing import Any

import torch.nn.functional as F
from torch import Generator, Tensor, nn

from transformer.core.attention import MultiHeadAttention
from transformer.core.checks import InputError, check_choice
from transformer.core.config import ACTIVATIONS, NORM_KINDS, NORMS, TransformerConfig
from transformer.core.context import PLAIN, Context
from transformer.core.mixture import MixtureOfExperts, NoFeedForward
from transformer.core.positions import Positions
from transformer.core.random import linear

_ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "gelu_tanh": partial(F.gelu, approximate="tanh"), "silu": F.silu}


class FeedForward(nn.Module):
    """FFN(x) = f(x W_1 + b_1) W_2 + b_2, the same at every position.

    f is ReLU max(0, z), GELU z P(Z < z) or its tanh form (Hendrycks and Gimpel 2016), or SiLU z sigmoid(z). With a
    gate, FFN(x) = (f(x W_1) * x W_3) W_2: SwiGLU where f is SiLU, GeGLU where it is GELU (Shazeer 2020).
    """

    def __init__(
        self,
        d_model: int,
        d_ff: int,
        activation: str = "relu",
        *,
        gated: bool = False,
        bias: bool = True,
        generator: Generator | None = None,
    ) -> None:
        super().__init__()
        check_choice("activation", activation, ACTIVATIONS)
        self.w_1 = linear(d_model, d_ff, bias=bias, generator=generator)
        self.w_2 = linear(d_ff, d_model, bias=bias, generator=generator)
        self.w_3 = linear(d_model, d_ff, bias=bias, generator=generator) if gated else None
        self.activation = _ACTIVATIONS[activation]

    def forward(self, x: Tensor, ctx: Context = PLAIN) -> Tensor:
        """x (B, T, D) -> (B, T, D). Taps: gate (f(x W_1), if there is one), hidden (what W_2 reads), out."""
        hidden = self.activation(self.w_1(x))  # (B, T, F)
        if self.w_3 is not None:
            hidden = ctx.tap("gate", hidden) * self.w_3(x)
        return ctx.tap("out", self.w_2(ctx.tap("hidden", hidden)))


def rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    """RMSNorm(x) = x / sqrt(mean(x^2) + eps) * g: layer norm without its mean and bias (Zhang and Sennrich 2019).

    x (..., D), weight (D,) -> (..., D). The mean of squares of half precision is taken in float32.
    """
    wide = x.float() if x.dtype.itemsize < 4 else x
    return weight * (wide * (wide.square().mean(-1, keepdim=True) + eps).rsqrt()).to(x.dtype)


class Norm(nn.LayerNorm):
    """Layer normalisation, (x - mean) / sqrt(variance + eps) * g + b (Ba et al. 2016), or rms_norm in its place.

    A norm of the kind "none" has no parameters and hands on what it is given.
    """

    def __init__(self, d_model: int, kind: str = "layer", *, bias: bool = True, eps: float = 1e-5) -> None:
        check_choice("norm_kind", kind, NORM_KINDS)
        super().__init__(d_model, eps=eps, bias=bias and kind == "layer", elementwise_affine=kind != "none")
        self.kind = kind

    def forward(self, input: Tensor) -> Tensor:
        """(B, T, D) -> (B, T, D), every token by itself."""
        if self.kind == "none":
            return input
        return rms_norm(input, self.weight, self.eps) if self.kind == "rms" else super().forward(input)


class AddNorm(Norm):
    """The residual connection and the norm around a sublayer.

    post (the paper):  LayerNorm(x + Sublayer(x))
    pre  (GPT-2 on):   x + Sublayer(LayerNorm(x))

    so a layer writes `norm.after(x, sublayer(norm.before(x)))`, and this module does the one or the other.
    """

    def __init__(
        self,
        d_model: int,
        norm: str = "pre",
        *,
        kind: str = "layer",
        bias: bool = True,
        eps: float = 1e-5,
        dropout: float = 0.0,
    ) -> None:
        super().__init__(d_model, kind, bias=bias, eps=eps)
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
        head_width=config.head_width,
        bias=config.has_bias("qkv"),
        o_bias=config.has_bias("o"),
        kind=config.attention,
        scaled=config.scaled,
        head_norm=partial(Norm, kind="rms", eps=config.norm_eps) if config.head_norm else None,
        dropout=config.dropout,
        generator=generator,
    )


def _feed_forward(config: TransformerConfig, generator: Generator | None) -> Any:
    """A FeedForward, several with a router, or none."""

    def expert() -> FeedForward:
        return FeedForward(
            config.d_model,
            config.d_ff,
            config.activation,
            gated=config.gated,
            bias=config.has_bias("ff"),
            generator=generator,
        )

    if not config.has_feed_forward:
        return NoFeedForward()
    if config.n_experts == 1:
        return expert()
    return MixtureOfExperts(config.d_model, [expert() for _ in range(config.n_experts)], config.top_k, generator)


def _add_norm(config: TransformerConfig, *, of_feed_forward: bool = False) -> AddNorm:
    is_empty = of_feed_forward and not config.has_feed_forward  # nothing is added that a norm could follow
    return AddNorm(
        config.d_model,
        config.norm,
        kind="none" if is_empty else config.norm_kind,
        bias=config.norm_bias,
        eps=config.norm_eps,
        dropout=config.dropout,
    )


def make_norm(config: TransformerConfig) -> Norm:
    """A norm that stands alone: after the embeddings, at the end of a stack, or before the logits."""
    return Norm(config.d_model, config.norm_kind, bias=config.norm_bias, eps=config.norm_eps)


class OutputTransform(nn.Module):
    """Norm(f(x W + b)): what BERT's masked-token head does to the stream before the logits (Devlin et al. 2019)."""

    def __init__(self, config: TransformerConfig, generator: Generator | None = None) -> None:
        super().__init__()
        self.linear = linear(config.d_model, config.d_model, generator=generator)
        self.activation = _ACTIVATIONS[config.activation]
        self.norm = make_norm(config)

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, D) -> (B, T, D)"""
        return self.norm(self.activation(self.linear(x)))


class EncoderLayer(nn.Module):
    """Two sublayers: self-attention, feed-forward; each inside an Add & Norm.

    One after the other, x + Attention(x) = y, y + FFN(y); or in parallel, x + Attention(x) + FFN(x), as in GPT-J
    (Wang and Komatsuzaki 2021) and GPT-NeoX, where each still has a norm of its own.
    """

    def __init__(self, config: TransformerConfig, generator: Generator | None = None) -> None:
        super().__init__()
        self.self_attn = _attention(config, generator)
        self.feed_forward = _feed_forward(config, generator)
        self.norm1, self.norm2 = _add_norm(config), _add_norm(config, of_feed_forward=True)
        self.parallel = config.parallel

    def forward(
        self, x: Tensor, mask: Tensor | None = None, *, positions: Positions | None = None, ctx: Context = PLAIN
    ) -> tuple[Tensor, Tensor]:
        """x (B, T, D) -> x (B, T, D), weights (B, H, T, T).

        Taps: residual_in, residual_mid (after self-attention), residual_out, and those of the sublayers.
        """
        x = ctx.tap("residual_in", x)
        update, weights = self.self_attn(self.norm1.before(x), mask=mask, positions=positions, ctx=ctx.at("self_attn"))
        mid = ctx.tap("residual_mid", self.norm1.after(x, update, ctx))
        update = self.feed_forward(self.norm2.before(x if self.parallel else mid), ctx.at("feed_forward"))
        x = ctx.tap("residual_out", self.norm2.after(mid, update, ctx))
        return x, weights


class DecoderLayer(nn.Module):
    """Three sublayers: self-attention, cross-attention (q from here, k and v from memory), feed-forward."""

    def __init__(self, config: TransformerConfig, generator: Generator | None = None) -> None:
        super().__init__()
        if config.parallel:
            raise InputError("parallel sublayers are for an encoder or a decoder alone; set parallel=False")
        self.self_attn = _attention(config, generator)
        self.cross_attn = _attention(config, generator)
        self.feed_forward = _feed_forward(config, generator)
        self.norm1, self.norm2 = _add_norm(config), _add_norm(config)
        self.norm3 = _add_norm(config, of_feed_forward=True)

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
