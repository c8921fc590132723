"""What a model learns that may look ahead: one training with the causal mask and one without, and what each writes."""

import json
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("mask.json")
COMMAND = "python -m transformer.training.studies mask"
NAMES = {False: "with the mask", True: "without the mask"}  # by whether the model may look ahead while it learns


class Run(NamedTuple):
    """One training, and what the model writes afterwards when it reads its own tokens.

    curve          (step, share of tokens that are right while the true ones are shown)
    exactly_right  the share of n held-out answers that are right from end to end
    samples        (source, right answer, its own answer), as texts
    """

    curve: tuple[tuple[int, float], ...]
    exactly_right: float
    n: int
    samples: tuple[tuple[str, str, str], ...]
    seconds: float


def stored() -> dict[str, Run]:
    """The two trainings as the file has them, by name."""
    runs = json.loads(FILE.read_text())
    return {
        name: Run(
            tuple((step, share) for step, share in run["curve"]),
            run["exactly_right"],
            run["n"],
            tuple((source, right, own) for source, right, own in run["samples"]),
            run["seconds"],
        )
        for name, run in runs.items()
    }
