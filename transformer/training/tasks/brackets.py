"""Brackets: close the open ones, the last one first. The nearest bracket is often not the one that matters."""

from collections.abc import Sequence
from random import Random

from transformer.training.recipes import Recipe, small_model
from transformer.training.settings import Settings
from transformer.training.tasks.algorithms import MAX_LENGTH
from transformer.training.tasks.signs import SignTokeniser
from transformer.training.tasks.task import Declaration, Example, Task, probes, whole

PAIRS = ("()", "[]", "{}")


def brackets(shortest: int = 2, longest: int = 12, kinds: int = 3) -> Task:
    """The source opens and closes brackets of some kinds and leaves one or more open; the target closes those.

    Each closing bracket is aligned to the one that it closes.
    """
    whole("shortest", shortest, 1, MAX_LENGTH)
    whole("longest", longest, shortest, MAX_LENGTH)
    whole("kinds", kinds, 1, len(PAIRS))
    signs = SignTokeniser("".join(PAIRS[:kinds]))
    opening = [signs.vocabulary.id(pair[0]) for pair in PAIRS[:kinds]]
    closing = {signs.vocabulary.id(pair[0]): signs.vocabulary.id(pair[1]) for pair in PAIRS[:kinds]}

    def draw(rng: Random) -> Example:
        source: list[int] = []
        is_open: list[int] = []  # places in the source
        n = rng.randint(shortest, longest)
        for place in range(n):
            # The source may not end by closing its last open bracket: nothing would be left to do.
            may_close = len(is_open) > (place == n - 1)
            if may_close and rng.random() < 0.45:
                source.append(closing[source[is_open.pop()]])
            else:
                is_open.append(place)
                source.append(rng.choice(opening))
        return example(source, is_open)

    def example(source: Sequence[int], is_open: Sequence[int]) -> Example:
        last_first = is_open[::-1]
        return Example(tuple(source), tuple(closing[source[j]] for j in last_first), tuple(enumerate(last_first)))

    def answer(words: Sequence[str]) -> Example | None:
        source = [signs.vocabulary.id(word) for word in words]
        is_open: list[int] = []
        for place, id in enumerate(source):
            if id in closing:
                is_open.append(place)
            elif not is_open or closing[source[is_open.pop()]] != id:
                return None
        return example(source, is_open) if is_open else None

    return Task(
        name="brackets",
        title="Brackets",
        about="Close the brackets that are still open, the last one first.",
        kind="decoder",
        source=signs,
        target=signs,
        draw=draw,
        probes=probes(draw, longest),
        longest=longest,
        settings={"shortest": shortest, "longest": longest, "kinds": kinds},
        answer=answer,
    )


BRACKETS = Declaration(
    name="brackets",
    label="Brackets",
    sketch="([ → ])",
    to_ask="([{",
    make=brackets,
    recipe=Recipe(small_model(48, 4, 2, positions="rotary"), Settings(steps=600, lr=5e-3, n_examples=20_000), 12),
)
