"""Who may look at whom. Masks are boolean, True = may attend, and broadcast to (B, H, T, S); combine them with `&`.

Where the queries are the last T of S positions (T < S), query t stands at position S - T + t.
"""

import math
from functools import reduce

import torch
from torch import Tensor

from transformer.core.checks import InputError


def offsets(T: int, S: int | None = None, *, device: torch.device | str | None = None) -> Tensor:
    """key position - query position for every cell, (T, S)."""
    S = T if S is None else S
    if T < 0 or S < 0:
        raise InputError(f"a mask has no negative sides, but was asked for {T} x {S}")
    query = torch.arange(S - T, S, device=device)
    key = torch.arange(S, device=device)
    return key[None, :] - query[:, None]  # (T, S)


def causal(T: int, S: int | None = None, *, device: torch.device | str | None = None) -> Tensor:
    """Every position may look at itself and what came before it: the lower triangle with its diagonal, (T, S)."""
    return offsets(T, S, device=device) <= 0


def padding(lengths: Tensor, S: int) -> Tensor:
    """Nobody may look at padding: sentence b has `lengths[b]` real tokens, then padding up to S. (B, 1, 1, S)"""
    real = torch.arange(S, device=lengths.device) < lengths[:, None]  # (B, S)
    return real[:, None, None, :]


def padding_of(ids: Tensor, pad_id: int) -> Tensor:
    """The padding mask read off the tokens (B, S): all but `pad_id` may be looked at. (B, 1, 1, S)"""
    return (ids != pad_id)[:, None, None, :]


def sliding_window(T: int, window: int, S: int | None = None, *, device: torch.device | str | None = None) -> Tensor:
    """Local attention: keys less than `window` positions away, on either side; with `& causal(T)` the past only."""
    if window < 1:
        raise InputError(f"window={window} must be at least 1: a window of 1 sees only itself")
    return offsets(T, S, device=device).abs() < window


def prefix(T: int, n_prefix: int, S: int | None = None, *, device: torch.device | str | None = None) -> Tensor:
    """Causal, but the first `n_prefix` keys are open to all: a prompt that reads itself both ways. (T, S)"""
    distance = offsets(T, S, device=device)
    return (distance <= 0) | (torch.arange(distance.shape[1], device=device) < n_prefix)


def all_of(*masks: Tensor | None) -> Tensor | None:
    """One mask that allows what all of the given ones allow; None allows everything.

    Masks of floats are added up, and blocked cells of boolean ones become -inf in them.
    """
    present = [mask for mask in masks if mask is not None]
    if not present:
        return None
    blocks = [mask for mask in present if not mask.is_floating_point()]
    biases = [mask for mask in present if mask.is_floating_point()]
    if not biases:
        return reduce(torch.bitwise_and, blocks)
    bias = reduce(torch.add, biases)
    return torch.where(reduce(torch.bitwise_and, blocks), bias, -math.inf) if blocks else bias


def split_additive(mask: Tensor) -> tuple[Tensor, Tensor]:
    """A mask of floats as the two things it says: (which cells are allowed, what is added to their scaled scores).

    -inf blocks a cell. Raises InputError for a mask of nothing but 0 and 1, which was meant to be boolean.
    """
    _refuse_zeros_and_ones(mask)
    allowed = mask != -math.inf
    return allowed, mask.masked_fill(~allowed, 0.0)


def _refuse_zeros_and_ones(mask: Tensor) -> None:
    if (mask == 1).any() and ((mask == 0) | (mask == 1)).all():
        raise InputError(
            "a mask of floats is added to the scores, and this one has nothing but 0 and 1; if 1 means that a query"
            " may attend, hand in mask.bool()"
        )


def check(mask: Tensor | None, B: int, T: int, S: int, n_heads: int) -> Tensor | None:
    """The mask, if it can be meant for B texts with T queries and S keys each; otherwise raises InputError.

    A mask (rows, S) is one rule for every text, a row per query. If B == T it could as well be padding, a row per
    text, so it has to say which it is.
    """
    if mask is None:
        return None
    shape = tuple(mask.shape)
    if len(shape) == 2 and shape[0] == B == T > 1:
        raise InputError(
            f"a mask of shape {shape} has a row per query or a row per text; for {B} texts of {T} tokens say which:"
            " mask[None, None] for queries, mask[:, None, None] for texts"
        )
    sides = (S, T, n_heads, B)
    if len(shape) > 4 or any(n not in (1, side) for n, side in zip(reversed(shape), sides, strict=False)):
        raise InputError(
            f"a mask of shape {shape} does not fit {B} texts with {T} queries and {S} keys each; it must broadcast to"
            f" ({B}, {n_heads}, {T}, {S}), as padding of shape ({B}, 1, 1, {S}) does"
        )
    if mask.is_floating_point():
        _refuse_zeros_and_ones(mask)
    return mask
