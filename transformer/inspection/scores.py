"""What a head does, in numbers: one record per score, with the value that a head without any preference would have.

    PREVIOUS(weights, tokens)                  # (L, H)
    PREVIOUS.chance(T, S, mask, tokens)        # the same of a head that spreads evenly over all it may see
    head_scores(weights, tokens, SCORES)       # {"entropy": (L, H), ...}

weights (..., T, S) are those of any number of heads; tokens (S,) are the keys, as texts or as ids: two that are equal
are the same token. The queries are the last T of the S positions, or count from the first where there are more of them
than keys. Rows with nothing allowed (all zeros) are left out, and a score without a single row is 0.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

Tokens = Sequence[str] | Sequence[int]
Unit = Literal["bits", "tokens", "share"]
DENSE = 16  # cells of a pattern per query, above which adding up whole rows is faster than picking cells


@dataclass(frozen=True)
class HeadScore(ABC):
    """One number per head.

    name     in code, files and links
    label    on screen
    meaning  what a high value says, in one line for a visitor
    unit     "bits"; "tokens", a distance; or "share" of the attention weight, from 0 to 1
    """

    name: str
    label: str
    meaning: str
    unit: Unit

    @abstractmethod
    def __call__(self, weights: np.ndarray, tokens: Tokens = ()) -> np.ndarray:
        """The score of every head: weights (..., T, S) -> (...), averaged over the queries."""

    @abstractmethod
    def chance(self, T: int, S: int, mask: np.ndarray | None = None, tokens: Tokens = ()) -> float:
        """The score of a head whose every query spreads evenly over all that the mask (T, S) lets it see."""

    def applies(self, T: int, S: int, tokens: Tokens = ()) -> bool:
        """Whether a text like this has anything to measure: a text without a repeated word has no induction."""
        return T > 0 and S > 0


@dataclass(frozen=True)
class _Entropy(HeadScore):
    """-sum w log2 w, in bits: 0 where all weight is on one key, log2 n where it is spread over n keys evenly."""

    def __call__(self, weights: np.ndarray, tokens: Tokens = ()) -> np.ndarray:
        weights = _floats(weights)
        tiny = np.finfo(weights.dtype).tiny  # 0 log 0 = 0: a blocked or vanished cell says nothing
        nats = np.zeros(weights.shape[:-1], weights.dtype)
        logs = np.empty(weights.shape[-2:], weights.dtype)
        for head in np.ndindex(weights.shape[:-2]):  # one at a time: a map fits the processor's cache, all do not
            np.log(np.maximum(weights[head], tiny, out=logs), out=logs)  # twice as fast as log2
            nats[head] = -np.einsum("ts,ts->t", weights[head], logs)
        return _mean(nats, looks(weights)) / np.log(2)

    def chance(self, T: int, S: int, mask: np.ndarray | None = None, tokens: Tokens = ()) -> float:
        n_allowed = _allowed(T, S, mask).sum(-1)
        return float(np.log2(n_allowed[n_allowed > 0]).mean()) if n_allowed.any() else 0.0


@dataclass(frozen=True)
class _Distance(HeadScore):
    """sum w |i - j|: how many tokens away a query looks on average."""

    def __call__(self, weights: np.ndarray, tokens: Tokens = ()) -> np.ndarray:
        weights = _floats(weights)
        away = _distances(*weights.shape[-2:]).astype(weights.dtype)
        return _mean(np.einsum("...ts,ts->...t", weights, away), looks(weights))

    def chance(self, T: int, S: int, mask: np.ndarray | None = None, tokens: Tokens = ()) -> float:
        allowed = _allowed(T, S, mask)
        n_allowed = allowed.sum(-1)
        rows = n_allowed > 0
        return float(((_distances(T, S) * allowed).sum(-1)[rows] / n_allowed[rows]).mean()) if rows.any() else 0.0


Pattern = Callable[[int, int, Tokens], np.ndarray]  # (T, S, tokens) -> (T, S) boolean


@dataclass(frozen=True)
class Share(HeadScore):
    """The share of attention weight on the cells of a pattern, averaged over the queries that have such a cell."""

    pattern: Pattern

    def __call__(self, weights: np.ndarray, tokens: Tokens = ()) -> np.ndarray:
        weights = _floats(weights)
        T, S = weights.shape[-2:]
        cells = self.pattern(T, S, tokens)  # (T, S)
        rows = cells.any(-1)
        if not rows.any():
            return np.zeros(weights.shape[:-2])
        n = looks(weights)[..., rows].sum(-1)
        if cells.sum() > DENSE * T:
            total = np.einsum("...ts,ts->...t", weights, cells.astype(weights.dtype)).sum(-1, dtype=float)
        else:
            total = weights[..., *np.divmod(np.flatnonzero(cells), S)].sum(-1, dtype=float)
        return np.divide(total, n, out=np.zeros(n.shape), where=n > 0)

    def chance(self, T: int, S: int, mask: np.ndarray | None = None, tokens: Tokens = ()) -> float:
        cells, allowed = self.pattern(T, S, tokens), _allowed(T, S, mask)
        n_allowed = allowed.sum(-1)
        rows = cells.any(-1) & (n_allowed > 0)
        return float(((cells & allowed).sum(-1)[rows] / n_allowed[rows]).mean()) if rows.any() else 0.0

    def applies(self, T: int, S: int, tokens: Tokens = ()) -> bool:
        return bool(self.pattern(T, S, tokens).any())


# ---- patterns ------------------------------------------------------------------------------------------------------


def _offset(offset: int) -> Pattern:
    """Every query's own position, moved by so many tokens."""
    return lambda T, S, tokens: np.arange(S)[None, :] == _queries(T, S)[:, None] + offset


def _first(T: int, S: int, tokens: Tokens) -> np.ndarray:
    return np.broadcast_to(np.arange(S) == 0, (T, S))


def same_token(T: int, S: int, tokens: Tokens) -> np.ndarray:
    """The keys before a query that are the same token, (T, S) boolean."""
    if T > S or len(tokens) != S:  # queries of another text, or tokens that nobody named
        return np.zeros((T, S), bool)
    _, ids = np.unique(np.array(list(tokens), dtype=object), return_inverse=True)
    queries = _queries(T, S)
    return (ids[queries][:, None] == ids[None, :]) & (np.arange(S)[None, :] < queries[:, None])


def after_same_token(T: int, S: int, tokens: Tokens) -> np.ndarray:
    """The keys that came right after an earlier occurrence of the query's token, and before the query itself."""
    cells = np.zeros((T, S), bool)
    cells[:, 1:] = same_token(T, S, tokens)[:, :-1]
    return cells & (np.arange(S)[None, :] < _queries(T, S)[:, None])


# ---- the scores ----------------------------------------------------------------------------------------------------

ENTROPY = _Entropy(
    "entropy", "entropy", "High: its queries spread their attention; 0: each looks at a single key.", "bits"
)
DISTANCE = _Distance("distance", "distance", "How many tokens away its queries look, on average.", "tokens")
DIAGONAL = Share("diagonal", "itself", "How much of its attention stays on the token that asks.", "share", _offset(0))
PREVIOUS = Share(
    "previous", "previous token", "How much of its attention goes to the token just before.", "share", _offset(-1)
)
NEXT = Share("next", "next token", "How much of its attention goes to the token just after.", "share", _offset(1))
FIRST = Share(
    "first",
    "first token",
    "How much of its attention rests on the first token, often for want of better.",
    "share",
    _first,
)
DUPLICATE = Share(
    "duplicate",
    "same token, earlier",
    "Where a token occurred before: how much of its attention goes back to that place.",
    "share",
    same_token,
)
INDUCTION = Share(
    "induction",
    "induction",
    "Where a token occurred before: how much of its attention goes to the token that came next that time.",
    "share",
    after_same_token,
)
SCORES: tuple[HeadScore, ...] = (ENTROPY, DISTANCE, DIAGONAL, PREVIOUS, NEXT, FIRST, DUPLICATE, INDUCTION)


def head_scores(
    weights: np.ndarray, tokens: Tokens = (), scores: Iterable[HeadScore] = SCORES
) -> dict[str, np.ndarray]:
    """These scores of every head, by name: weights (..., T, S) -> arrays (...), without those that do not apply."""
    weights = _floats(weights)
    T, S = weights.shape[-2:]
    return {score.name: score(weights, tokens) for score in scores if score.applies(T, S, tokens)}


def chances(
    T: int, S: int, mask: np.ndarray | None = None, tokens: Tokens = (), scores: Iterable[HeadScore] = SCORES
) -> dict[str, float]:
    """The same scores of a head that looks at every allowed key alike: what a head must differ from to say anything."""
    return {score.name: score.chance(T, S, mask, tokens) for score in scores if score.applies(T, S, tokens)}


def _floats(weights: np.ndarray) -> np.ndarray:
    """The weights in float32 or float64; half precision is for files, and sums of it are none."""
    weights = np.asarray(weights)
    return weights if weights.dtype in (np.float32, np.float64) else weights.astype(np.float32)


def _queries(T: int, S: int) -> np.ndarray:
    """The positions of the queries among the keys, (T,)."""
    return np.arange(S - T, S) if T <= S else np.arange(T)


def _distances(T: int, S: int) -> np.ndarray:
    """|i - j| of every cell, (T, S), read-only: each row is a stretch of one line of numbers."""
    last = int(_queries(T, S)[-1])
    line = np.abs(np.arange(-last, S + T - 1 - last))  # from the first key of the last query
    return sliding_window_view(line, S)[::-1]


def _allowed(T: int, S: int, mask: np.ndarray | None) -> np.ndarray:
    return np.ones((T, S), bool) if mask is None else np.broadcast_to(np.asarray(mask, bool), (T, S))


def looks(weights: np.ndarray) -> np.ndarray:
    """Which queries look anywhere at all, (..., T)."""
    return weights @ np.ones(weights.shape[-1], weights.dtype) > 0  # sums as well, in half the time of sum()


def _mean(rows: np.ndarray, keep: np.ndarray) -> np.ndarray:
    """Mean over the last axis of the rows to keep; 0 where none is kept."""
    n = keep.sum(-1)
    return np.divide((rows * keep).sum(-1, dtype=float), n, out=np.zeros(n.shape), where=n > 0)
