"""A mixture of experts: feed-forward layers side by side, of which a router picks a few for every token.

Shazeer et al. 2017; with one expert per token as in the Switch Transformer (Fedus et al. 2021), with several as in
Mixtral (Jiang et al. 2024). Parameters grow with the number of experts, the work per token only with how many it goes
to.

    letters: N tokens, E experts, k of them for each token
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Generator, Tensor, nn

from transformer.core.checks import check_whole
from transformer.core.context import PLAIN, Context
from transformer.core.random import linear


def choose(shares: Tensor, top_k: int) -> tuple[Tensor, Tensor]:
    """The experts of every token and what each of them counts: shares (..., E) -> weights (..., k), experts (..., k).

    The k largest shares, divided by their sum. A single one keeps its share, as in the Switch Transformer: divided by
    itself it would be 1 whatever the router says, and the router would have no gradient to learn from.
    """
    weights, experts = shares.topk(top_k, dim=-1)
    return (weights / weights.sum(dim=-1, keepdim=True) if top_k > 1 else weights), experts


def balance_loss(shares: Tensor, top_k: int) -> Tensor:
    """E sum_e f_e P_e: 1 where all experts get equally much, E where one gets everything  (Fedus et al. 2021).

    shares (N, E). f_e is the part of all choices that fell on expert e, P_e its mean share. Without it the experts that
    are ahead get more tokens, learn more from them, and end up with all.
    """
    N, E = shares.shape
    _, experts = choose(shares, top_k)
    f = torch.bincount(experts.flatten(), minlength=E).to(shares) / (N * top_k)
    return E * (f * shares.mean(dim=0)).sum()


class MixtureOfExperts(nn.Module):
    """MoE(x) = sum over the k chosen experts of g_e(x) FFN_e(x), where g = softmax(x W_r), cut to the k largest.

    An expert computes only the tokens that come to it.
    """

    experts: Any  # an nn.ModuleList, whose type says nothing of its modules

    def __init__(
        self, d_model: int, experts: Iterable[nn.Module], top_k: int, generator: Generator | None = None
    ) -> None:
        super().__init__()
        check_whole("top_k", top_k)
        self.experts = nn.ModuleList(experts)
        self.router = linear(d_model, len(self.experts), bias=False, generator=generator)
        self.top_k = top_k

    def forward(self, x: Tensor, ctx: Context = PLAIN) -> Tensor:
        """x (B, T, D) -> (B, T, D). Taps: router (the shares (B, T, E)), out."""
        shares = ctx.tap("router", self.router(x).softmax(dim=-1))  # (B, T, E)
        weights, experts = choose(shares.flatten(0, 1), self.top_k)  # (B T, k)
        tokens = x.flatten(0, 1)  # (B T, D)
        out = torch.zeros_like(tokens)
        for e, expert in enumerate(self.experts):
            token, rank = (experts == e).nonzero(as_tuple=True)
            out = out.index_add(0, token, weights[token, rank, None] * expert(tokens[token]))
        return ctx.tap("out", out.view_as(x))


class NoFeedForward(nn.Module):
    """Nothing in the place of a feed-forward layer: adds 0 to the stream. A stack of these is attention alone."""

    def forward(self, x: Tensor, ctx: Context = PLAIN) -> Tensor:
        """x (B, T, D) -> zeros (B, T, D). Tap: out."""
        return ctx.tap("out", torch.zeros_like(x))
