"""What a head does, in a number: its entropy, how far it looks, how often at two favourite places; and in words."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from transformer.inspection import scores
from transformer.inspection.scores import looks

SCORES = ("entropy", "distance", "previous", "first")
_SCORES = (scores.ENTROPY, scores.DISTANCE, scores.PREVIOUS, scores.FIRST)


def head_scores(weights: np.ndarray) -> dict[str, np.ndarray]:
    """The scores that need nothing but the weights, by the names in SCORES: weights (..., T, S) -> arrays (...).

    All scores, and what they mean, are in transformer.inspection.scores.
    """
    return {score.name: score(weights) for score in _SCORES}


def chance(T: int, S: int, mask: np.ndarray | None = None) -> dict[str, float]:
    """The same scores of a head that looks at every allowed key alike: what a head must differ from to say anything."""
    return {score.name: score.chance(T, S, mask) for score in _SCORES}


# ---- what a head mostly does, in words -----------------------------------------------------------------------------

PREVIOUS, NEXT, ITSELF = "previous word", "next word", "looks at itself"
FIRST, EVEN = "rests on the first token", "spreads evenly"
SAME, AFTER = "same word, earlier", "what followed it last time"
TRIVIAL = (FIRST, EVEN, ITSELF)  # true of many heads, and told by no structure in the text
MIN_SCORE, MIN_GAIN = 0.4, 0.25  # a head earns a name with this share of its attention, so much above chance
MIN_EVEN = 0.95  # of the entropy that looking at all allowed tokens alike has
MAX_REPEATS = 128  # tokens up to which repeated words are sought

Pairs = Sequence[tuple[int, int]]  # (query, key)


class HeadTag(NamedTuple):
    """The name that a head has earned on one text.

    score  the share of its attention weight that goes where the name says, averaged over the queries that have such a
           key; of EVEN, its entropy as a share of the largest possible
    gain   the score above that of a head which looks at all allowed tokens alike; of a name that means one single cell,
           also above what the other tokens give that key
    query  the row that shows it best, None where no row does more than others
    times  how many queries look most where the name says, and how many have such a key; None where none is meant
    """

    name: str
    layer: int
    head: int
    score: float
    gain: float
    query: int | None = None
    times: tuple[int, int] | None = None

    @property
    def is_trivial(self) -> bool:
        return self.name in TRIVIAL


def relations(tokens: Sequence[str]) -> dict[str, Pairs]:
    """Which cells of the map of a text belong to each name, for names that need nothing but the tokens."""
    T = len(tokens)
    pairs: dict[str, Pairs] = {
        PREVIOUS: [(i, i - 1) for i in range(1, T)],
        NEXT: [(i, i + 1) for i in range(T - 1)],
        ITSELF: [(i, i) for i in range(T)],
        FIRST: [(i, 0) for i in range(1, T)],
    }
    if T <= MAX_REPEATS:
        same = [(i, j) for i in range(T) for j in range(i) if tokens[i] == tokens[j]]
        after = [(i, j + 1) for i, j in same if j + 1 < i]
        pairs |= {name: found for name, found in ((SAME, same), (AFTER, after)) if len({i for i, _ in found}) > 1}
    return pairs


def relation_scores(weights: np.ndarray, pairs: Pairs) -> np.ndarray:
    """The share of attention weight on the keys of these pairs, averaged over the queries that have one.

    weights (..., T, S) -> (...); queries with nothing allowed (all zeros) are left out.
    """
    weights = np.asarray(weights)
    return _mean_share(*_shares(weights, pairs), looks(weights))


def head_tags(
    weights: np.ndarray,
    pairs: Mapping[str, Pairs],
    keys: Sequence[str],
    mask: np.ndarray | None = None,
    layer: int = 0,
    entropy: np.ndarray | None = None,
) -> list[HeadTag]:
    """The names that the heads of one layer have earned on a text: at most one per head, its best.

    weights (H, T, T); pairs: the cells that belong to each name, as from `relations`; keys: the tokens, of which one
    can be what everyone looks at; mask (T, T) or None; entropy (H,) of the heads, where it is known already.
    """
    H, T, S = weights.shape
    allowed = np.ones((T, S), bool) if mask is None else np.broadcast_to(mask, (T, S))
    n_allowed = allowed.sum(-1, keepdims=True)
    uniform = np.divide(allowed, n_allowed, out=np.zeros((T, S)), where=n_allowed > 0)
    has_choice = (n_allowed[:, 0] >= min(4, S)) & (np.arange(T) > 0)  # a first row is often a mere <bos>
    looking, most_of = looks(weights), weights.max(-1)  # (H, T) each
    tags: list[list[HeadTag]] = [[] for _ in range(H)]
    for name, cells in pairs.items():
        if not len(cells):
            continue
        expected = np.full(H, relation_scores(uniform, cells))
        if len(cells) == 1:  # where all tokens look at this one, that a certain one does says nothing
            expected = np.maximum(expected, _share_of_others(weights, allowed, *cells[0]))
        rows, shares = _shares(weights, cells)
        shown = _times(weights, most_of, cells)
        for head, score in enumerate(_mean_share(rows, shares, looking)):
            query = rows[int(np.where(has_choice[rows], shares[head], shares[head] - 1).argmax())]
            gain, times = float(score - expected[head]), (int(shown[head]), len(rows))
            tags[head].append(HeadTag(name, layer, head, float(score), gain, int(query), times))
    of_uniform = favourite_scores(uniform, allowed)
    for head, (key, score) in enumerate(zip(*favourites(weights, allowed), strict=True)):
        expected = float(of_uniform[key])
        others = np.where((np.arange(T) != key) & has_choice, weights[head, :, key], -1)
        name = f"everyone looks at “{keys[key]}”"
        tags[head].append(HeadTag(name, layer, head, float(score), float(score) - expected, int(others.argmax())))
    most = scores.ENTROPY.chance(T, S, mask)
    entropy = scores.ENTROPY(weights) if entropy is None else entropy
    evenness = entropy / most if most > 0 else np.zeros(H)
    earned = []
    for head, candidates in enumerate(tags):
        best = max(candidates, key=lambda tag: tag.gain)
        if best.score >= MIN_SCORE and best.gain >= MIN_GAIN:
            earned.append(best)
        elif evenness[head] >= MIN_EVEN:
            earned.append(HeadTag(EVEN, layer, head, float(min(evenness[head], 1)), 0.0))
    return earned


def _share_of_others(weights: np.ndarray, allowed: np.ndarray, query: int, key: int) -> np.ndarray:
    """The mean weight on this key over the tokens, other than this query and the key itself, that may look at it:
    weights (H, T, S) -> (H,)."""
    places = np.arange(len(allowed))
    others = allowed[:, key] & (places != query) & (places != key)
    return weights[:, others, key].sum(-1) / max(others.sum(), 1)


def favourite_scores(weights: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """The mean weight on each key over the other queries that may look at it: (..., T, S) -> (..., S).

    0 for the first key, which has a name of its own, and for keys that fewer than a third of the queries may look at.
    """
    T, S = weights.shape[-2:]
    others = allowed & (np.arange(T)[:, None] != np.arange(S)[None, :])
    n = others.sum(0)
    total = np.einsum("...ts,ts->...s", weights, others.astype(weights.dtype))  # no second (H, T, S) in memory
    scores = np.divide(total, n, out=np.zeros((*weights.shape[:-2], S)), where=n > 0)
    scores[..., (n < max(3, T / 3)) | (np.arange(S) == 0)] = 0
    return scores


def favourites(weights: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The key that the queries of each head look at most, and its mean weight: (H, T, S) -> (H,), (H,)."""
    scores = favourite_scores(weights, allowed)
    keys = scores.argmax(-1)
    return keys, np.take_along_axis(scores, keys[..., None], -1)[..., 0]


def leading(tags: Sequence[HeadTag]) -> list[HeadTag]:
    """One tag per name, that of the head which earned it most; the strongest first, trivial ones last."""
    ordered = sorted(tags, key=lambda tag: (tag.is_trivial, -tag.gain, tag.layer, tag.head))
    best: dict[str, HeadTag] = {}
    for tag in ordered:
        best.setdefault(tag.name, tag)
    return list(best.values())


def _shares(weights: np.ndarray, pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
    """The queries of these pairs (n,), each once, and the weight on its keys together (..., n)."""
    cells = np.asarray(pairs, int).reshape(-1, 2)
    cells = cells[np.argsort(cells[:, 0], kind="stable")]
    rows, starts = np.unique(cells[:, 0], return_index=True)
    return rows, np.add.reduceat(weights[..., cells[:, 0], cells[:, 1]], starts, axis=-1)


def _times(weights: np.ndarray, most_of: np.ndarray, pairs: Pairs) -> np.ndarray:
    """How many queries of these pairs have their largest weight, of (H, T, S), on one of its keys -> (H,)."""
    rows, keys = np.asarray(pairs, int).reshape(-1, 2).T
    most = most_of[:, rows]
    is_most = (weights[:, rows, keys] >= most) & (most > 0)
    return np.array([len(np.unique(rows[one])) for one in is_most])


def _mean_share(rows: np.ndarray, shares: np.ndarray, looking: np.ndarray) -> np.ndarray:
    """The mean of these shares (..., n) over those of their queries that look anywhere, by looking (..., T)."""
    kept = looking[..., rows]
    n = kept.sum(-1)
    return np.divide((shares * kept).sum(-1), n, out=np.zeros(n.shape), where=n > 0)
