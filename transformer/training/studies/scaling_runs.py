"""Trains the models of `scaling`, and measures them."""

import math
from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from time import process_time

import torch

from transformer.training import tasks
from transformer.training.batches import collate
from transformer.training.grammar_scores import grammar_entropy
from transformer.training.recipes import small_model
from transformer.training.settings import Settings
from transformer.training.studies import scaling
from transformer.training.studies.scaling import Run, Stored, Sweep
from transformer.training.tasks.tales import WORDS, log_probability
from transformer.training.tasks.task import Example
from transformer.training.trainer import Trainer, evaluate


def train(sweep: Sweep, width: int, tales: int, seed: int) -> Run:
    """Train one of the models, and measure it on the way."""
    began = process_time()
    config = small_model(width, max(1, width // 8), sweep.n_layers, positions="rotary")
    settings = Settings(
        steps=sweep.steps,
        batch_size=sweep.batch_size,
        n_examples=tales,
        n_tests=10,
        every=sweep.every,
        seed=seed,
        lr=sweep.lr * math.sqrt(64 / width),
    )
    trainer = Trainer(tasks.make("tales"), config, settings)
    tales_to_test = sweep_tests(sweep)
    tests = [collate("decoder", tales_to_test)]
    length = sum(len(tale.target) + 1 for tale in tales_to_test) / len(tales_to_test)  # as in all tales
    tokens, losses = [], []
    for snapshot in trainer.run():
        if snapshot.step and (snapshot.step % sweep.every == 0 or snapshot.step == sweep.steps):
            with torch.inference_mode():
                losses.append(round(evaluate(trainer.model, tests)["val_loss"], 4))
            tokens.append(round(snapshot.step * sweep.batch_size * length))
    n_parameters = sum(p.numel() for p in trainer.model.parameters())
    seconds = round(process_time() - began, 1)
    return Run(width, n_parameters, len(trainer.examples), seed, tuple(tokens), tuple(losses), seconds)


def sweep_tests(sweep: Sweep) -> list[Example]:
    """The tales on which all are measured."""
    return tasks.make("tales").examples(sweep.n_tests, Random(12345), held_out=True)


def run(sweep: Sweep, report: Callable[[str], None] = print) -> Stored:
    """The whole sweep; `report` takes a line per training."""
    runs = []
    for tales in sweep.tales:
        for width in sweep.widths:
            for seed in sweep.seeds:
                runs.append(train(sweep, width, tales, seed))
                report(
                    f"  {tales} tales, {runs[-1].parameters:,} parameters, seed {seed}: {runs[-1].losses[-1]}"
                    f" after {runs[-1].seconds} s"
                )
    floor = grammar_entropy(sweep_tests(sweep), lambda ids: log_probability([WORDS.vocabulary[id] for id in ids]))
    made = f"{datetime.now(UTC):%d %B %Y}, torch {torch.__version__.partition('+')[0]}".lstrip("0")
    return Stored(sweep, round(floor, 4), tuple(runs), made)


def store(report: Callable[[str], None] = print) -> None:
    """Train all of them again, and write the file that comes with the project."""
    scaling.FILE.write_text(scaling.written(run(Sweep(), report)), encoding="utf-8")
