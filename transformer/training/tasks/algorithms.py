"""Copy, reverse, sort: short puzzles of letters that a small encoder-decoder learns within seconds."""

from collections.abc import Callable, Sequence
from random import Random

from transformer.training.recipes import Recipe, small_model
from transformer.training.settings import Settings
from transformer.training.tasks.task import Declaration, Example, SpacedTokeniser, Task, of_known_words, probes, whole

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MAX_LENGTH = 64  # of the source

Order = Callable[[Sequence[int]], Sequence[int]]  # target token i is source token order(source)[i]


def copy(shortest: int = 3, longest: int = 8, symbols: int = 10) -> Task:
    return _reordering("copy", "Copy", "Write the letters again.", "a b c d e f", _same, shortest, longest, symbols)


def reverse(shortest: int = 3, longest: int = 8, symbols: int = 10) -> Task:
    about = "Write the letters from the last to the first."
    return _reordering("reverse", "Reverse", about, "a b c d e f", _backwards, shortest, longest, symbols)


def sort(shortest: int = 3, longest: int = 8, symbols: int = 10) -> Task:
    """Equal letters keep their order, so there is exactly one alignment."""
    about = "Write the letters in the order of the alphabet."
    return _reordering("sort", "Sort", about, "d a c b e a", _sorted, shortest, longest, symbols)


def _same(ids: Sequence[int]) -> Sequence[int]:
    return range(len(ids))


def _backwards(ids: Sequence[int]) -> Sequence[int]:
    return range(len(ids) - 1, -1, -1)


def _sorted(ids: Sequence[int]) -> Sequence[int]:
    return sorted(range(len(ids)), key=lambda j: ids[j])


def _reordering(
    name: str, title: str, about: str, text: str, order: Order, shortest: int, longest: int, symbols: int
) -> Task:
    """A task whose answer is the source in another order."""
    whole("shortest", shortest, 1, MAX_LENGTH)
    whole("longest", longest, shortest, MAX_LENGTH)
    whole("symbols", symbols, 2, len(LETTERS))
    letters = SpacedTokeniser(LETTERS[:symbols])

    def example(words: Sequence[str]) -> Example:
        source = tuple(letters.vocabulary.id(word) for word in words)
        places = order(source)
        return Example(source, tuple(source[j] for j in places), tuple(enumerate(places)))

    def draw(rng: Random) -> Example:
        return example(rng.choices(LETTERS[:symbols], k=rng.randint(shortest, longest)))

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
        answer=of_known_words(letters, example),
        example_texts=(text,),
        kinds={"letters": tuple(LETTERS[:symbols])},
    )


COPY = Declaration(
    name="copy",
    label="Copy",
    sketch="abc → abc",
    to_ask="cab",
    make=copy,
    recipe=Recipe(small_model(32, 2, 1), Settings(steps=150, lr=1e-2), 2),
    max_length=MAX_LENGTH,
)
REVERSE = Declaration(
    name="reverse",
    label="Reverse",
    sketch="abc → cba",
    to_ask="cab",
    make=reverse,
    recipe=Recipe(small_model(32, 2, 1), Settings(steps=250, lr=1e-2), 3),
    max_length=MAX_LENGTH,
)
SORT = Declaration(
    name="sort",
    label="Sort",
    sketch="cab → abc",
    to_ask="cab",
    make=sort,
    recipe=Recipe(small_model(32, 2, 1), Settings(steps=250, lr=1e-2), 3),
    max_length=MAX_LENGTH,
)
