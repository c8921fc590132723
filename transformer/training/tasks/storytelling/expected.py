"""What the grammar expects at each token of a story, as a target to train on.

A drawn word says little: one of 300 names, of 60 sentences that may follow. How probable each of them is, a model can
learn from many stories, or from one, where the grammar, which knows it, says it at every place: the same optimum, with
less noise on the way to it (the soft targets of distillation, Hinton, Vinyals and Dean 2015; the teacher is exact).
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from transformer.training.tasks.storytelling.pools import MadeUp, Pool, Words
from transformer.training.tasks.storytelling.reading import END, Next, follow
from transformer.training.tasks.storytelling.tokens import cut, tokeniser
from transformer.training.tasks.task import Example
from transformer.training.text import EOS

MOST_KEPT = 100_000  # stories whose expectations are kept, each in a few kB

FEW = 12  # pools of so many words are of one story, such as its people, and are written out

Tokens = tuple[int, ...]
Counts = dict[int, int]  # how many words go on with this token


class Expected(NamedTuple):
    """Of one story, sparse: entries of a table (places, tokens), and multiples of whole rows of pools.

    A pool of many words is one row of counts, wherever it comes; the words of it that are taken are entries below 0.
    """

    places: np.ndarray
    tokens: np.ndarray
    shares: np.ndarray
    pool_places: np.ndarray
    pools: np.ndarray
    pool_shares: np.ndarray


def expected(examples: Sequence[Example]) -> Tensor:
    """How probable each token is at each place of these stories, of which the last is their end: (B, T, V), 0 beyond.

    Raises ValueError for a text that the grammar does not tell.
    """
    width = 1 + max(len(example.target) for example in examples)
    table = torch.zeros(len(examples) * width, len(tokeniser()))
    stories = [of_story(example.target) for example in examples]
    starts = range(0, len(table), width)

    def every(of: Sequence[np.ndarray]) -> Tensor:
        return torch.from_numpy(np.concatenate(of))

    shares = every([story.pool_shares for story in stories])[:, None] * _rows()[every([s.pools for s in stories])]
    table.index_add_(0, every([story.pool_places + n for story, n in zip(stories, starts, strict=True)]), shares)
    places = every([story.places + n for story, n in zip(stories, starts, strict=True)])
    entries = every([story.tokens for story in stories]), every([story.shares for story in stories])
    table.index_put_((places, entries[0]), entries[1], accumulate=True)
    return table.view(len(examples), width, -1)


@lru_cache(MOST_KEPT)
def of_story(target: Tokens) -> Expected:
    """What is expected at each token of this story, and after its last."""
    words = cut(tokeniser().decode(target))
    entries: list[tuple[int, int, float]] = []
    pools: list[tuple[int, int, float]] = []
    place = 0
    nexts = [*follow(words)]
    if len(nexts) <= len(words):
        raise ValueError("the grammar does not tell this story")
    for word, then in zip((*words, END), nexts, strict=True):
        ids = _tokens_of(word)
        for n in range(len(ids)):
            own, of_pools, whole = _token(then, ids[:n])
            entries += [(place, id, p / whole) for id, p in own.items() if abs(p) > 1e-9 * whole]
            pools += [(place, pool, p / whole) for pool, p in of_pools.items()]
            place += 1
    return Expected(*_columns(entries), *_columns(pools))


def _columns(rows: Sequence[tuple[int, int, float]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    places, ids, shares = zip(*rows, strict=True) if rows else ((), (), ())
    return np.array(places, np.int32), np.array(ids, np.int32), np.array(shares, np.float32)


def _token(then: Next, begins: Tokens) -> tuple[dict[int, float], dict[int, float], float]:
    """The next token of a word that begins with these: of single ones, of pools by number; and the sum of both.

    That the word goes on is taken as known: where one that ends here could stand as well, the mean over all stories is
    the same.
    """
    own: dict[int, float] = {}
    pools: dict[int, float] = {}
    whole = 0.0
    for word, p in then.words.items():
        ids = _tokens_of(word)
        if len(ids) > len(begins) and ids[: len(begins)] == begins:
            own[ids[len(begins)]] = own.get(ids[len(begins)], 0.0) + p
            whole += p
    for share, pool in then.pools:
        p = share / len(pool)
        every, counts = _going_on(_kind(pool), begins)
        taken = _counts(pool.taken, begins)
        whole += p * (sum(counts.values()) - sum(taken.values()))
        if every is not None:
            pools[every] = pools.get(every, 0.0) + p
            counts = {}
        for id in {*counts, *taken}:
            own[id] = own.get(id, 0.0) + p * (counts.get(id, 0) - taken.get(id, 0))
    return own, pools, whole


# ---- pools as rows of counts -----------------------------------------------------------------------------------------

_Kind = tuple[str, ...] | bool  # a list of words; or whether names are made up that are kept for the test
_COUNTS: list[Counts] = []
_table = torch.zeros(0)


def _kind(pool: Pool) -> _Kind:
    """What the words of a pool are drawn from, taken ones among them."""
    if isinstance(pool, MadeUp):
        return pool.reserved
    assert isinstance(pool, Words)  # there are no other pools
    return tuple(pool.words)


def _going_on(kind: _Kind, begins: Tokens) -> tuple[int | None, Counts]:
    """How many words of this kind go on with each token after these, and the number of that row in the table of pools.

    None where it has no row: there are many beginnings of names, each of which goes on with few tokens; and the people
    of one story are nobody else's, so that nothing is kept of them.
    """
    if not isinstance(kind, bool) and len(kind) <= FEW:
        return None, _counts(kind, begins)
    return _of_pool(kind, begins)


@cache
def _of_pool(kind: _Kind, begins: Tokens) -> tuple[int | None, Counts]:
    if begins:
        return None, _counts(_beginning(kind).get(begins, ()), begins)
    _COUNTS.append(_counts(_all(kind), ()))
    return len(_COUNTS) - 1, _COUNTS[-1]


def _all(kind: _Kind) -> Iterable[str]:
    return MadeUp(reserved=kind) if isinstance(kind, bool) else kind


@cache
def _beginning(kind: _Kind) -> dict[Tokens, list[str]]:
    """The words of this kind of several tokens, by each of their beginnings."""
    found: dict[Tokens, list[str]] = {}
    for word in _all(kind):
        ids = _tokens_of(word)
        for n in range(1, len(ids)):
            found.setdefault(ids[:n], []).append(word)
    return found


def _counts(words: Iterable[str], begins: Tokens) -> Counts:
    counts: Counts = {}
    for word in words:
        ids = _tokens_of(word)
        if len(ids) > len(begins) and ids[: len(begins)] == begins:
            counts[ids[len(begins)]] = counts.get(ids[len(begins)], 0) + 1
    return counts


def _rows() -> Tensor:
    """The rows of all pools so far: (pools, V)."""
    global _table
    if len(_table) < len(_COUNTS):
        _table = torch.zeros(len(_COUNTS), len(tokeniser()))
        for row, counts in zip(_table, _COUNTS, strict=True):
            row[list(counts)] = torch.tensor([*counts.values()], dtype=torch.float32)
    return _table


def _tokens_of(word: str) -> Tokens:
    return tokeniser().of_word(word) if word else (EOS,)
