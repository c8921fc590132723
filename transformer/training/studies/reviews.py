"""How many labelled reviews does it take to tell praise from blame, with a pretrained model and without?

Two hundred and eighty short reviews (reviews.md) come in three parts: to learn from, to test on without a negation,
and to test on with one. Two readers turn a review into a vector: MiniLM, a BERT of six layers that others have trained,
as the mean of its tokens' vectors after so many layers; and word counts, which know nothing of a word that no review
had to learn from. A classifier is trained on either.

MiniLM's vectors come as a recording, with 8 bits per number, so nothing here needs the model.
"""

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

import numpy as np
from safetensors.numpy import load_file

from transformer.core.checks import InputError
from transformer.training import classifier
from transformer.training.classifier import DECAY, Classifier

Part = Literal["learn", "plain", "negated"]
PARTS: tuple[Part, ...] = ("learn", "plain", "negated")
TESTS: tuple[Part, ...] = PARTS[1:]
SIZES = (8, 16, 32, 64, 128)  # reviews to learn from
N_DRAWS = 20
DEPTHS = (0, 2, 4, 6)  # after how many of MiniLM's layers its vectors were recorded
MODEL = "all-MiniLM-L6-v2"
LICENCE = "Apache-2.0"
COMMAND = "python -m transformer.training.studies reviews"
TEXTS = Path(__file__).with_name("reviews.md")
VECTORS = TEXTS.with_suffix(".safetensors")
RUNS = TEXTS.with_suffix(".json")
# The first of those that are asked about, a word of praise with a “hardly” before it; and one of whose words hardly
# any stands in a review that is learned from.
FIRST = "The staff were hardly helpful."
UNSEEN = "A dazzling show with fantastic musicians."
_LINE = re.compile(r"- (learn|plain|negated) ([+-]) (.+)")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


class Review(NamedTuple):
    about: str
    part: Part
    is_positive: bool
    text: str


class Draw(NamedTuple):
    """So many reviews to learn from, half of them positive; a larger draw of the same seed holds the smaller ones."""

    n: int
    seed: int

    @property
    def places(self) -> list[int]:
        """Where they stand among all reviews, positive and negative ones in turn."""
        if self.n % 2 or not 2 <= self.n <= len(of_part("learn")):
            raise InputError(f"n={self.n} must be an even number of reviews, from 2 to {len(of_part('learn'))}")
        rng = Random(self.seed)
        sides = [[i for i in of_part("learn") if reviews()[i].is_positive == side] for side in (True, False)]
        for side in sides:
            rng.shuffle(side)
        return [i for pair in zip(*sides, strict=True) for i in pair][: self.n]


class Tuned(NamedTuple):
    """A training of all of MiniLM's weights, begun with the classifier on its last vectors.

    steps     at which it was tested, the first before it began
    accuracy  by part of TESTS and step: (2, len(steps))
    seconds   of processor time, for the steps
    """

    n: int
    seed: int
    steps: tuple[int, ...]
    accuracy: tuple[tuple[float, ...], ...]
    seconds: float


class Stored(NamedTuple):
    """The trainings of all weights that come with the project, at this learning rate and batch size.

    n_parameters  that were trained
    made          the date, and the version of torch
    """

    rate: float
    batch_size: int
    n_parameters: int
    runs: tuple[Tuned, ...]
    made: str


@cache
def reviews() -> tuple[Review, ...]:
    """All reviews, in the order in which they were written."""
    return parse(TEXTS.read_text(encoding="utf-8"))


def parse(text: str) -> tuple[Review, ...]:
    """The reviews of a Markdown file: below a heading of the second rank for each subject, an item for each review.

    What stands before the first subject is for readers. Raises InputError, with the line, on anything else.
    """
    found, about = [], ""
    for n, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            about = line.removeprefix("## ")
        elif about and line:
            if not (match := _LINE.fullmatch(line)):
                raise InputError(f"line {n} is no review, such as “- learn + A gripping story.”: {line}")
            part, side, said = match.groups()
            found.append(Review(about, part, side == "+", said))  # pyrefly: ignore[bad-argument-type]
    return tuple(found)


@cache
def of_part(part: Part) -> tuple[int, ...]:
    """Where the reviews of this part stand among all."""
    return tuple(i for i, review in enumerate(reviews()) if review.part == part)


@cache
def answers() -> np.ndarray:
    """Whether each review is positive, (280,)."""
    return np.array([review.is_positive for review in reviews()])


def words_of(text: str) -> list[str]:
    """The words of a text, in small letters: what word counts can see of it."""
    return [word.lower() for word in _WORD.findall(text)]


def asked() -> tuple[str, ...]:
    """What readers are asked about: the tests, those with a negation first; and before them all, FIRST and UNSEEN."""
    tests = [reviews()[i].text for part in reversed(TESTS) for i in of_part(part)]
    return (FIRST, UNSEEN, *(text for text in tests if text not in (FIRST, UNSEEN)))


@cache
def vocabulary() -> tuple[str, ...]:
    """Every word of every review, in alphabetical order."""
    return tuple(sorted({word for review in reviews() for word in words_of(review.text)}))


def counts(texts: Sequence[str]) -> np.ndarray:
    """How often each word of the vocabulary stands in each text, (n, V).

    A classifier gives a weight to those words only that it has met: one that stands in no review of its draw adds
    nothing to its gradient, so its weight stays exactly 0.
    """
    places = {word: i for i, word in enumerate(vocabulary())}
    table = np.zeros((len(texts), len(places)))
    for row, text in zip(table, texts, strict=True):
        for word in words_of(text):
            if word in places:
                row[places[word]] += 1
    return table


@cache
def recorded() -> dict[int, np.ndarray]:
    """MiniLM's vector of every review after so many of its layers, DEPTHS: (280, 384)."""
    return unpacked(load_file(VECTORS))


def packed(vectors: dict[int, np.ndarray]) -> dict[str, np.ndarray]:
    """Vectors as arrays for a file: whole numbers from -127 to 127, and what one of them is worth in each vector."""
    arrays = {}
    for depth, x in vectors.items():
        worth = np.abs(x).max(1, keepdims=True) / 127
        arrays |= {f"{depth}": np.rint(x / worth).astype("i1"), f"{depth}.worth": worth.astype("f4")}
    return arrays


def unpacked(arrays: dict[str, np.ndarray]) -> dict[int, np.ndarray]:
    """What `packed` packed, rounded by it to 1/254 of the largest number of a vector at most."""
    return {int(name): arrays[name] * arrays[f"{name}.worth"].astype(float) for name in arrays if name.isdecimal()}


@cache
def vectors(depth: int | None) -> np.ndarray:
    """All reviews as this reader sees them, (280, D): MiniLM after `depth` layers, or with None word counts."""
    return counts([review.text for review in reviews()]) if depth is None else recorded()[depth]


def learned(draw: Draw, depth: int | None, decay: float = DECAY) -> Classifier:
    """The best classifier of this draw, on `vectors`."""
    places = draw.places
    return classifier.optimum(vectors(depth)[places], answers()[places], decay)


def accuracy(draw: Draw, depth: int | None, decay: float = DECAY) -> tuple[float, ...]:
    """The share that the best classifier of this draw has right, of each part of TESTS."""
    fit = learned(draw, depth, decay)
    tests = [list(of_part(part)) for part in TESTS]
    return tuple(fit.accuracy(vectors(depth)[places], answers()[places]) for places in tests)


def written(stored: Stored) -> str:
    """Trainings as JSON, a line per training."""
    runs = ",\n".join(f"    {json.dumps(run._asdict())}" for run in stored.runs)
    head = {"command": COMMAND, **{name: value for name, value in stored._asdict().items() if name != "runs"}}
    return f'{json.dumps(head, indent=2)[:-2]},\n  "runs": [\n{runs}\n  ]\n}}\n'


def read(text: str) -> Stored:
    """What `written` wrote."""
    data = json.loads(text)
    runs = tuple(
        Tuned(run["n"], run["seed"], tuple(run["steps"]), tuple(map(tuple, run["accuracy"])), run["seconds"])
        for run in data["runs"]
    )
    return Stored(data["rate"], data["batch_size"], data["n_parameters"], runs, data["made"])


@cache
def stored() -> Stored:
    """The trainings of all weights that come with the project."""
    return read(RUNS.read_text(encoding="utf-8"))
