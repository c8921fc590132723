"""What the routers of a model with experts do: where each token goes, and whether that depends on the word."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from transformer.core.checks import InputError
from transformer.core.mixture import choose
from transformer.core.model import SingleStack
from transformer.core.taps import Recorder
from transformer.inspection.run import Text, each_layer


class Routing(NamedTuple):
    """One text in every layer: what the router gives each expert (L, T, E), and the experts chosen (L, T, k), the
    first choice first."""

    shares: np.ndarray
    experts: np.ndarray


def route(model: SingleStack, ids: Text) -> Routing:
    """Run one text through a model. Raises InputError for a model without experts."""
    if model.config.n_experts == 1:
        raise InputError("this model has no router: its layers have one feed-forward layer each")
    recorder = Recorder("router")
    with torch.inference_mode():
        for _ in each_layer(model, ids, tap=recorder):
            pass
        shares = recorder.stack("feed_forward.router")[:, 0]  # (L, T, E)
        _, experts = choose(shares, model.config.top_k)
    return Routing(shares.numpy(), experts.numpy())


class Habits(NamedTuple):
    """How words and experts go together in one layer, by first choices.

    counts  (W, E) how often each word went to each expert
    same    share of pairs of the same word that went to the same expert
    chance  the same of pairs of any two tokens: what is to be expected if words did not matter
    load    (E,) the share of all tokens that each expert got
    """

    counts: np.ndarray
    same: float
    chance: float
    load: np.ndarray


def habits(words: np.ndarray, experts: np.ndarray, n_words: int, n_experts: int) -> Habits:
    """Count: words (N,) and experts (N,) of the same N tokens. Raises InputError where no word comes twice."""
    counts = np.zeros((n_words, n_experts), dtype=np.int64)
    np.add.at(counts, (words, experts), 1)
    by_word, by_expert = counts.sum(1), counts.sum(0)
    if not _pairs(by_word).sum():
        raise InputError("no word comes twice, so nothing can be said of the same word")
    same = _pairs(counts).sum() / _pairs(by_word).sum()
    chance = _pairs(by_expert).sum() / _pairs(by_expert.sum())
    return Habits(counts, float(same), float(chance), by_expert / by_expert.sum())


def _pairs(n: np.ndarray) -> np.ndarray:
    return n * (n - 1) // 2


def habits_by_layer(model: SingleStack, texts: Sequence[list[int]]) -> list[Habits]:
    """The habits of every layer on these texts, without their first token, which is <bos> in all of them."""
    first = [route(model, ids).experts[:, 1:, 0] for ids in texts]
    words = np.concatenate([ids[1:] for ids in texts])
    config = model.config
    return [habits(words, experts, config.vocab_size, config.n_experts) for experts in np.concatenate(first, axis=1)]
