"""How often a head looks at the token that it should, beside the best that looking a fixed way off can do.

A head agrees with a query if the query's largest attention weight is on a key that belongs to it, as Clark et al. 2019
("What Does BERT Look At?") count it. Their baseline is here too: the fixed offset key - query that is right most often,
which needs no model at all.

Of many heads the best is good by luck alone. So head and offset are chosen on one half of the texts, and what is
reported of them is measured on the other half.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

Pairs = Sequence[tuple[int, int]]  # (query, key); a query with several keys is right with any of them
MIN_QUERIES = 10  # in each half: fewer say nothing about a head


class Agreement(NamedTuple):
    """How well heads find the right key for one kind of pair.

    n         queries that it is measured on
    shares    (L, H) the share of them for which each head looks most at a right key
    best      the head that is right most often in the other half of the texts: (layer, head)
    share     how often that head is right here
    offset    key - query that is right most often in the other half;  baseline: how often it is right here
    chance    how often a key chosen at random is right, of those that the query may look at
    """

    n: int
    shares: np.ndarray
    best: tuple[int, int]
    share: float
    offset: int
    baseline: float
    chance: float


def by_query(pairs: Pairs) -> dict[int, frozenset[int]]:
    """query -> the keys that belong to it."""
    keys: dict[int, set[int]] = {}
    for query, key in pairs:
        keys.setdefault(query, set()).add(key)
    return {query: frozenset(found) for query, found in keys.items()}


def found(weights: np.ndarray, pairs: Pairs) -> np.ndarray:
    """Whether each query looks most at a key of its own: (..., T, S) -> (..., n) of bool, queries in their order."""
    wanted = by_query(pairs)
    favourites = weights[..., list(wanted), :].argmax(-1)  # (..., n)
    right = np.zeros((len(wanted), weights.shape[-1]), bool)
    for row, keys in enumerate(wanted.values()):
        right[row, list(keys)] = True
    return right[np.arange(len(wanted)), favourites]


def best_offset(texts: Sequence[Pairs]) -> int:
    """The offset key - query that is right for most queries; of equally good ones, the shortest.

    Raises ValueError where there is no pair.
    """
    pairs = {(n, query, key - query) for n, pairs in enumerate(texts) for query, key in pairs}
    if not pairs:
        raise ValueError("there are no pairs to find an offset for")
    offsets, counts = np.unique([offset for _, _, offset in sorted(pairs)], return_counts=True)
    best = [int(offset) for offset in offsets[counts == counts.max()]]
    return min(best, key=abs)


def offset_share(texts: Sequence[Pairs], offset: int) -> float:
    """The share of the queries of these texts for which key = query + offset is right."""
    hits = [query + offset in keys for pairs in texts for query, keys in by_query(pairs).items()]
    return float(np.mean(hits))


def agreement(
    weights: Sequence[np.ndarray], pairs: Sequence[Pairs], n_allowed: Sequence[np.ndarray]
) -> Agreement | None:
    """The agreement of all heads with the pairs of several texts; None for fewer than MIN_QUERIES in either half.

    weights    per text (L, H, T, S);  pairs: per text
    n_allowed  per text (T,), how many keys each query may look at
    """
    halves = [[n for n in range(len(pairs)) if n % 2 == half and len(pairs[n])] for half in (0, 1)]
    to_choose, to_measure = ([pairs[n] for n in half] for half in halves)
    if min(sum(len(by_query(one)) for one in side) for side in (to_choose, to_measure)) < MIN_QUERIES:
        return None
    chosen, shares = (
        np.concatenate([found(weights[n], pairs[n]) for n in half], -1) for half in halves
    )  # (L, H, queries)
    layer, head = np.unravel_index(int(chosen.mean(-1).argmax()), chosen.shape[:2])
    offset = best_offset(to_choose)
    at_random = [len(keys) / n_allowed[n][query] for n in halves[1] for query, keys in by_query(pairs[n]).items()]
    return Agreement(
        n=shares.shape[-1],
        shares=shares.mean(-1),
        best=(int(layer), int(head)),
        share=float(shares[layer, head].mean()),
        offset=offset,
        baseline=offset_share(to_measure, offset),
        chance=float(np.mean(at_random)),
    )


def agreements(
    weights: Sequence[np.ndarray], pairs: Sequence[Mapping[str, Pairs]], n_allowed: Sequence[np.ndarray]
) -> dict[str, Agreement]:
    """The agreement with every kind of pair that is there often enough, by its name; as `agreement` otherwise."""
    names = dict.fromkeys(name for of_text in pairs for name in of_text)
    results = {name: agreement(weights, [of.get(name, ()) for of in pairs], n_allowed) for name in names}
    return {name: result for name, result in results.items() if result is not None}
