"""Words to choose from, each as likely as the others, and names that nobody has ever read."""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from random import Random
from typing import Protocol


class Pool(Protocol):
    """Words, each equally likely: how many, whether a word is one of them, and one at random."""

    def __len__(self) -> int: ...
    def __contains__(self, word: object, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    @property
    def taken(self) -> Collection[str]: ...
    def choose(self, rng: Random) -> str: ...


class Words:
    """A list of words without those of them that are taken."""

    def __init__(self, words: Sequence[str], taken: Collection[str] = ()) -> None:
        self.words, self._index = words, _index(tuple(words))
        self.taken = self._index.intersection(taken)

    def __len__(self) -> int:
        return len(self.words) - len(self.taken)

    def __contains__(self, word: object) -> bool:
        return word in self._index and word not in self.taken

    def __iter__(self) -> Iterator[str]:
        return (word for word in self.words if word not in self.taken)

    def choose(self, rng: Random) -> str:
        while (word := self.words[rng.randrange(len(self.words))]) in self.taken:
            pass
        return word


@lru_cache(1000)  # the lists of the grammar, and those of the latest stories, such as their people
def _index(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(words)


class MadeUp:
    """Words of two syllables that no language had to have: `dalu`, `tipon`. One in ten is never told in training.

    reserved  only those that are never told in training
    taken     without these
    """

    def __init__(self, *, reserved: bool = False, taken: Collection[str] = ()) -> None:
        self.reserved = reserved
        self.taken = {word for word in taken if word in self}

    taken: Collection[str] = ()

    def __len__(self) -> int:
        return _counts()[self.reserved] - len(self.taken)

    def __contains__(self, word: object) -> bool:
        return (
            isinstance(word, str) and word not in self.taken and is_made_up(word) and is_reserved(word) == self.reserved
        )

    def __iter__(self) -> Iterator[str]:
        return filter(self.__contains__, _made_up())

    def choose(self, rng: Random) -> str:
        while True:
            word = "".join(rng.choice(letters) for letters in _LETTERS)
            if word in self:
                return word


_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_LETTERS = (_CONSONANTS, _VOWELS, _CONSONANTS, _VOWELS, ("", "l", "m", "n", "r", "s", "t"))


def is_reserved(word: str) -> bool:
    """Whether this made-up word is kept for the test, by a hash of it."""
    return hashlib.blake2b(word.encode(), digest_size=4).digest()[0] % 10 == 0


def is_made_up(word: str) -> bool:
    if not 4 <= len(word) <= 5 or any(c not in letters for c, letters in zip(word, _LETTERS, strict=False)):
        return False
    return word not in _known()


@cache
def _known() -> frozenset[str]:
    from transformer.training.tasks.storytelling import words

    listed = (word for kind in vars(words).values() if isinstance(kind, tuple) for word in kind)
    return frozenset((*listed, "gave", "given", "like", "live", "name", "never", "time"))  # and words of the sentences


@cache
def _counts() -> tuple[int, int]:
    """How many made-up words training may tell, and how many it may not."""
    reserved = sum(map(is_reserved, _made_up()))
    return sum(1 for _ in _made_up()) - reserved, reserved


def _made_up() -> Iterator[str]:
    spelled = [""]
    for letters in _LETTERS:
        spelled = [word + letter for word in spelled for letter in letters]
    return filter(is_made_up, spelled)
