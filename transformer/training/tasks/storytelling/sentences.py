"""The kinds of sentences of a story: what they tell, what they ask for, and what may fill their slots."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from transformer.training.tasks.storytelling import words as w
from transformer.training.tasks.storytelling.pools import MadeUp, Words
from transformer.training.tasks.storytelling.world import (
    KEYS,
    MAX_PEOPLE,
    POOLS,
    VALUES,
    Bound,
    Choices,
    Fact,
    World,
    choices_of,
    met,
    slot_kind,
    unpaired,
)

WHAT, COLOUR, WHOSE, HERS = "the thing of this colour", "which colour", "whose", "his or hers"
WHO, NOW, WHERE, NOT = "who did it", "who has it now", "where", "not here, but there"
BACK = "who, asked against the order of telling"
ORDER, MANY, SAID = "before and after", "how many", "who said it"
ABOUT, PRONOUN = "what is told of somebody", "he or she"
ABILITIES = (WHAT, COLOUR, WHOSE, HERS, WHO, BACK, NOW, WHERE, NOT, ORDER, MANY, SAID, ABOUT, PRONOUN)

SAME_VERB = 0.6  # how often the next deed is told with the verb of the last


@dataclass(frozen=True, eq=False)
class Sentence:
    """One way to go on.

    frames   its wordings, equally likely: words, and slots in braces
    weight   how likely it is in this world, beside all others; 0: it cannot be told
    choices  the pools of a slot, given those before it (in the order of `slots`)
    slots    in the order in which they are filled
    then     the world after it
    asks     slots with one right answer: by which ability it is found
    tells    the relations that it tells of or asks for
    """

    frames: tuple[tuple[str, ...], ...]
    weight: Callable[[World], float]
    choices: Callable[[World, str, Bound], Choices]
    slots: tuple[str, ...]
    then: Callable[[World, Bound], World]
    asks: Mapping[str, str]
    tells: frozenset[str] = frozenset()


def _frames(*texts: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(text.split()) for text in texts)


def _slots(frames: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for frame in frames for word in frame if word[0] == "{"))


def _fades(world: World, told: int) -> float:
    """How likely it is to tell one more of a relation: two are wanted, so that there is something to confuse."""
    if told:
        return (0.0, 25.0, 2.0, 0.0)[min(told, 3)] * (1.0 if world.n < 8 else 0.3)
    others = len({fact.relation for fact in world.facts})
    return (1.0, 1.0, 0.5, 0.3, 0.1)[min(others, 4)] * (1.0 if world.n < 5 else 0.1)


def told(relations: str, *texts: str, weight: float = 1.0, subject: bool = False, once: str = "") -> Sentence:
    """A sentence that tells facts: "owner {thing} {person}; ..." with slots of the wordings.

    No key of a relation comes twice in it, and no value. subject: a pronoun may stand for its person afterwards.
    once: another slot that says how it was done; often as before, so that the verb alone does not tell who did what.
    """
    frames = _frames(*texts)
    slots = _slots(frames)
    facts = [tuple(fact.split()) for fact in relations.split(";")]
    rivals = tuple({"was": ("was", "painted"), "painted": ("was", "painted")}.get(f[0], (f[0],)) for f in facts)

    def weighed(world: World) -> float:
        return weight * _fades(world, len(world.of(facts[0][0])))

    def choices(world: World, slot: str, bound: Bound) -> Choices:
        if slot == once and (before := world.of(facts[-1][0])):
            return [(SAME_VERB, Words([before[-1].how])), (1 - SAME_VERB, Words(POOLS[slot_kind(slot)]))]
        taken = set(bound.values())
        for (relation, key, value), alike in zip(facts, rivals, strict=True):
            for fact in world.of(*alike):
                if slot in (key, value):
                    ends = ((fact.key, KEYS[fact.relation]), (fact.value, VALUES[fact.relation]))
                    taken |= {word for word, kind in ends if kind == slot_kind(slot)}
            if {key, value} == {"{colour}", "{thing}"} and (other := bound.get(key if slot == value else value)):
                taken |= unpaired(other, relation == "painted" and world.fresh)
        return choices_of(world, slot_kind(slot), frozenset(taken))

    def then(world: World, bound: Bound) -> World:
        new = tuple(Fact(relation, bound[key], bound[value], bound.get(once, "")) for relation, key, value in facts)
        person = next((bound[slot] for slot in slots if slot_kind(slot) == "person"), "")
        return met(world._replace(facts=(*world.facts, *new)), bound, person if subject else "")

    return Sentence(frames, weighed, choices, slots, then, {}, frozenset(fact[0] for fact in facts))


def asked(
    ability: str, relation: str, *texts: str, weight: float = 16.0, back: bool = False, rivals: int = 2
) -> Sentence:
    """A sentence that asks for the value of a key, {k} ... {v}, or of back the other way; {how} as it was told.

    rivals: how many facts of the relation must have been told.
    """
    frames = _frames(*texts)
    slots = tuple(dict.fromkeys(("{k}", *(("{how}",) if "{how}" in _slots(frames) else ()), *_slots(frames))))

    def key(fact: Fact) -> str:
        return fact.value if back else fact.key

    def open_facts(world: World) -> list[Fact]:
        facts = world.of(relation)
        if len(facts) < rivals:
            return []
        return [fact for fact in facts if fact not in world.asked]

    def weighed(world: World) -> float:
        return weight if open_facts(world) else 0.0

    def fact_of(world: World, bound: Bound) -> Fact:
        return next(fact for fact in world.of(relation) if key(fact) == bound["{k}"])

    def choices(world: World, slot: str, bound: Bound) -> Choices:
        if slot == "{k}":
            return [(1.0, Words([key(fact) for fact in open_facts(world)]))]
        fact = fact_of(world, bound)
        if slot == "{how}":
            return [(1.0, Words([fact.how]))]
        if slot == "{v}":
            return [(1.0, Words([fact.key if back else fact.value]))]
        others = frozenset(bound.values()).union((fact.key, fact.value))
        if slot_kind(slot) == "person":
            return choices_of(world, "person", others)
        return [(1.0, Words(POOLS[slot_kind(slot)]))]

    def then(world: World, bound: Bound) -> World:
        fact = fact_of(world, bound)
        return met(world._replace(asked=(*world.asked, fact)), bound)

    return Sentence(frames, weighed, choices, slots, then, {"{v}": ability}, frozenset((relation,)))


def plain(*texts: str, weight: float = 1.0, until: int = 99, subject: bool = False) -> Sentence:
    """A sentence that tells nothing that is asked for later; its slots are filled with any word of their kind."""
    frames = _frames(*texts)
    assert len(frames) == 1  # slots differ from wording to wording
    slots = _slots(frames)

    def choices(world: World, slot: str, bound: Bound) -> Choices:
        return choices_of(world, slot_kind(slot), frozenset(bound.values()))

    def then(world: World, bound: Bound) -> World:
        return met(world, bound, bound["{person}"] if subject else "")

    return Sentence(frames, lambda world: weight if world.n < until else 0.0, choices, slots, then, {})


def of_pronoun(*texts: str, weight: float = 1.0) -> Sentence:
    """A sentence about whom the last one was about: {he} and {his} stand for them."""
    frames = _frames(*texts)
    assert len(frames) == 1
    slots = _slots(frames)

    def weighed(world: World) -> float:
        return weight if world.gender(world.last) else 0.0

    def choices(world: World, slot: str, bound: Bound) -> Choices:
        he = world.gender(world.last) == "he"
        if slot == "{he}":
            return [(1.0, Words(["he" if he else "she"]))]
        if slot == "{his}":
            return [(1.0, Words(["his" if he else "her"]))]
        return choices_of(world, slot_kind(slot), frozenset(bound.values()))

    first = next(slot for slot in slots if slot in ("{he}", "{his}"))
    return Sentence(frames, weighed, choices, slots, lambda world, bound: met(world, bound), {first: PRONOUN})


def hers() -> Sentence:
    """Whose something is, by a word that stands for them: two owners, of whom one is a girl and one a boy."""
    frames = _frames("whose is the {k} ? it is {v} .", "look , the {k} is {v} .")

    def open_facts(world: World) -> list[Fact]:
        facts = world.of("owner")
        genders = {world.gender(fact.value) for fact in facts}
        if not {"he", "she"} <= genders:
            return []
        return [fact for fact in facts if fact not in world.asked and world.gender(fact.value)]

    def choices(world: World, slot: str, bound: Bound) -> Choices:
        if slot == "{k}":
            return [(1.0, Words([fact.key for fact in open_facts(world)]))]
        fact = fact_of_key(world, "owner", bound["{k}"])
        return [(1.0, Words(["his" if world.gender(fact.value) == "he" else "hers"]))]

    def then(world: World, bound: Bound) -> World:
        fact = fact_of_key(world, "owner", bound["{k}"])
        return met(world._replace(asked=(*world.asked, fact)), bound)

    return Sentence(
        frames, lambda world: 60.0 if open_facts(world) else 0.0, choices, ("{k}", "{v}"), then, {"{v}": HERS}
    )


def fact_of_key(world: World, relation: str, key: str) -> Fact:
    """The fact of a relation that holds of this key. Raises StopIteration where none was told."""
    return next(fact for fact in world.of(relation) if fact.key == key)


def given() -> Sentence:
    """Something changes hands: whoever has it now is somebody else."""
    frames = _frames("then the {k} went to {person} .", "the {k} was given to {person} .")

    def then(world: World, bound: Bound) -> World:
        facts = tuple(f for f in world.facts if (f.relation, f.key) != ("holds", bound["{k}"]))
        return met(world._replace(facts=(*facts, Fact("holds", bound["{k}"], bound["{person}"], "now"))), bound)

    def choices(world: World, slot: str, bound: Bound) -> Choices:
        if slot == "{k}":
            return [(1.0, Words([fact.key for fact in world.of("holds") if not fact.how]))]
        holders = frozenset(fact.value for fact in world.of("holds"))
        return choices_of(world, "person", holders.union(bound.values()))

    def weighed(world: World) -> float:
        return 3.0 if any(not fact.how for fact in world.of("holds")) else 0.0

    return Sentence(frames, weighed, choices, ("{k}", "{person}"), then, {})


def introduced(text: str, he: str) -> Sentence:
    """Somebody comes, and the word beside the name says whether it is he or she."""
    frames = _frames(text)
    pool = w.BOYS if he == "he" else w.GIRLS

    def choices(world: World, slot: str, bound: Bound) -> Choices:
        if slot != "{newcomer}":
            return choices_of(world, slot_kind(slot), frozenset(bound.values()))
        if world.fresh:
            return [(1.0, MadeUp(reserved=True, taken=world.names))]
        return [(0.6, Words(pool, world.names)), (0.4, MadeUp(taken=world.names))]

    def then(world: World, bound: Bound) -> World:
        name = bound["{newcomer}"]
        return world._replace(people=(*world.people, (name, he)), last=name, n=world.n + 1)

    def weighed(world: World) -> float:
        return (1.5 if world.n == 0 else 0.5) if len(world.people) < MAX_PEOPLE and world.n < 5 else 0.0

    return Sentence(frames, weighed, choices, _slots(frames), then, {})
