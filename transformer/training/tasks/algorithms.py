"""Copy, reverse, sort: short puzzles of letters that a small encoder-decoder learns within seconds."""

from collections.abc import Callable, Sequence
from random import Random

from transformer.training.tasks.task import Example, SpacedTokeniser, Task, is_held_out, whole

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST = 64  # the longest source


def copy(shortest: int = 3, longest: int = 8, symbols: int = 10) -> Task:
    return _reordering(
        "copy", "Copy", "Write the letters again.", lambda ids: range(len(ids)), shortest, longest, symbols
    )


def reverse(shortest: int = 3, longest: int = 8, symbols: int = 10) -> Task:
    return _reordering(
        "reverse", "Reverse", "Write the letters from the last to the first.",
        lambda ids: range(len(ids) - 1, -1, -1), shortest, longest, symbols,
    )  # fmt: skip


def sort(shortest: int = 3, longest: int = 8, symbols: int = 10) -> Task:
    """Equal letters keep their order, so the alignment is one and only one."""
    return _reordering(
        "sort", "Sort", "Write the letters in the order of the alphabet.",
        lambda ids: sorted(range(len(ids)), key=lambda j: ids[j]), shortest, longest, symbols,
    )  # fmt: skip


def _reordering(
    name: str,
    title: str,
    about: str,
    order: Callable[[Sequence[int]], Sequence[int]],
    shortest: int,
    longest: int,
    symbols: int,
) -> Task:
    """A task whose answer is the source in another order: target token i is source token order(source)[i]."""
    whole("shortest", shortest, 1, MOST)
    whole("longest", longest, shortest, MOST)
    whole("symbols", symbols, 2, len(LETTERS))
    letters = SpacedTokeniser(LETTERS[:symbols])
    ids = [letters.vocabulary.id(letter) for letter in LETTERS[:symbols]]

    def draw(rng: Random) -> Example:
        source = tuple(rng.choices(ids, k=rng.randint(shortest, longest)))
        places = order(source)
        return Example(source, tuple(source[j] for j in places), tuple(enumerate(places)))

    return Task(
        name=name,
        title=title,
        about=about,
        kind="encoder-decoder",
        source=letters,
        target=letters,
        draw=draw,
        probes=probes(draw, longest),
        longest=longest,
        settings={"shortest": shortest, "longest": longest, "symbols": symbols},
    )


def probes(draw: Callable[[Random], Example], length: int, n: int = 2) -> tuple[Example, ...]:
    """n held-out examples with sources of this length, if it can be; always the same."""
    rng, found, spare = Random(0), [], []
    for _ in range(5000):
        example = draw(rng)
        if is_held_out(example) and example not in found:
            (found if len(example.source) == length else spare).append(example)
        if len(found) == n:
            break
    return tuple((found + spare)[:n])
