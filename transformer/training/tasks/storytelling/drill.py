"""A drill: questions against the order of telling, "who found the hat? it was mia", of short rows and of stories.

Whoever answers has to keep, at the hat, who found it, and to look there later. Neither half helps without the other, so
a model that reads stories of all kinds stays at a guess between the people. Where nothing but these answers counts in
the loss, both halves are found within a thousand steps of rows: two or three deeds, all of the same verb. What is
learned there has then to hold in stories, where up to four people also go somewhere, like something, and own things.
"""

from collections.abc import Iterable, Sequence
from random import Random

from transformer.training.tasks.storytelling.examples import LONGEST, example_of
from transformer.training.tasks.storytelling.grammar import SENTENCES, Told, tell
from transformer.training.tasks.storytelling.pools import MadeUp
from transformer.training.tasks.storytelling.sentences import BACK, COLOUR
from transformer.training.tasks.storytelling.words import COLOURS, PASTS, PERSONS, THINGS
from transformer.training.tasks.storytelling.world import unpaired
from transformer.training.tasks.task import Example

DEEDS = (2, 2, 3)  # how many are told, equally likely
COLOUR_FRAMES = ("which colour did the {thing} have ?", "what colour was the {thing} ? it was")
WHO_FRAMES = ("who {past} the {thing} ?", "who was it that {past} the {thing} ? it was")
OF_COLOUR = 0.4  # of the questions; the others ask who it was
N_ASKED = 2
IS_NEW = 0.6  # of the people: names in pieces, that have to be kept and copied piece by piece

IN_STORY = 0.7  # of the drills; the others are rows
# What is asked for against the order, and what else is told of people and things.
RELATIONS = frozenset(("did", "at", "likes", "made", "owner"))
DRILLED = tuple(sentence for sentence in SENTENCES if sentence.tells & RELATIONS)


def draw(rng: Random) -> Example:
    """A drill as the target, after an empty source."""
    return story(rng) if rng.random() < IN_STORY else row(rng)


def story(rng: Random) -> Example:
    """A story of the grammar that asks against the order of telling: of few kinds of sentences, so that most do."""
    while True:
        told = tell(rng, sentences=DRILLED)
        said = dict.fromkeys(word.word for word in told)
        called = renamed([word for word in said if word in PERSONS], rng, taken=said)
        example = example_of([word._replace(word=called.get(word.word, word.word)) for word in told])
        if any(word.ability == BACK for word in told) and len(example.target) <= LONGEST:
            return example


def renamed(people: Sequence[str], rng: Random, taken: Iterable[str] = ()) -> dict[str, str]:
    """What these people are called: some by their name, some by one in pieces that nobody else has."""
    called: dict[str, str] = {}
    for name in people:
        is_new = rng.random() < IS_NEW
        called[name] = MadeUp(taken={*taken, *called.values()}).choose(rng) if is_new else name
    return called


def row(rng: Random) -> Example:
    """Two or three deeds in a row. All do the same, so that the verb does not tell who did what."""
    n, past = rng.choice(DEEDS), rng.choice(PASTS)
    people = list(renamed(rng.sample(PERSONS, n), rng).values())
    things = rng.sample(THINGS, n)
    colours: list[str] = []
    told: list[Told] = []
    for person, thing in zip(people, things, strict=True):
        left = set(COLOURS) - {*colours, *unpaired(thing, fresh=False)}
        colours.append(rng.choice(sorted(left)))
        told += map(Told, (person, past, "a", colours[-1], thing, "."))
    for asked in rng.sample(range(n), N_ASKED):
        is_of_colour, thing = rng.random() < OF_COLOUR, things[asked]
        frame = rng.choice(COLOUR_FRAMES if is_of_colour else WHO_FRAMES).format(thing=thing, past=past)
        answer, ability = (colours[asked], COLOUR) if is_of_colour else (people[asked], BACK)
        at = next(i for i, word in enumerate(told) if word.word == answer)
        told += [*map(Told, frame.split()), Told(answer, ability, at), Told(".")]
    return example_of(told)
