"""Pictures: four questions about a small picture, answered by an encoder that reads its patches as words.

What is on the pictures, and how they are drawn, is in shapes.py. An example's source is the pixels, its target the four
answers, and its alignment says which patches hold a thing: the model is shown none of that but the answers.
"""

from collections.abc import Iterable, Iterator
from itertools import count
from random import Random

import numpy as np

from transformer.core.checks import InputError
from transformer.training.recipes import Recipe, small_model
from transformer.training.settings import Settings
from transformer.training.tasks import shapes
from transformer.training.tasks.drawings import drawing
from transformer.training.tasks.shapes import QUESTIONS, SIDE
from transformer.training.tasks.task import READS, Declaration, Example, Sight, SpacedTokeniser, Task, is_held_out
from transformer.training.text import BOS, EOS, PAD

PATCH_SIZES = (3, 4, 6, 8, 12)  # pixels; of 24
MAX_SEED = 100  # of the arrangement of a picture that is asked for by its answers
EXAMPLES = ("circle, red, three, upper left", "cross, blue, two, lower right", "triangle, green, one, upper right")
_PROBES = ("circle, red, three, upper left, 63", "cross, blue, two, lower right, 39")
_AT_ONCE = 500  # pictures that are drawn at a time: many at once are quicker than one by one


class Answers(SpacedTokeniser):
    """Cuts at commas: `circle, red` is `circle`, `red`."""

    def cut(self, text: str) -> list[str]:
        return [part.strip() for part in text.split(",")]

    def label(self, id: int) -> str:
        return self.vocabulary[id]

    def decode(self, ids: Iterable[int]) -> str:
        return ", ".join(self.vocabulary[id] for id in ids if id not in (PAD, BOS, EOS))


ANSWERS = Answers(answer for answers in QUESTIONS.values() for answer in answers)
OPTIONS = tuple(tuple(ANSWERS.vocabulary.id(answer) for answer in answers) for answers in QUESTIONS.values())


def pictures(patch_size: int = 4, reads: str = "class") -> Task:
    """The task for patches of this many pixels.

    reads  where the answers are read after the last layer: at the "class" token, or from the "mean" of all patches
    """
    if isinstance(patch_size, bool) or not isinstance(patch_size, int) or patch_size not in PATCH_SIZES:
        raise InputError(f"patch_size must be one of {', '.join(map(str, PATCH_SIZES))}")
    if not isinstance(reads, str) or reads not in READS:
        raise InputError(f"reads must be one of {', '.join(READS)}")

    def many(rng: Random, n: int) -> Iterator[Example]:
        """n examples; the generator is asked once."""
        made = shapes.draw(n, np.random.default_rng(rng.getrandbits(64)))
        return _examples(made, patch_size)

    def typed(text: str) -> Example:
        return asked(text, patch_size)

    return Task(
        name="pictures",
        title="Pictures",
        about="Say what a small picture shows: which shape, which colour, how many, and where.",
        kind="encoder",
        source=ANSWERS,
        target=ANSWERS,
        draw=lambda rng: next(many(rng, 1)),
        draw_many=lambda rng: (example for _ in count() for example in many(rng, _AT_ONCE)),
        probes=tuple(_held_out(text, patch_size) for text in _PROBES),
        longest=(SIDE // patch_size) ** 2,
        settings={"patch_size": patch_size, "reads": reads},
        example_texts=EXAMPLES,
        separator=", ",
        sight=Sight(SIDE, patch_size, reads, tuple(QUESTIONS), OPTIONS),
        typed=typed,
    )


def _examples(made: shapes.Pictures, patch_size: int) -> Iterator[Example]:
    """Each picture with its answers, and with the patches that hold a thing, which all four are made from."""
    held = shapes.has_colour(made.pixels, patch_size)
    for pixels, answers, has_thing in zip(made.pixels, made.answers.tolist(), held, strict=True):
        target = tuple(options[answer] for options, answer in zip(OPTIONS, answers, strict=True))
        yield Example(pixels.tobytes(), target, _alignment(has_thing))


def _alignment(has_thing: np.ndarray) -> tuple[tuple[int, int], ...]:
    patches = np.flatnonzero(has_thing).tolist()
    return tuple((question, patch) for question in range(len(QUESTIONS)) for patch in patches)


def _held_out(text: str, patch_size: int) -> Example:
    """The picture of these answers with the first arrangement from this one on that no training sees."""
    *answers, seed = text.split(", ")
    arrangements = (f"{', '.join(answers)}, {n}" for n in range(int(seed), MAX_SEED))
    return next(e for e in (asked(arrangement, patch_size) for arrangement in arrangements) if is_held_out(e))


def asked(text: str, patch_size: int) -> Example:
    """The example that a visitor's input stands for: the code of a drawing, to which nobody knows the right answers, or
    the answers that a picture is to have, in the order of QUESTIONS, and the number of an arrangement, 1 by default.

    Raises InputError for anything else.
    """
    pixels = drawing(text)
    if pixels is not None:
        held = shapes.has_colour(pixels[None], patch_size)[0]
        return Example(pixels.tobytes(), (), _alignment(held))
    *answers, seed = [part.strip() for part in text.split(",")]
    if not seed.isdecimal():
        answers, seed = [*answers, seed], "1"
    if len(answers) != len(QUESTIONS) or len(seed) > 3 or not 1 <= int(seed) <= MAX_SEED:
        raise InputError(f"this asks for no picture of the task; try {EXAMPLES[0]}")
    given = dict(zip(QUESTIONS, answers, strict=True))
    return next(_examples(shapes.draw(1, np.random.default_rng(int(seed)), given), patch_size))


PICTURES = Declaration(
    name="pictures",
    label="Pictures",
    make=pictures,
    recipe=Recipe(
        small_model(48, 4, 3, positions="learned", activation="gelu", tie_output=False),
        Settings(steps=1200, batch_size=32, lr=6e-3, n_examples=8000),
        60,
    ),
    sketch="●● → two",
    reads_pictures=True,
)
