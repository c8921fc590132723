"""What somebody would bet on the next word who has only counted which word follows which."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from pages.generation.components.wager import CHIPS


def followers(texts: Iterable[Sequence[int]]) -> Mapping[int, Counter[int]]:
    """How often each token follows each other one in these texts."""
    found: dict[int, Counter[int]] = defaultdict(Counter)
    for text in texts:
        for before, after in pairwise(text):
            found[before][after] += 1
    return dict(found)


def chips_of(counts: Counter[int], named: Sequence[int]) -> tuple[int, ...]:
    """CHIPS shared among the named tokens and, last, all others as they were counted; at least one chip on each, and
    shared equally where nothing was."""
    of = [counts[id] for id in named]
    of.append(counts.total() - sum(of))
    free, total = CHIPS - len(of), sum(of)
    exact = [free * (n / total if total else 1 / len(of)) for n in of]
    chips = [1 + int(x) for x in exact]
    missing = CHIPS - sum(chips)
    for i in sorted(range(len(of)), key=lambda i: (int(exact[i]) - exact[i], i))[:missing]:
        chips[i] += 1
    return tuple(chips)
