"""A training in stretches: about half a second of it at a time, in whichever process is free.

    stretch = run_stretch("my run", 0, plan)
    while not stretch.is_done:
        stretch = run_stretch("my run", stretch.step, stretch.state)

Each hands its state to the next, a checkpoint, so any process can go on with it. One that carried out the stretch
before still has the trainer, and goes on at once; any other makes it anew. Every step draws from a generator seeded by
(seed, step), so the film is the same wherever it was made.
"""

import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from time import perf_counter

import torch

from transformer.core.checks import InputError
from transformer.training.checkpoints import checkpoint_of, load, save
from transformer.training.film import Legend, legend_of, shrunk
from transformer.training.plan import Plan, make_trainer
from transformer.training.settings import Turn
from transformer.training.stages import Stage, stage_of
from transformer.training.trainer import Snapshot, Trainer

Start = Plan | bytes  # what a training begins with, or a checkpoint that it goes on from
MAX_REMEMBERED = 2  # trainers that a process remembers: those of the runs that take turns in it
NO_MEMORY = "The training needs more memory than there is. Take a smaller batch or model."

_remembered: OrderedDict[str, Trainer] = OrderedDict()  # by the name of the run
_lock = Lock()


@dataclass(frozen=True, eq=False, kw_only=True)
class Stretch:
    """What came of a stretch.

    step       how far the training is
    snapshots  taken on the way, their attention as a film keeps it
    legend     what the film needs besides; with the first stretch that a process runs
    state      a checkpoint at this step without a film; None where its numbers are no longer finite
    stages     of the model at the steps of the snapshots after the first; () for a large one
    is_done    whether all steps are taken
    error      a sentence, if the training cannot go on
    fault      where this program failed, for its log
    """

    step: int
    snapshots: tuple[Snapshot, ...] = ()
    legend: Legend | None = None
    state: bytes | None = None
    stages: tuple[Stage, ...] = ()
    is_done: bool = False
    error: str = ""
    fault: str = field(default="", repr=False)


def run_stretch(
    run: str,
    step: int,
    start: Start,
    *,
    seconds: float = 0.5,
    turns: tuple[Turn, ...] = (),
    clock: Callable[[], float] = perf_counter,
) -> Stretch:
    """Train for about this many seconds, one step at least. Raises nothing.

    run    a name that no other run has
    step   how far it is; a process that remembers the run at this step goes on with it
    start  how another process begins
    turns  of its knobs, from its first step on; (): those that it knows
    """
    snapshots: list[Snapshot] = []
    stages: list[Stage] = []
    trainer, legend, error, fault = None, None, "", ""
    try:
        trainer = _recalled(run, step)
        if trainer is None:
            trainer = make_trainer(start) if isinstance(start, Plan) else load(start).trainer()
            legend = legend_of(trainer.task, list(trainer.parts))
        trainer.turns = turns or trainer.turns
        end, first = clock() + seconds, trainer.step
        for snapshot in trainer.run(lambda: trainer.step == first or clock() < end):
            snapshots.append(shrunk(snapshot))
            stage = stage_of(trainer.model, snapshot.step, snapshot.val_loss) if snapshot.step else None
            stages.extend([stage] if stage else [])
    except InputError as refusal:
        error = str(refusal)
    except MemoryError:
        error = NO_MEMORY
    except BaseException as broken:  # whatever it is, whoever waits for this stretch has to hear of it
        error, fault = (NO_MEMORY, "") if _is_lack_of_memory(broken) else ("", traceback.format_exc())
    if trainer is None:
        return Stretch(step=step, error=error, fault=fault)
    is_done = trainer.step >= trainer.settings.steps
    if not (is_done or error or fault):
        _remember(run, trainer)
    return Stretch(
        step=trainer.step,
        snapshots=tuple(snapshots),
        legend=legend,
        state=_state(trainer),
        stages=tuple(stages),
        is_done=is_done,
        error=error,
        fault=fault,
    )


def _is_lack_of_memory(error: BaseException) -> bool:
    """Whether torch says so; its error has no class of its own."""
    return isinstance(error, RuntimeError) and "allocate memory" in str(error)


def _state(trainer: Trainer) -> bytes | None:
    """The trainer as a checkpoint; None where numbers in it are no longer finite, and whoever asked keeps the last."""
    checkpoint = checkpoint_of(trainer)
    tensors = [*checkpoint.weights.values(), *checkpoint.moments.values()]
    return save(checkpoint) if all(torch.isfinite(tensor).all() for tensor in tensors) else None


def _recalled(run: str, step: int) -> Trainer | None:
    """The trainer of this run, if it is remembered at this step; nobody else finds it until it is remembered again."""
    with _lock:
        trainer = _remembered.pop(run, None)
    return trainer if trainer is not None and trainer.step == step else None


def _remember(run: str, trainer: Trainer) -> None:
    with _lock:
        _remembered[run] = trainer
        while len(_remembered) > MAX_REMEMBERED:
            _remembered.popitem(last=False)
