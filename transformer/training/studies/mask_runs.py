"""Trains the two models of `mask`, and lets them write."""

import json
from collections.abc import Callable
from time import process_time

from transformer.inspection import look_ahead
from transformer.training.plan import make_trainer
from transformer.training.studies import mask
from transformer.training.studies.mask import Run


def run(*, may_look_ahead: bool) -> Run:
    """One of the trainings, as the page on generation plans it."""
    began = process_time()
    trainer = make_trainer(look_ahead.plan(look_ahead=may_look_ahead))
    curve = tuple((snapshot.step, round(snapshot.accuracy, 4)) for snapshot in trainer.run())
    seconds = round(process_time() - began, 1)
    outcome = look_ahead.outcome(trainer.model, trainer.task, look_ahead=may_look_ahead)
    return Run(curve, *outcome, seconds=seconds)


def store(report: Callable[[str], None] = print) -> None:
    """Train both and write the file; `report` takes a line per training."""
    runs = {}
    for ahead, name in mask.NAMES.items():
        runs[name] = run(may_look_ahead=ahead)
        report(f"  {name}: {runs[name].curve[-1][1]:.1%} of tokens, {runs[name].right:.0%} of tales")
    data = {name: one._asdict() for name, one in runs.items()}
    mask.FILE.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
