"""Attention that costs less than every query with every key, and what it gives up for that; each a small function.

All take q (..., T, d_k), k (..., S, d_k) and v (..., S, d_v) of one text, without positions. Those that return weights
(..., T, S) beside the output (..., T, d_v) return the mixture that each output really is, so that it can be drawn
beside full attention's; a fast implementation never writes it down, and neither do `local`, `linear_output` and
`in_blocks`.

    letters: n = T = S tokens, w window, g global tokens, b tokens per block, r rows that are kept
"""

import math

import torch
from torch import Tensor
from torch.nn.functional import elu, one_hot, pad

from transformer.core import masks
from transformer.core.attention import masked_softmax, scaled_dot_product_attention
from transformer.core.checks import InputError, check_choice
from transformer.core.config import PATTERNS

# ---- fewer cells: masks -------------------------------------------------------------------------------------------


def dilated(n: int, window: int, step: int) -> Tensor:
    """Every `step`-th key up to `window` of them on either side: reaches `step` times as far for the same price.

    (n, n), True = may attend. Beltagy et al. 2020 (Longformer).
    """
    if step < 1:
        raise InputError(f"step={step} must be at least 1: 1 is a window without gaps")
    distance = masks.offsets(n)
    return masks.sliding_window(n, (window - 1) * step + 1) & (distance % step == 0)


def global_and_local(n: int, window: int, n_global: int) -> Tensor:
    """A window, and `n_global` first tokens that everybody sees and that see everybody. (n, n)

    Any two tokens are two steps apart, by way of a global one. Beltagy et al. 2020; Zaheer et al. 2020 (BigBird).
    """
    is_global = torch.arange(n) < n_global
    return masks.sliding_window(n, window) | is_global[:, None] | is_global[None, :]


def block_sparse(n: int, block: int) -> Tensor:
    """Blocks of `block` tokens: each sees its own block, and the last token of every block before. (n, n)

    The fixed pattern of Child et al. 2019 (Sparse Transformers), looking both ways inside a block.
    """
    if block < 1:
        raise InputError(f"block={block} must be at least 1: a block of 1 sees only itself and what came before")
    number = torch.arange(n) // block
    summary = torch.arange(n) % block == block - 1
    return (number[:, None] == number[None, :]) | (summary[None, :] & (number[None, :] < number[:, None]))


def pattern(name: str, T: int, window: int, S: int | None = None) -> Tensor:
    """Which cells a window leaves open in a model, (T, S): one of config.PATTERNS, of this size.

    "near" is masks.sliding_window; "dilated" takes every second key; "global" adds the first token; "blocks" is
    block_sparse. Where T < S, the queries are the last T of S tokens, as everywhere in masks.
    """
    check_choice("pattern", name, PATTERNS)
    S = T if S is None else S
    if name == "near":
        return masks.sliding_window(T, window, S)
    if name == "dilated":
        whole = dilated(S, window, 2)
    else:
        whole = global_and_local(S, window, 1) if name == "global" else block_sparse(S, window)
    return whole[S - T :]


def local(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """Attention in a window, without the cells outside of it: output (..., n, d_v), from n x (2 w - 1) scores.

    It equals full attention under `masks.sliding_window`, which computes all n x n scores and throws most away: a mask
    alone saves nothing.
    """
    n, reach = q.shape[-2], window - 1
    near_k = pad(k, (0, 0, reach, reach)).unfold(-2, 2 * window - 1, 1)  # (..., n, d_k, 2 w - 1)
    near_v = pad(v, (0, 0, reach, reach)).unfold(-2, 2 * window - 1, 1)
    place = torch.arange(n)[:, None] + torch.arange(-reach, reach + 1)  # (n, 2 w - 1)
    scores = (q.unsqueeze(-2) @ near_k).squeeze(-2) / math.sqrt(q.shape[-1])
    weights = masked_softmax(scores, (place >= 0) & (place < n))
    return (near_v @ weights.unsqueeze(-1)).squeeze(-1)


# ---- another formula ----------------------------------------------------------------------------------------------


def linear_output(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """phi(Q) (phi(K)^T V) / (phi(Q) sum_s phi(K)_s), phi(x) = elu(x) + 1  (Katharopoulos et al. 2020).

    Of linear attention, in the order that makes it cheap: no (T, S) is ever made.
    Softmax takes exp(q · k) of a pair, which cannot be taken apart; phi(q) · phi(k) can, so the keys and values are
    summed up once, in d_k x d_v numbers, for all queries.
    """
    phi_q, phi_k = elu(q) + 1, elu(k) + 1
    summary = phi_k.transpose(-2, -1) @ v  # (..., d_k, d_v)
    return phi_q @ summary / (phi_q @ phi_k.sum(dim=-2).unsqueeze(-1))


def low_rank(q: Tensor, k: Tensor, v: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """softmax(Q (E K)^T / sqrt(d_k)) (E V): n keys are pooled into r, E (r, S)  (Wang et al. 2020, Linformer).

    E takes means of neighbours here, one of the projections of the paper that need no training.
    """
    means = neighbours(k.shape[-2], rank).to(k.dtype)
    output, weights = scaled_dot_product_attention(q, means @ k, means @ v)  # (..., T, r)
    return output, weights @ means


def neighbours(S: int, rank: int) -> Tensor:
    """E (r, S), which takes the means of r runs of neighbours. Raises InputError unless 1 <= r <= S."""
    if not 1 <= rank <= S:
        raise InputError(f"rank={rank} must lie between 1 and the number of keys, {S}")
    belongs = one_hot(torch.arange(S) * rank // S, rank).T.double()  # which of the r rows a key goes to
    return belongs / belongs.sum(dim=1, keepdim=True)


def grouped(q: Tensor, k: Tensor, v: Tensor, n_groups: int) -> tuple[Tensor, Tensor]:
    """H query heads share the keys and values of n_groups heads, the means of those they had  (Ainslie et al. 2023).

    q, k and v (..., H, n, d_k). One group is multi-query attention (Shazeer 2019). As many cells as before, but the
    cache of keys and values is H / n_groups times smaller.
    """
    H = k.shape[-3]
    if H % n_groups:
        raise InputError(f"{H} heads cannot share keys and values in {n_groups} equal groups")

    def shared(x: Tensor) -> Tensor:
        means = x.unflatten(-3, (n_groups, H // n_groups)).mean(dim=-3)  # (..., G, S, d_k)
        return means.repeat_interleave(H // n_groups, dim=-3)

    return scaled_dot_product_attention(q, shared(k), shared(v))


def in_blocks(q: Tensor, k: Tensor, v: Tensor, block: int) -> Tensor:
    """Full attention, exactly, with never more than `block` keys in sight: output (..., T, d_v).

    For every query a running maximum m, a running sum l of exp(score - m) and a running output are kept; when a block
    brings a larger score, what was summed up is scaled down by exp(m_old - m_new). It is the softmax of Milakov and
    Gimelshein 2018 and the idea of FlashAttention (Dao et al. 2022): T x block numbers at a time instead of T x S.
    """
    if block < 1:
        raise InputError(f"block={block} must be at least 1 key")
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(largest), q.new_zeros(*q.shape[:-1], v.shape[-1])
    for some_k, some_v in zip(k.split(block, dim=-2), v.split(block, dim=-2), strict=True):
        scores = q @ some_k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (..., T, block)
        new_largest = torch.maximum(largest, scores.amax(dim=-1, keepdim=True))
        shrink, exp = (largest - new_largest).exp(), (scores - new_largest).exp()
        total = total * shrink + exp.sum(dim=-1, keepdim=True)
        output = output * shrink + exp @ some_v
        largest = new_largest
    return output / total
