"""Who may look at whom. Masks are boolean, True = may attend, and broadcast to (B, H, T, S); combine them with `&`.

Where the queries are the last T of S positions (T < S), query t stands at position S - T + t.
"""

import torch
from torch import Tensor


def _offsets(T: int, S: int | None, device) -> Tensor:
    """key position - query position for every cell, (T, S)."""
    S = T if S is None else S
    if T < 0 or S < 0:
        raise ValueError(f"a mask has no negative sides, but was asked for {T} x {S}")
    query = torch.arange(S - T, S, device=device)
    key = torch.arange(S, device=device)
    return key[None, :] - query[:, None]  # (T, S)


def causal(T: int, S: int | None = None, *, device=None) -> Tensor:
    """Every position may look at itself and what came before it: the lower triangle with its diagonal, (T, S)."""
    return _offsets(T, S, device) <= 0


def padding(lengths: Tensor, S: int) -> Tensor:
    """Nobody may look at padding: sentence b has `lengths[b]` real tokens, then padding up to S. (B, 1, 1, S)"""
    real = torch.arange(S, device=lengths.device) < lengths[:, None]  # (B, S)
    return real[:, None, None, :]


def padding_of(ids: Tensor, pad_id: int) -> Tensor:
    """The padding mask read off the tokens themselves: everything but `pad_id` may be looked at. (B, 1, 1, S)"""
    return (ids != pad_id)[:, None, None, :]


def sliding_window(T: int, window: int, S: int | None = None, *, device=None) -> Tensor:
    """Local attention: keys less than `window` positions away, on either side; with `& causal(T)` the past only."""
    if window < 1:
        raise ValueError(f"window={window} must be at least 1: a window of 1 sees only itself")
    return _offsets(T, S, device).abs() < window


def prefix(T: int, n_prefix: int, S: int | None = None, *, device=None) -> Tensor:
    """Causal, but the first `n_prefix` keys are open to all: a prompt that reads itself both ways. (T, S)"""
    offsets = _offsets(T, S, device)
    return (offsets <= 0) | (torch.arange(offsets.shape[1], device=device) < n_prefix)


def both(*masks: Tensor | None) -> Tensor | None:
    """All of the given masks at once; None stands for "everything is allowed"."""
    given = [mask for mask in masks if mask is not None]
    if not given:
        return None
    out = given[0]
    for mask in given[1:]:
        out = out & mask
    return out
