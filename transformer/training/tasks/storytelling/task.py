"""Stories: four to eleven sentences in which what is asked was told before, that a decoder learns to write."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

from transformer.training.recipes import Recipe, small_model
from transformer.training.settings import Settings
from transformer.training.tasks.storytelling import drill, words
from transformer.training.tasks.storytelling.examples import IN_GRAMMAR, LONGEST, example_of, is_story, right_beginning
from transformer.training.tasks.storytelling.grammar import Told, tell
from transformer.training.tasks.storytelling.tokens import cut, tokeniser
from transformer.training.tasks.tales import told_before
from transformer.training.tasks.task import Declaration, Example, Task

if TYPE_CHECKING:
    from torch import Tensor

    from transformer.core.model import Model

EXAMPLES = (
    "mia found a red hat. tom found a blue ball. mia took the red",
    "the lamp belonged to anna. the boat belonged to ben. whose is the lamp? it belongs to",
    "i am hungry, said leo. i am tired, said rosa. who is hungry?",
    "the key was not in the garden but in the kitchen. where was the key? it was in the",
)
KINDS: dict[str, tuple[str, ...]] = {
    "boys": words.BOYS,
    "girls": words.GIRLS,
    "things": words.THINGS,
    "colours": words.COLOURS,
    "places": words.PLACES,
    "moods": words.MOODS,
    "numbers": words.NUMBERS,
    "animals": words.ANIMALS,
    "food": words.FOODS,
    "jobs": words.JOBS,
    "verbs": (*words.PASTS, *words.TAKES),
}  # words that can replace one another


def stories() -> Task:
    return Task(
        name="stories",
        title="Stories",
        about="Write a story that keeps to what was told: who, what, whose, where, how many.",
        kind="decoder",
        source=tokeniser(),
        target=tokeniser(),
        draw=draw,
        drill=drill.draw,
        expected=expected,
        probes=watched(),
        longest=LONGEST,
        example_texts=EXAMPLES,
        opening="mia found a red hat.",
        misfit="he",
        kinds={kind: tuple(dict.fromkeys(members)) for kind, members in KINDS.items()},
        relations=relations,
        is_right=is_story,
        right_beginning=right_beginning,
        scores=scores,
        score_notes={IN_GRAMMAR: "{:.0%} of the stories it writes are right"},
    )


def _watched(text: str, looks: dict[int, int]) -> Example:
    """A story to watch a training by; looks: word -> the word that it is found at, counted from 0."""
    return example_of([Told(word, at=looks.get(n, -1)) for n, word in enumerate(cut(text))])


def watched() -> tuple[Example, ...]:
    """The stories by which a training is watched; in words, so that they stay as they are when the grammar changes."""
    return (
        _watched(
            "the glove was in the hands of fiona. one day fiona closed a black mattress. the coat was in the hands of"
            " clark. now the glove is with fiona. maria was sorry. hugo wrapped a red coat. who has the coat now? clark"
            " has it. maria told hugo a story. a simple spider drank loudly. then clark noticed the black mattress."
            " there was a green glove.",
            {31: 11, 49: 24, 70: 15},
        ),
        _watched(
            "yara was a woman. there was a rare girl. her name was wanda. she was very cold. do you like cabbage? no,"
            " thank you. james and yara were friends. hello floyd, how are you? i am anxious, thank you. yara met"
            " james. floyd was brave. then he slept. they were all very confused.",
            {16: 14, 60: 55},
        ),
    )


OF_COLOUR = "from a colour to its noun"


def relations(labels: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
    """Which token the next one may come from: pairs (i, j), where token i + 1 is made from token j, as in tales; and
    from a colour that is named again, the thing behind it when it was named first."""
    pronouns = ((words.BOYS, ("he", "his")), (words.GIRLS, ("she", "her", "hers")))
    first = {(a, b): n for n, (a, b) in reversed([*enumerate(pairwise(labels))])}
    told = {a: n for (a, b), n in first.items() if a in words.COLOURS and b in words.THINGS}
    of_colour = [(i, told[label] + 1) for i, label in enumerate(labels) if label in told and i > told[label] + 1]
    return {OF_COLOUR: of_colour} | told_before(
        labels, pronouns, (words.PERSONS, words.THINGS, words.COLOURS, words.PLACES)
    )


def expected(examples: Sequence[Example]) -> "Tensor":
    """What the grammar expects at each token of these stories: (B, T, V)."""
    from transformer.training.tasks.storytelling.expected import expected

    return expected(examples)


def draw(rng: Random) -> Example:
    """A whole story as the target, after an empty source; what is looked up is aligned to where it was told."""
    while len((example := example_of(tell(rng))).target) > LONGEST:
        pass
    return example


def scores(model: "Model", tests: Sequence[Example]) -> dict[str, float | str]:
    """Card entries: how the model does on held-out stories, and on those that it writes by itself with seed 0."""
    from transformer.core.model import DecoderModel
    from transformer.training.tasks.storytelling import abilities

    assert isinstance(model, DecoderModel)  # whatever learns stories is one
    return abilities.card(model, tests)


STORIES = Declaration(
    name="stories",
    label="Stories",
    sketch="red … hat",
    to_ask="mia found a",
    make=stories,
    takes_long=True,
    recipe=Recipe(
        replace(small_model(128, 4, 3, positions="rotary"), scale_embeddings=True),
        Settings(steps=17_000, batch_size=32, lr=2e-3, n_examples=160_000, optimiser="Muon", stress=3.0, every=250),
        2700,
    ),
)
