"""Times on this machine: all heads at once or head by head, attention or a recurrent network."""

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, linear

from transformer.core.attention import MultiHeadAttention, scaled_dot_product_attention

LENGTHS = (16, 32, 64, 128, 256, 512, 1024)
N_WORDS = 64  # of the text on which heads are timed
MAX_ROUNDS = 31
BATCH = 8  # texts per step of the timed training
TRAINED_LENGTHS = (16, 32, 64, 128, 256)


def head_by_head(attention: MultiHeadAttention, x: Tensor) -> Tensor:
    """Multi-head attention as a loop over heads, each with its own rows of every matrix. (B, T, D)"""
    heads = []
    for h in range(attention.n_heads):
        rows = slice(h * attention.d_k, (h + 1) * attention.d_k)
        q, k, v = (
            linear(x, map_.weight[rows], None if map_.bias is None else map_.bias[rows])  # (B, T, d_k)
            for map_ in (attention.w_q, attention.w_k, attention.w_v)
        )
        heads.append(scaled_dot_product_attention(q, k, v, scaled=attention.scaled)[0])
    return attention.w_o(torch.cat(heads, dim=-1))


@torch.inference_mode()
def largest_difference(d_model: int, n_heads: int, T: int = N_WORDS, seed: int = 0) -> float:
    """The largest difference between the outputs of all heads at once and head by head, on random numbers."""
    attention, x = _attention_and_input(d_model, n_heads, T, seed)
    return float((attention(x)[0] - head_by_head(attention, x)).abs().max())


@dataclass(frozen=True)
class Timings:
    """Medians in milliseconds for each of `at`, numbers of heads or of words; rounds counts the runs of each."""

    at: tuple[int, ...]
    first: tuple[float, ...]
    second: tuple[float, ...]
    rounds: tuple[int, ...]

    def crossing(self) -> int | None:
        """The smallest of `at` from which on `first` is slower than `second`; None if it is not at the largest."""
        slower = [a > b for a, b in zip(self.first, self.second, strict=True)]
        if not slower[-1]:
            return None
        return self.at[max((i + 1 for i, is_slower in enumerate(slower) if not is_slower), default=0)]


@torch.inference_mode()
def time_heads(d_model: int, heads: tuple[int, ...], T: int = N_WORDS, seconds: float = 0.8) -> Timings:
    """Times of all heads at once (first) and of head by head (second), for every number of heads."""
    runs = []
    for n_heads in heads:
        attention, x = _attention_and_input(d_model, n_heads, T, 0)
        runs.append((lambda a=attention, x=x: a(x), lambda a=attention, x=x: head_by_head(a, x)))
    return time_runs(heads, runs, seconds)


@torch.inference_mode()
def time_lengths(d_model: int, n_heads: int, lengths: tuple[int, ...] = LENGTHS, seconds: float = 0.9) -> Timings:
    """Times of our attention (first) and of torch.nn.RNN (second; one layer, tanh) of the same width, for every length.

    The loop of nn.RNN is torch's own, in C++, so it is not slow because of Python.
    """
    runs = []
    rnn = _Rnn(d_model, d_model, batch_first=True)
    generator = torch.Generator().manual_seed(0)
    for parameter in rnn.parameters():
        parameter.uniform_(-(d_model**-0.5), d_model**-0.5, generator=generator)
    for n in lengths:
        attention, x = _attention_and_input(d_model, n_heads, n, 0)
        runs.append((lambda a=attention, x=x: a(x), lambda x=x: rnn(x)))
    return time_runs(lengths, runs, seconds)


def time_training(
    models: Mapping[str, nn.Module],
    vocab_size: int,
    lengths: tuple[int, ...] = TRAINED_LENGTHS,
    seconds: float = 1.6,
    clock: Callable[[], float] = perf_counter,
) -> dict[str, tuple[float, ...]]:
    """Tokens per second in training, forward and back, by length: of each model, ids (B, T) -> Output.

    Each reads BATCH random texts per step and predicts every next token. The fastest of the rounds counts.
    """
    found: dict[str, list[float]] = {name: [] for name in models}
    end = clock() + seconds
    for n_done, n in enumerate(lengths):
        ids = torch.randint(vocab_size, (BATCH, n + 1), generator=torch.Generator().manual_seed(n))
        until = clock() + (end - clock()) / (len(lengths) - n_done)
        fastest = dict.fromkeys(models, float("inf"))
        n_rounds = 0
        while n_rounds < 2 or (clock() < until and n_rounds < MAX_ROUNDS):
            for name, model in models.items():
                start = clock()
                logits = model(ids[:, :-1]).logits
                cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten()).backward()
                model.zero_grad(set_to_none=True)
                fastest[name] = min(fastest[name], clock() - start)
            n_rounds += 1
        for name in models:
            found[name].append(BATCH * n / fastest[name])
    return {name: tuple(values) for name, values in found.items()}


class _Rnn(nn.RNN):
    """nn.RNN without initial weights, which would be drawn from the generator that all threads share."""

    def reset_parameters(self) -> None:
        pass


def _attention_and_input(d_model: int, n_heads: int, T: int, seed: int) -> tuple[MultiHeadAttention, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    attention = MultiHeadAttention(d_model, n_heads, generator=generator).eval()
    return attention, torch.randn(1, T, d_model, generator=generator)


def time_runs(at: tuple[int, ...], runs: list[tuple[Callable, Callable]], seconds: float) -> Timings:
    """Medians of alternating runs, after one to warm up. The pairs share the time left equally; each runs at least once
    and at most MAX_ROUNDS times."""
    first, second, rounds = [], [], []
    end = perf_counter() + seconds
    for n_done, pair in enumerate(runs):
        for run in pair:
            run()
        until = perf_counter() + (end - perf_counter()) / (len(runs) - n_done)
        times: tuple[list[float], list[float]] = ([], [])
        while not times[0] or (perf_counter() < until and len(times[0]) < MAX_ROUNDS):
            for run, milliseconds in zip(pair, times, strict=True):
                start = perf_counter()
                run()
                milliseconds.append(1000 * (perf_counter() - start))
        first.append(statistics.median(times[0]))
        second.append(statistics.median(times[1]))
        rounds.append(len(times[0]))
    return Timings(tuple(at), tuple(first), tuple(second), tuple(rounds))
