"""Repeat: a block of letters again and again, which a decoder can only continue by looking one block back."""

from collections.abc import Sequence
from random import Random

from transformer.training.recipes import Recipe, small_model
from transformer.training.settings import Settings
from transformer.training.tasks.algorithms import LETTERS
from transformer.training.tasks.task import Declaration, Example, SpacedTokeniser, Task, probes, whole

MAX_LENGTH = 256


def repeat(shortest: int = 2, longest: int = 8, length: int = 24, symbols: int = 20) -> Task:
    """The source is a block; the target continues it up to `length` tokens in all.

    shortest, longest   of the block. Its length is drawn anew for each example: with one period for all, position
                        alone would give the answer away.
    symbols             letters to draw from. Those of a block differ, so that the next letter is always known: the one
                        that followed the last time, or the first of the block after a letter that is new.
    """
    whole("symbols", symbols, 2, len(LETTERS))
    whole("shortest", shortest, 1, symbols)
    whole("longest", longest, shortest, symbols)
    whole("length", length, longest + 1, MAX_LENGTH)
    letters = SpacedTokeniser(LETTERS[:symbols])
    ids = [letters.vocabulary.id(letter) for letter in LETTERS[:symbols]]

    def draw(rng: Random) -> Example:
        return example(tuple(rng.sample(ids, rng.randint(shortest, longest))))

    def answer(words: Sequence[str]) -> Example | None:
        is_block = shortest <= len(words) <= longest and len(set(words)) == len(words)
        fits = is_block and all(word in letters.vocabulary for word in words)
        return example(tuple(letters.vocabulary.id(word) for word in words)) if fits else None

    # What comes next came next in every block before: one period before i is place i of the whole, two are i - period.
    alignments = {
        period: tuple((i, j) for i in range(length - period) for j in range(i % period, i + 1, period))
        for period in range(shortest, longest + 1)
    }

    def example(block: tuple[int, ...]) -> Example:
        n = length - len(block)
        again = (block * (n // len(block) + 1))[:n]
        return Example(block, again, alignments[len(block)])

    return Task(
        name="repeat",
        title="Repeat",
        about="Go on with a block of letters, whose length differs from one text to the next.",
        kind="decoder",
        source=letters,
        target=letters,
        draw=draw,
        probes=probes(draw, (shortest + longest) // 2),
        longest=max(longest, length - shortest),
        settings={"shortest": shortest, "longest": longest, "length": length, "symbols": symbols},
        answer=answer,
    )


REPEAT = Declaration(
    name="repeat",
    label="Repeat",
    sketch="xyzxy → z",
    to_ask="abc",
    make=repeat,
    recipe=Recipe(small_model(48, 4, 2), Settings(steps=800, lr=4e-3, n_examples=20_000), 22),
)
