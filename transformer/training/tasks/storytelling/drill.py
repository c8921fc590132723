"""A drill: two or three deeds in a row, and questions against the order of telling: "who found the hat? it was mia".

Whoever answers has to keep, at the hat, who found it, and to look there later. Neither half helps without the other, so
a model that reads stories of all kinds stays at a guess between the people. Where nothing but these answers counts in
the loss, both halves are found within a thousand steps.
"""

from random import Random

from transformer.training.tasks.storytelling.examples import example_of
from transformer.training.tasks.storytelling.grammar import Told
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
IS_NEW = 0.35  # of the people: names in pieces, that have to be kept and copied piece by piece


def draw(rng: Random) -> Example:
    """A drill as the target, after an empty source. All do the same, so that the verb does not tell who did what."""
    n, past = rng.choice(DEEDS), rng.choice(PASTS)
    people: list[str] = []
    for name in rng.sample(PERSONS, n):
        people.append(MadeUp(taken=people).choose(rng) if rng.random() < IS_NEW else name)
    things = rng.sample(THINGS, n)
    colours: list[str] = []
    story: list[Told] = []
    for person, thing in zip(people, things, strict=True):
        left = set(COLOURS) - {*colours, *unpaired(thing, fresh=False)}
        colours.append(rng.choice(sorted(left)))
        story += map(Told, (person, past, "a", colours[-1], thing, "."))
    for asked in rng.sample(range(n), N_ASKED):
        is_of_colour, thing = rng.random() < OF_COLOUR, things[asked]
        frame = rng.choice(COLOUR_FRAMES if is_of_colour else WHO_FRAMES).format(thing=thing, past=past)
        answer, ability = (colours[asked], COLOUR) if is_of_colour else (people[asked], BACK)
        at = next(i for i, told in enumerate(story) if told.word == answer)
        story += [*map(Told, frame.split()), Told(answer, ability, at), Told(".")]
    return example_of(story)
