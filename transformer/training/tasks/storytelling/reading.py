"""Reading a story word by word: what the grammar expects next, after all that was read.

Nobody says which sentence is under way. So all of those that begin like this are followed at once, each with its
probability (the forward algorithm of a hidden Markov model, Rabiner 1989): what they say next is what is expected, and
whichever says another word than the one that comes is dropped.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf, log
from typing import NamedTuple

from transformer.training.tasks.storytelling import grammar
from transformer.training.tasks.storytelling.pools import Pool
from transformer.training.tasks.storytelling.sentences import Sentence
from transformer.training.tasks.storytelling.world import World

END = ""  # what is read after the last sentence of a story


class Next(NamedTuple):
    """What may come next: single words, and pools of which each word is equally likely, with their probabilities.

    A word may be in several of them; the probabilities of all sum to 1.
    """

    words: Mapping[str, float]
    pools: Sequence[tuple[float, Pool]]

    def probability(self, word: str) -> float:
        """How probable it is that this word comes next."""
        return self.words.get(word, 0.0) + sum(p / len(pool) for p, pool in self.pools if word in pool)


class Telling(NamedTuple):
    """A sentence that may be under way: its wording, how many words of it were said, and what its slots were filled
    with. world: before it; p: how probable it is, up to a factor that all have in common."""

    p: float
    world: World
    sentence: Sentence
    frame: tuple[str, ...]
    said: int = 0
    bound: Mapping[str, str] = {}

    @property
    def is_over(self) -> bool:
        return self.said == len(self.frame)

    def choices(self, slot: str) -> list[tuple[float, Pool]]:
        """The pools of a slot, each with its probability in all."""
        pools = self.sentence.choices(self.world, slot, self.bound)
        whole = sum(share for share, _ in pools)
        return [(self.p * share / whole, pool) for share, pool in pools if share]

    def with_slots(self) -> "list[Telling]":
        """All ways to fill the slots on which that of the next word depends: facts of this world, a few."""
        slot = self.frame[self.said]
        if slot[0] != "{" or slot in self.bound:
            return [self]
        before = self.sentence.slots[: self.sentence.slots.index(slot)]
        missing = next((other for other in before if other in self.frame and other not in self.bound), None)
        if missing is None:
            return [self]
        ways = (
            self._replace(p=p / len(pool), bound={**self.bound, missing: word})
            for p, pool in self.choices(missing)
            for word in pool
        )
        return [later for way in ways for later in way.with_slots()]

    def say(self, word: str) -> "Telling | None":
        """One word further, if this sentence says it."""
        slot = self.frame[self.said]
        if slot[0] != "{" or slot in self.bound:
            return self._replace(said=self.said + 1) if self.bound.get(slot, slot) == word else None
        p = sum(p / len(pool) for p, pool in self.choices(slot) if word in pool)
        return self._replace(p=p, said=self.said + 1, bound={**self.bound, slot: word}) if p else None


def follow(words: Iterable[str]) -> Iterator[Next]:
    """What may come next, before each word and after the last: up to the first word that no story has there."""
    ended, tellings = 0.0, begun({World(): 1.0})
    for word in words:
        tellings = [way for telling in tellings for way in telling.with_slots()]
        yield expected(tellings, ended)
        said = [later for telling in tellings if (later := telling.say(word))]
        worlds: dict[World, float] = {}  # equal ones are one: what comes depends on nothing else
        for over in said:
            if over.is_over:
                world = over.sentence.then(over.world, over.bound)
                worlds[world] = worlds.get(world, 0.0) + over.p
        ended = sum(p * (1 - grammar.goes_on(world)) for world, p in worlds.items())
        tellings = [telling for telling in said if not telling.is_over] + begun(worlds)
        if not tellings and not ended:
            return
    tellings = [way for telling in tellings for way in telling.with_slots()]
    yield expected(tellings, ended)


def begun(worlds: Mapping[World, float]) -> list[Telling]:
    """Every sentence that may follow on these worlds, of which each has its probability."""
    tellings = []
    for world, p in worlds.items():
        weights = grammar.weights(world)
        each = p * grammar.goes_on(world) / (sum(weights) or 1.0)
        for sentence, weight in zip(grammar.SENTENCES, weights, strict=True):
            if share := each * weight / len(sentence.frames):
                tellings += [Telling(share, world, sentence, frame) for frame in sentence.frames]
    return tellings


def expected(tellings: Sequence[Telling], ended: float) -> Next:
    """What these sentences say next, or, with the probability `ended`, none; both up to the same factor."""
    whole = ended + sum(telling.p for telling in tellings)
    words = {END: ended / whole} if ended else {}
    pools: list[tuple[float, Pool]] = []
    for telling in tellings:
        slot = telling.frame[telling.said]
        if slot[0] != "{" or slot in telling.bound:
            word = telling.bound.get(slot, slot)
            words[word] = words.get(word, 0.0) + telling.p / whole
        else:
            pools += [(p / whole, pool) for p, pool in telling.choices(slot)]
    return Next(words, pools)


def log_probability(words: Sequence[str]) -> float:
    """The logarithm of the probability that the grammar tells exactly this story; -inf for one that it never tells."""
    story = (*words, END)
    p = [then.probability(word) for word, then in zip(story, follow(words), strict=False)]
    return sum(map(log, p)) if len(p) == len(story) and all(p) else -inf


def right_until(words: Sequence[str]) -> int:
    """How many words of a text some story begins with: all of them where the grammar can go on from there.

    The word behind them is the first wrong one.
    """
    return sum(1 for _ in follow(words)) - 1
