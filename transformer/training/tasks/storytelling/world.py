"""What a story has told so far, and who or what may come next: the state that its grammar keeps."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from transformer.training.tasks.storytelling import words as w
from transformer.training.tasks.storytelling.pools import MadeUp, Pool, Words, is_reserved

IS_NEW = {"person": 0.18, "thing": 0.06, "place": 0.03}  # how often a newcomer has a made-up name
IS_KNOWN = {"person": 0.6, "thing": 0.6}  # how often somebody or something of the story comes again
MAX_PEOPLE = 4


class Fact(NamedTuple):
    """`relation` leads from a key to its value: ("owner", "hat", "mia"). `how` is the verb, where one is told."""

    relation: str
    key: str
    value: str
    how: str = ""


class World(NamedTuple):
    """What has been told.

    people   names in the order of their coming, each with "he", "she", or "" where nobody knows
    facts    that hold now; `asked`: of those, the ones that were asked for
    last     whom a pronoun stands for, or ""
    n        sentences told
    fresh    it is told of names and pairs that no training has read, and of these alone
    """

    people: tuple[tuple[str, str], ...] = ()
    facts: tuple[Fact, ...] = ()
    asked: tuple[Fact, ...] = ()
    last: str = ""
    n: int = 0
    fresh: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Of everybody."""
        return tuple(name for name, _ in self.people)

    @property
    def things(self) -> tuple[str, ...]:
        """Of which some fact was told."""
        told = (
            fact.key if KEYS[fact.relation] == "thing" else fact.value for fact in self.facts if _is_of_things(fact)
        )
        return tuple(dict.fromkeys(told))

    def gender(self, name: str) -> str:
        """ "he", "she", or "" where nobody knows."""
        return next((he for known, he in self.people if known == name), "")

    def of(self, *relations: str) -> tuple[Fact, ...]:
        """The facts of these relations."""
        return tuple(fact for fact in self.facts if fact.relation in relations)


Bound = Mapping[str, str]
Choices = Sequence[tuple[float, Pool]]  # pools, each with its share


# ---- relations -------------------------------------------------------------------------------------------------------

KEYS = {
    "painted": "colour",  # a red hat: the colour comes first, and its thing follows
    "was": "thing",  # the hat was red
    "owner": "thing",
    "lies": "thing",
    "truly": "thing",  # not in the box, but in the bag
    "holds": "thing",  # who has it now
    "made": "thing",  # the hat was found by mia
    "stood": "place",  # in the garden stood the chair
    "did": "person",  # mia found a hat
    "at": "person",
    "first": "person",
    "next": "person",
    "job": "person",
    "likes": "person",
    "lives": "person",
    "studies": "person",
    "pet": "person",
    "said": "mood",
    "number": "plural",
    "several": "number",  # three apples
}
VALUES = {
    "painted": "thing",
    "was": "colour",
    "owner": "person",
    "lies": "place",
    "truly": "place",
    "holds": "person",
    "made": "person",
    "stood": "thing",
    "did": "thing",
    "at": "place",
    "first": "place",
    "next": "place",
    "job": "job",
    "likes": "food",
    "lives": "land",
    "studies": "subject",
    "pet": "animal",
    "said": "person",
    "number": "number",
    "several": "plural",
}
POOLS: dict[str, tuple[str, ...]] = {
    "thing": w.THINGS,
    "colour": w.COLOURS,
    "place": w.PLACES,
    "food": w.FOODS,
    "plural": w.PLURALS,
    "number": w.NUMBERS,
    "animal": w.ANIMALS,
    "job": w.JOBS,
    "land": w.LANDS,
    "mood": w.MOODS,
    "quality": w.QUALITIES,
    "past": w.PASTS,
    "deed": w.DEEDS,
    "how": w.HOWS,
    "weather": w.WEATHERS,
    "take": w.TAKES,
    "verb": w.VERBS,
    "family": w.FAMILY,
    "subject": w.SUBJECTS,
    "part": w.PARTS,
    "day": w.DAYS,
    "month": w.MONTHS,
}


def _is_of_things(fact: Fact) -> bool:
    return "thing" in (KEYS[fact.relation], VALUES[fact.relation])


# ---- who or what comes next ------------------------------------------------------------------------------------------


def slot_kind(slot: str) -> str:
    """What a slot such as {thing2} is filled with: "thing"."""
    return slot.strip("{}").rstrip("0123456789")


def _newcomer(world: World, kind: str, taken: frozenset[str]) -> list[tuple[float, Pool]]:
    """Somebody or something of this kind that the story does not know."""
    new = IS_NEW.get(kind, 0.0)
    if kind == "person" and world.fresh:
        return [(1.0, MadeUp(reserved=True, taken=taken))]
    if kind == "person":
        known: list[tuple[float, Pool]] = [
            ((1 - new) / 2, Words(w.BOYS, taken)),
            ((1 - new) / 2, Words(w.GIRLS, taken)),
        ]
    else:
        known = [(1 - new, Words(POOLS[kind], taken))]
    return [*known, (new, MadeUp(reserved=world.fresh, taken=taken))] if new else known


def choices_of(world: World, kind: str, taken: frozenset[str]) -> Choices:
    """Of this kind: one that the story knows, or a newcomer; none that is taken."""
    told = {"person": world.names, "thing": world.things}.get(kind, ())
    again = [word for word in told if word not in taken]
    if kind == "person" and len(told) >= MAX_PEOPLE and again:
        return [(1.0, Words(again))]
    share = IS_KNOWN[kind] if again else 0.0
    new = _newcomer(world, kind, taken.union(told))
    return [(share, Words(again)), *((p * (1 - share), pool) for p, pool in new)] if again else new


@cache
def unpaired(word: str, fresh: bool) -> frozenset[str]:
    """The colours, or the things, that this word is not told together with: one pair in ten is kept for the test."""
    others = w.THINGS if word in w.COLOURS else w.COLOURS
    pairs = ((other, f"{word} {other}" if word in w.COLOURS else f"{other} {word}") for other in others)
    return frozenset(other for other, pair in pairs if is_reserved(pair) != fresh)


def met(world: World, bound: Bound, last: str = "") -> World:
    """The world after a sentence that names these people."""
    people = world.people
    for slot, name in bound.items():
        if slot_kind(slot) in ("person", "newcomer") and name not in (known for known, _ in people):
            he = "he" if name in _BOYS else "she" if name in _GIRLS else ""
            people = (*people, (name, he))
    return world._replace(people=people, last=last, n=world.n + 1)


_BOYS, _GIRLS = frozenset(w.BOYS), frozenset(w.GIRLS)
