"""A training in stretches: about half a second of it at a time, in whichever process is free.

    stretch = run_stretch("my run", 0, plan)
    while not stretch.is_done:
        stretch = run_stretch("my run", stretch.step, stretch.state)

A process remembers the last trainers that it worked on, so that the next stretch costs it nothing to take up. Any other
process makes the trainer anew from its last state, a checkpoint, and takes the same steps again: every step draws from
a generator seeded by (seed, step), so the film is the same wherever it was made.
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

    step         how far the training is
    snapshots    taken on the way, their attention as a film keeps it
    legend       what the film needs besides; with the first stretch that a process runs
    state        a checkpoint at this step without a film; None where it was not asked for, or holds no finite numbers
    stages       of the model at the steps of the snapshots after the first; () for a large one
    is_done      whether all steps are taken
    is_unknown   this process does not remember the run at this step, and was not told how to begin: nothing was done
    error        a sentence, if the training cannot go on
    fault        where this program failed, for its log
    """

    step: int
    snapshots: tuple[Snapshot, ...] = ()
    legend: Legend | None = None
    state: bytes | None = None
    stages: tuple[Stage, ...] = ()
    is_done: bool = False
    is_unknown: bool = False
    error: str = ""
    fault: str = field(default="", repr=False)


def run_stretch(
    run: str,
    step: int,
    start: Start | None = None,
    *,
    seconds: float = 0.5,
    keep: bool = True,
    forget: bool = False,
    turns: tuple[Turn, ...] = (),
    clock: Callable[[], float] = perf_counter,
) -> Stretch:
    """Train for about this many seconds, one step at least; with 0 seconds no step is taken. Raises nothing.

    run     a name that no other run has
    step    how far it is; a process that remembers the run at this step goes on with it
    start   how another process begins; None if it had better say that it does not know the run
    keep    whether to hand back the state
    forget  whether this stretch is the last: the trainer and its examples are let go
    turns   of its knobs, from its first step on; (): those that it knows
    """
    snapshots: list[Snapshot] = []
    stages: list[Stage] = []
    trainer, legend, error, fault = None, None, "", ""
    try:
        trainer = _recalled(run, step)
        if trainer is None:
            if start is None:
                return Stretch(step=step, is_unknown=True)
            trainer = _trainer(start)
            legend = legend_of(trainer.task, list(trainer.parts))
        trainer.turns = turns or trainer.turns
        _run(trainer, snapshots, stages, seconds, clock)
    except InputError as refusal:
        error = str(refusal)
    except MemoryError:
        error = NO_MEMORY
    except BaseException as broken:  # whatever it is, whoever waits for this stretch has to hear of it
        error, fault = (NO_MEMORY, "") if _is_lack_of_memory(broken) else ("", traceback.format_exc())
    if trainer is None:
        return Stretch(step=step, error=error, fault=fault)
    is_done = trainer.step >= trainer.settings.steps
    is_over = is_done or bool(error or fault)
    if not is_over and not forget:
        _remember(run, trainer)
    state = _state(trainer) if keep or is_over else None
    return Stretch(
        step=trainer.step, snapshots=tuple(snapshots), legend=legend, state=state, stages=tuple(stages),
        is_done=is_done, error=error, fault=fault,
    )  # fmt: skip


def _is_lack_of_memory(error: BaseException) -> bool:
    """Whether torch says so; its error has no class of its own."""
    return isinstance(error, RuntimeError) and "allocate memory" in str(error)


def _trainer(start: Start) -> Trainer:
    return make_trainer(start) if isinstance(start, Plan) else load(start).trainer()


def _run(
    trainer: Trainer, snapshots: list[Snapshot], stages: list[Stage], seconds: float, clock: Callable[[], float]
) -> None:
    """Train for this long; whatever ends it, the snapshots and the stages so far are in the lists."""
    if seconds <= 0:
        return
    end, first = clock() + seconds, trainer.step
    for snapshot in trainer.run(lambda: trainer.step == first or clock() < end):
        snapshots.append(shrunk(snapshot))
        stage = stage_of(trainer.model, snapshot.step, snapshot.val_loss) if snapshot.step else None
        stages.extend([stage] if stage else [])


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
