"""From logits to a token: penalty, temperature and filters, then the draw."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Generator, Tensor

from transformer.core.checks import InputError, check_penalty, is_number, is_whole

# What took a token out of the draw; `Distribution.removed` counts in this order.
REMOVED_BY = ("", "greedy", "top_k", "top_p")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How the next token is chosen. A setting that makes no sense raises InputError.

    The four are applied in this order, each to the result of the one before:

    repetition_penalty  the logit of every token that is already in the text is divided by it if above 0, and
                        multiplied by it if below (CTRL, Keskar et al. 2019); 1 changes nothing
    temperature         logits are divided by it: below 1 the likely gets likelier; 0 takes the likeliest (greedy)
    top_k               only the k likeliest stay (of two equal ones, the lower id); None: all
    top_p               only the nucleus stays, the smallest set of the likeliest whose probabilities sum to p or more
                        (Holtzman et al. 2020): the token that reaches p is in it; 1: all
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float = 1.0
    repetition_penalty: float = 1.0

    def __post_init__(self) -> None:
        if not is_number(self.temperature) or self.temperature < 0:
            raise InputError(f"temperature={self.temperature!r} must be 0 (the likeliest token) or a number above it")
        if self.top_k is not None and (not is_whole(self.top_k) or self.top_k < 1):
            raise InputError(f"top_k={self.top_k!r} must be a whole number of at least 1, or None for all tokens")
        if not is_number(self.top_p) or not 0 < self.top_p <= 1:
            raise InputError(f"top_p={self.top_p!r} must be above 0 and at most 1; 1 keeps all tokens")
        check_penalty(self.repetition_penalty)


GREEDY = Sampling(temperature=0)


class Distribution(NamedTuple):
    """The distribution of the next token, from logits to the final draw. Arrays with one number per token, (V,).

    logits    the model's own
    probs     softmax(logits), the model's own probabilities
    penalised the logits after the repetition penalty
    tempered  the probabilities after penalty and temperature, before any token is taken out
    final     the probabilities of the draw: 0 for tokens that were filtered out, the rest sum to 1
    removed   which filter took the token out: index into REMOVED_BY, 0 for those that stay
    """

    logits: np.ndarray
    probs: np.ndarray
    penalised: np.ndarray
    tempered: np.ndarray
    final: np.ndarray
    removed: np.ndarray

    def removed_by(self, token: int) -> str:
        """The filter that took `token` out, "" if none did."""
        return REMOVED_BY[self.removed[token]]


def distribution(logits: Tensor, read: Iterable[int] = (), sampling: Sampling = GREEDY) -> Distribution:
    """logits (V,), the ids read so far (for the repetition penalty) -> Distribution, worked out in float64."""
    logits = logits.detach().to("cpu", torch.float64)
    if not logits.isfinite().all():
        raise InputError("the model's logits are not all finite numbers, so no token can be chosen; train it anew")
    penalised = penalise(logits, torch.tensor(sorted(set(read)), dtype=torch.long), sampling.repetition_penalty)
    removed = torch.zeros(len(logits), dtype=torch.int8)
    if sampling.temperature == 0:
        tempered = penalised.softmax(-1)
        removed[:] = REMOVED_BY.index("greedy")
        removed[penalised.argmax()] = 0
    else:
        # Subtract the largest first, or a tiny temperature would turn all of them into infinities.
        tempered = ((penalised - penalised.max()) / sampling.temperature).softmax(-1)
        order = tempered.argsort(descending=True, stable=True)
        if sampling.top_k is not None:
            removed[order[sampling.top_k :]] = REMOVED_BY.index("top_k")
        if sampling.top_p < 1:
            candidates = order[removed[order] == 0]
            removed[candidates[_nucleus(tempered[candidates], sampling.top_p) :]] = REMOVED_BY.index("top_p")
    final = tempered
    if removed.any():
        final = tempered.masked_fill(removed != 0, 0.0)
        final = final / final.sum()
    return Distribution(*(t.numpy() for t in (logits, logits.softmax(-1), penalised, tempered, final, removed)))


def draw(final: np.ndarray, generator: Generator | None) -> int:
    """One token from probabilities (V,). Where only one token is left, nothing is drawn and no generator is needed."""
    if np.count_nonzero(final) == 1:
        return int(final.argmax())
    if generator is None:
        raise InputError("a token is drawn at random: hand in a torch.Generator, or set temperature=0")
    return int(torch.multinomial(torch.from_numpy(final), 1, generator=generator))


def penalise(logits: Tensor, read: Tensor, penalty: float) -> Tensor:
    """logits (..., V) with those of the tokens `read` (..., n), n distinct or not, made less likely by `penalty`."""
    if penalty == 1 or read.shape[-1] == 0:
        return logits
    scores = logits.gather(-1, read)
    return logits.scatter(-1, read, torch.where(scores < 0, scores * penalty, scores / penalty))


def _nucleus(probs: Tensor, p: float) -> int:
    """How many of the probabilities, falling and not yet summing to 1, make up the share p of their sum."""
    reached = probs.cumsum(-1)[:-1]
    return 1 + int((reached < p * probs.sum()).sum())  # the first, and one more as long as p is not reached
