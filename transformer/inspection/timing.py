"""Measured on this machine: heads together or one by one, attention or a recurrent network."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from transformer.attention import MultiHeadAttention, scaled_dot_product_attention

LENGTHS = (16, 32, 64, 128, 256, 512, 1024)
WORDS = 64  # of the text on which heads are timed


def head_by_head(attention: MultiHeadAttention, x: Tensor) -> Tensor:
    """The same multi-head attention as a plain loop over heads, each with its stripe of every matrix. (B, T, D)"""
    heads = []
    for h in range(attention.n_heads):
        mine = slice(h * attention.d_k, (h + 1) * attention.d_k)
        q, k, v = (
            linear(x, map_.weight[mine], None if map_.bias is None else map_.bias[mine])  # (B, T, d_k)
            for map_ in (attention.w_q, attention.w_k, attention.w_v)
        )
        heads.append(scaled_dot_product_attention(q, k, v, scaled=attention.scaled)[0])
    return attention.w_o(torch.cat(heads, dim=-1))


@torch.inference_mode()
def apart(d_model: int, n_heads: int, T: int = WORDS, seed: int = 0) -> float:
    """The largest difference between all heads at once and head by head, on random numbers."""
    attention, x = _subject(d_model, n_heads, T, seed)
    return float((attention(x)[0] - head_by_head(attention, x)).abs().max())


@dataclass(frozen=True)
class Timed:
    """Medians in milliseconds, one for each of `at` (a number of heads or of words); rounds is how many runs each."""

    at: tuple[int, ...]
    first: tuple[float, ...]
    second: tuple[float, ...]
    rounds: tuple[int, ...]

    def crossing(self) -> int | None:
        """The first of `at` from which on the first takes longer than the second; None if it never does."""
        slower = [a > b for a, b in zip(self.first, self.second, strict=True)]
        if not slower[-1]:
            return None
        return self.at[max((i + 1 for i, is_slower in enumerate(slower) if not is_slower), default=0)]


@torch.inference_mode()
def time_heads(d_model: int, heads: tuple[int, ...], T: int = WORDS, seconds: float = 0.8) -> Timed:
    """All heads at once (first) against head by head (second), for every number of heads, on one thread."""
    runs = []
    for n_heads in heads:
        attention, x = _subject(d_model, n_heads, T, 0)
        runs.append((lambda a=attention, x=x: a(x), lambda a=attention, x=x: head_by_head(a, x)))
    return _timed(heads, runs, seconds)


@torch.inference_mode()
def time_lengths(d_model: int, n_heads: int, lengths: tuple[int, ...] = LENGTHS, seconds: float = 0.9) -> Timed:
    """Our attention (first) against torch.nn.RNN (second; one layer, tanh), of the same width, on texts of any length.

    nn.RNN is torch's own loop, written in C++, so the loop is not slow for being written in Python.
    """
    runs = []
    rnn = _Rnn(d_model, d_model, batch_first=True)
    generator = torch.Generator().manual_seed(0)
    for parameter in rnn.parameters():
        parameter.uniform_(-(d_model**-0.5), d_model**-0.5, generator=generator)
    for n in lengths:
        attention, x = _subject(d_model, n_heads, n, 0)
        runs.append((lambda a=attention, x=x: a(x), lambda x=x: rnn(x)))
    return _timed(lengths, runs, seconds)


class _Rnn(nn.RNN):
    """nn.RNN without its own first draw, which would come from the generator that all threads share."""

    def reset_parameters(self) -> None:
        pass


def _subject(d_model: int, n_heads: int, T: int, seed: int) -> tuple[MultiHeadAttention, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    attention = MultiHeadAttention(d_model, n_heads, generator=generator).eval()
    return attention, torch.randn(1, T, d_model, generator=generator)


def _timed(at: tuple[int, ...], runs: list[tuple[Callable, Callable]], seconds: float) -> Timed:
    """Medians of alternating runs after one to warm up. Each pair has an equal share of the time that is left, and at
    least one run; more than 31 are not needed."""
    first, second, rounds = [], [], []
    end = perf_counter() + seconds
    for done, pair in enumerate(runs):
        for run in pair:
            run()
        until = perf_counter() + (end - perf_counter()) / (len(runs) - done)
        times: tuple[list[float], list[float]] = ([], [])
        while not times[0] or (perf_counter() < until and len(times[0]) < 31):
            for run, kept in zip(pair, times, strict=True):
                began = perf_counter()
                run()
                kept.append(1000 * (perf_counter() - began))
        first.append(statistics.median(times[0]))
        second.append(statistics.median(times[1]))
        rounds.append(len(times[0]))
    return Timed(tuple(at), tuple(first), tuple(second), tuple(rounds))
