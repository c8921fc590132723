"""What the causal mask is for while training: without it a model copies the answer that it is shown."""

from dataclasses import replace
from random import Random
from typing import NamedTuple

from transformer.config import DERIVED
from transformer.training import tasks
from transformer.training.scores import answers
from transformer.training.trainer import Trainer

STEPS = 200
TASK = "reverse"


def trainer(*, look_ahead: bool) -> Trainer:
    """The same small model, data and seed, with the causal mask or without it."""
    usual = tasks.recipe(TASK)
    settings = replace(
        usual.settings, steps=STEPS, warmup=DERIVED, every=10, n_examples=4000, n_tests=100, look_ahead=look_ahead
    )
    return Trainer(tasks.make(TASK), usual.config, settings)


class Outcome(NamedTuple):
    """by_itself: share of `n` held-out examples that are wholly right when the model reads its own tokens.

    samples  (what was read, the true answer, what it wrote), as texts
    """

    by_itself: float
    n: int
    samples: tuple[tuple[str, str, str], ...]


def outcome(trained: Trainer, n: int = 100, shown: int = 4) -> Outcome:
    """Let it write, from left to right as one has to."""
    task = trained.task
    examples = task.examples(n, Random(7), held_out=True)
    given = answers(trained.model.eval(), task, examples)
    right = sum(answer == example.target for answer, example in zip(given, examples, strict=True))
    samples = tuple(
        (task.source.decode(example.source), task.target.decode(example.target), task.target.decode(answer))
        for answer, example in zip(given[:shown], examples, strict=False)
    )
    return Outcome(right / len(examples), len(examples), samples)
