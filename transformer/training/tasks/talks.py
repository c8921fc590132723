"""Talks: two people talk about something that was found or lost. A neighbour of what the writer of tales has learned.

mia : i found a red ball in the park . ben : where was the ball ? mia : in the park . ben : mia , i want the ball too .

Its words are those of the tales, by the same ids, and a few more. It is not offered on Live: it is there to be taught
to the trained writer (transformer/training/finetuning.py).
"""

from random import Random

from transformer.training.tasks import tales
from transformer.training.tasks.sentences import SentenceTokeniser
from transformer.training.tasks.tales import BOYS, COLOURS, GIRLS, PLACES, THINGS
from transformer.training.tasks.task import Example, Task

# What is said at first; then one or two of these, in this order; and at the end.
OPENINGS = (
    "{hero} : i found a {colour} {thing} in the {place} .",
    "{hero} : i lost a {colour} {thing} in the {place} .",
    "{hero} : i forgot a {colour} {thing} in the {place} .",
)
BETWEEN = (
    "{friend} : where was the {thing} ? {hero} : in the {place} .",
    "{friend} : what colour was the {thing} ? {hero} : the {thing} was {colour} .",
    "{friend} : did you like the {thing} ? {hero} : yes , i liked the {colour} {thing} .",
)
ENDS = (
    "{friend} : {hero} , i wanted the {thing} too .",
    "{friend} : i saw a {colour} {thing} in the {place} .",
    "{hero} : {friend} , you said that you wanted a {colour} {thing} .",
)
_PLAIN = [word for part in (OPENINGS, BETWEEN, ENDS) for turn in part for word in turn.split() if word[0] != "{"]
WORDS = SentenceTokeniser((*tales.WORDS.vocabulary.tokens, *_PLAIN))
NEW_WORDS = WORDS.vocabulary.tokens[len(tales.WORDS) :]


def talks() -> Task:
    return Task(
        name="talks",
        title="Talks",
        about="Write what two people say to each other, and keep to what was said.",
        kind="decoder",
        source=WORDS,
        target=WORDS,
        draw=draw,
        probes=(),  # no film is made of it
        longest=tales.longest_text(OPENINGS, BETWEEN, ENDS),
        kinds=tales.KINDS,
    )


def draw(rng: Random) -> Example:
    """A whole talk as the target, after an empty source. A fact that is told again is aligned to its first telling."""
    heroes = rng.sample((*BOYS, *GIRLS), 2)
    facts = {
        "{hero}": heroes[0],
        "{friend}": heroes[1],
        "{thing}": rng.choice(THINGS),
        "{colour}": rng.choice(COLOURS),
        "{place}": rng.choice(PLACES),
    }
    chosen = sorted(rng.sample(range(len(BETWEEN)), rng.randint(1, 2)))
    turns = [rng.choice(OPENINGS), *(BETWEEN[n] for n in chosen), rng.choice(ENDS)]
    slots = [word for turn in turns for word in turn.split()]
    target = tuple(WORDS.vocabulary.id(facts.get(slot, slot)) for slot in slots)
    again = [(i, slots.index(slot)) for i, slot in enumerate(slots) if slot in facts and slots.index(slot) < i]
    return Example((), target, tuple(again))
