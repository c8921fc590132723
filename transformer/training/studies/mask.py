"""What a model learns that may look ahead: one training with the causal mask and one without, and what each writes."""

import json
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("mask.json")
COMMAND = "python -m transformer.training.studies mask"
NAMES = {False: "with the mask", True: "without the mask"}  # by whether the model may look ahead while it learns


class Sample(NamedTuple):
    """A tale that a model has not seen, and what it makes of it at the tale's first colour.

    words    the whole tale, as it is shown in training
    n_read   words before the colour
    says     what it predicts there in training, by the colour that is put in that place
    written  how it goes on by itself after the first n_read words
    """

    words: tuple[str, ...]
    n_read: int
    says: dict[str, str]
    written: tuple[str, ...]


class Run(NamedTuple):
    """One training, and what the model writes afterwards when it reads its own tokens.

    curve    (step, share of tokens that are right while the true ones are shown)
    right    the share of n held-out tales that it finishes as the grammar might
    copied   how often it predicts whichever colour is put in the next word's place
    samples  a few of those tales
    """

    curve: tuple[tuple[int, float], ...]
    right: float
    copied: float
    n: int
    samples: tuple[Sample, ...]
    seconds: float


def stored() -> dict[str, Run]:
    """The two trainings as the file has them, by name."""
    return {name: _run(**run) for name, run in json.loads(FILE.read_text()).items()}


def _run(*, curve: list, right: float, copied: float, n: int, samples: list, seconds: float) -> Run:
    tales = tuple(Sample(tuple(words), n_read, says, tuple(written)) for words, n_read, says, written in samples)
    return Run(tuple((step, share) for step, share in curve), right, copied, n, tales, seconds)
