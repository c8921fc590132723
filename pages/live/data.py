"""The caches of this page: a training's model, how far its vectors moved, and how it does on longer texts."""

import math
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import numpy as np

from lab.server.caching import cached
from transformer import core, training
from transformer.core.checks import InputError
from transformer.training import tasks
from transformer.training.tasks.asking import with_probe


def sentence(error: Exception) -> str:
    """What is wrong, as a sentence of its own."""
    text = str(error).rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


@cached()
def can_augment(task: str) -> bool:
    """Whether an example of this task can be changed in a way that keeps its answer right."""
    return not tasks.TASKS[task].needs_text and tasks.make(task).augment is not None


@cached()
def unreadable(task: str, made: tuple[tuple[str, Any], ...], text: str) -> str:
    """Why a task with these settings cannot be asked this; "" if it can."""
    try:
        with_probe(tasks.make(task, **dict(made)), text)
    except InputError as error:
        return str(error)
    return ""


@cached()
def before_training(key: str, _plan: "training.plan.Plan") -> "training.film.Film":
    """The film of a training that has not begun: one frame, of the model with the weights that its seed gives.

    key  tells plans apart
    """
    few = replace(_plan.settings, n_examples=min(64, _plan.settings.n_examples), n_tests=32)
    trainer = training.plan.make_trainer(_plan._replace(settings=few))
    return training.film.film_of(trainer.task, list(trainer.parts), [trainer.snapshot(math.nan, math.nan, None)])


@cached()
def asked(key: str, _checkpoint: "training.checkpoints.Checkpoint", probe: str) -> "training.film.Film":
    """The last frame of a film, with an input of the visitor's own as one more example, in place of one that was
    watched before: the trained model answers it. `key` tells models apart.

    Raises InputError, with a sentence, where it cannot read it.
    """
    task, film = _checkpoint.task, _checkpoint.film
    assert film is not None  # every shipped model has one, and every training
    if task.own_probe:
        task = replace(task, probes=task.probes[:-1], own_probe="")
    few = replace(_checkpoint.settings, n_examples=64, n_tests=32)
    trainer = training.trainer.Trainer(with_probe(task, probe), _checkpoint.config, few)
    trainer.model.load_state_dict(_checkpoint.weights)
    now = training.film.film_of(trainer.task, list(trainer.parts), [trainer.snapshot(math.nan, math.nan, None)])
    last = film.after(len(film) - 1)
    return replace(now, steps=last.steps, curves=last.curves, grad_norms=last.grad_norms)


# ---- longer texts --------------------------------------------------------------------------------------------------


class Score(NamedTuple):
    """How a model does on texts of one length: the shares of tokens and of whole answers that are right.

    n      examples, none of them trained on; 0 where nothing could be measured
    error  the reason for that, in a sentence
    """

    length: int
    tokens: float
    exact: float
    n: int
    error: str = ""


def max_length(task: "training.tasks.task.Task") -> int:
    """The longest text that a model is tested on: twice what it was trained on, as far as its task goes."""
    limit = tasks.TASKS[task.name].max_length
    assert limit is not None  # the task has texts of any length
    return min(2 * task.settings["longest"], limit)


@cached()
def score_by_length(
    key: str, _checkpoint: "training.checkpoints.Checkpoint", longest: int, n: int = 40
) -> tuple[Score, ...]:
    """The model on n texts of each length from 1 to `longest`, written by itself; `key` tells models apart."""
    model = _checkpoint.model()
    return tuple(_score(model, _checkpoint.task, length, n) for length in range(1, longest + 1))


def _score(model: "core.model.Model", task: "training.tasks.task.Task", length: int, n: int) -> Score:
    harder = tasks.make(task.name, **{**task.settings, "shortest": length, "longest": length})
    examples = harder.examples(n, Random(length), held_out=True)
    if not examples:
        return Score(length, 0.0, 0.0, 0, "no example of this length was held out")
    try:
        outputs = training.scores.answers(model, task, examples)
    except InputError as error:
        return Score(length, 0.0, 0.0, 0, str(error))
    exact = sum(a == e.target for a, e in zip(outputs, examples, strict=True)) / len(examples)
    right = sum(x == y for a, e in zip(outputs, examples, strict=True) for x, y in zip(a, e.target, strict=False))
    return Score(length, right / sum(len(e.target) for e in examples), exact, len(examples))


# ---- vectors -------------------------------------------------------------------------------------------------------


@cached()
def moved(key: str, _checkpoint: "training.checkpoints.Checkpoint") -> dict[str, float]:
    """How far the rows of a model's tables moved from the first step to the last, as a share of the length that they
    had at first: "tokens" and, if they are learned, "positions"; `key` tells models apart."""
    (_, first), (_, last) = first_and_last_tables(key, _checkpoint)
    lengths = {name: np.linalg.norm(table.astype("f8"), axis=1) for name, table in first.items()}
    paths = {name: np.linalg.norm(last[name].astype("f8") - first[name], axis=1) for name in first}
    return {name: float(paths[name].mean() / lengths[name].mean()) for name in first}


@cached()
def first_and_last_tables(
    key: str, _checkpoint: "training.checkpoints.Checkpoint"
) -> list[tuple[int, dict[str, np.ndarray]]]:
    """(step, tables) before the first step of a training and after its last; `key` tells models apart."""
    import torch

    generator = torch.Generator().manual_seed(_checkpoint.settings.seed)
    untrained = training.batches.build(_checkpoint.task.kind, _checkpoint.config, generator)
    return [(0, training.trainer.tables(untrained)), (_checkpoint.step, training.trainer.tables(_checkpoint.model()))]
