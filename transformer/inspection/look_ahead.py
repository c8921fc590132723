"""Why training needs the causal mask: without it a model copies the answer that it is shown."""

from dataclasses import replace
from random import Random
from typing import NamedTuple

from transformer.core.config import DERIVED
from transformer.core.model import Model
from transformer.training import tasks
from transformer.training.plan import Plan
from transformer.training.scores import answers
from transformer.training.tasks.task import Task

STEPS = 200
TASK = "reverse"


def plan(*, look_ahead: bool) -> Plan:
    """The same small model, data and seed, with the causal mask or without it."""
    usual = tasks.recipe(TASK)
    settings = replace(
        usual.settings, steps=STEPS, warmup=DERIVED, every=10, n_examples=4000, n_tests=100, look_ahead=look_ahead
    )
    return Plan(TASK, {}, usual.config, settings)


class Outcome(NamedTuple):
    """How a trained model does on n held-out examples when it reads its own tokens.

    exactly_right  the share of answers that are right from end to end
    samples        (source, right answer, its own answer), as texts
    """

    exactly_right: float
    n: int
    samples: tuple[tuple[str, str, str], ...]


def outcome(model: Model, task: Task, n: int = 100, n_samples: int = 4) -> Outcome:
    """Let a trained model write, from left to right, and count its right answers."""
    examples = task.examples(n, Random(7), held_out=True)
    written = answers(model, task, examples)
    right = sum(answer == example.target for answer, example in zip(written, examples, strict=True))
    samples = tuple(
        (task.source.decode(example.source), task.target.decode(example.target), task.target.decode(answer))
        for answer, example in zip(written[:n_samples], examples, strict=False)
    )
    return Outcome(right / len(examples), len(examples), samples)
