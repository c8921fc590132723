"""Addition: two numbers and their sum, digit by digit."""

from collections.abc import Sequence
from random import Random

from transformer.core.checks import InputError
from transformer.training.recipes import Recipe, small_model
from transformer.training.settings import Settings
from transformer.training.tasks.signs import SignTokeniser
from transformer.training.tasks.task import Declaration, Example, Task, probes, whole

MAX_DIGITS = 12


def addition(digits: int = 2, ones_first: bool = True) -> Task:
    """`07+85=` -> `290`: every number is padded with zeros, so that each of its digits is always at the same position;
    the sum has one digit more.

    ones_first   write the sum from the ones on, as in adding by hand, so that every carry is known when it is needed.
                 The other way round, `092`, the first digit depends on all the others, which is far harder.

    A digit of the sum is aligned to the two digits of its place, and the foremost, which is only a carry, to those of
    the place that it is carried from. A carry from further away is not in the alignment.
    """
    whole("digits", digits, 1, MAX_DIGITS)
    if not isinstance(ones_first, bool):
        raise InputError("ones_first is switched on with True or off with False")
    signs = SignTokeniser("0123456789+=")
    order = [*range(digits + 1)] if ones_first else [*range(digits, -1, -1)]  # place in the number, 0 for the ones
    alignment = tuple(
        (i, start + digits - 1 - min(place, digits - 1)) for i, place in enumerate(order) for start in (0, digits + 1)
    )

    def draw(rng: Random) -> Example:
        return example(rng.randrange(10**digits), rng.randrange(10**digits))

    def example(a: int, b: int) -> Example:
        total = f"{a + b:0{digits + 1}d}"
        question = f"{a:0{digits}d}+{b:0{digits}d}="
        written = total[::-1] if ones_first else total
        return Example(tuple(signs.encode(question)), tuple(signs.encode(written)), alignment)

    def answer(words: Sequence[str]) -> Example | None:
        a, plus, b = "".join(words).removesuffix("=").partition("+")
        fits = plus and all(part.isdecimal() and len(part) <= digits for part in (a, b))
        return example(int(a), int(b)) if fits else None

    def remark(example: Example) -> str:
        total = signs.decode(example.target)
        return f"{signs.decode(example.source)}{int(total[::-1])}, written ones first" if ones_first else ""

    return Task(
        name="addition",
        title="Addition",
        about="Add two numbers; the sum is written from the ones on."
        if ones_first
        else "Add two numbers; the sum is written from its first digit on.",
        kind="decoder",
        source=signs,
        target=signs,
        draw=draw,
        probes=probes(draw, 2 * digits + 2),
        longest=2 * digits + 2,
        settings={"digits": digits, "ones_first": ones_first},
        answer=answer,
        remark=remark,
    )


ADDITION = Declaration(
    name="addition",
    label="Addition",
    sketch="27+64 → 91",
    to_ask="58+67",
    make=addition,
    recipe=Recipe(small_model(48, 4, 2, positions="rotary"), Settings(steps=1200, lr=5e-3, n_examples=40_000), 18),
)
