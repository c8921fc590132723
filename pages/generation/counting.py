"""What somebody knows who has only counted which token follows which: what to bet on, and which tokens are words."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import pairwise

from pages.generation.components.wager import WHOLE


def followers(texts: Iterable[Sequence[int]]) -> Mapping[int, Counter[int]]:
    """How often each token follows each other one in these texts."""
    found: dict[int, Counter[int]] = defaultdict(Counter)
    for text in texts:
        for before, after in pairwise(text):
            found[before][after] += 1
    return dict(found)


def whole(followers: Mapping[int, Counter[int]], pieces: Set[int]) -> frozenset[int]:
    """The tokens that are a whole word in most of their uses: other tokens follow them more often than pieces, which go
    on within a word."""
    return frozenset(
        id
        for id, after in followers.items()
        if id not in pieces and 2 * sum(after[piece] for piece in pieces & after.keys()) < after.total()
    )


def percent_of(counts: Counter[int], named: Sequence[int]) -> tuple[int, ...]:
    """WHOLE shared among the named tokens and, last, all others as they were counted; equally where nothing was."""
    of = [counts[id] for id in named]
    return shared([*of, counts.total() - sum(of)])


def shared(amounts: Sequence[float]) -> tuple[int, ...]:
    """WHOLE in proportion to these amounts, at least one on each; equally many where all amounts are 0."""
    free, total = WHOLE - len(amounts), sum(amounts)
    exact = [free * (x / total if total else 1 / len(amounts)) for x in amounts]
    percent = [1 + int(x) for x in exact]
    missing = WHOLE - sum(percent)
    for i in sorted(range(len(amounts)), key=lambda i: (int(exact[i]) - exact[i], i))[:missing]:
        percent[i] += 1
    return tuple(percent)
