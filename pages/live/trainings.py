"""What was trained: the models that are shipped, and the trainings of the visitors. Caches, as in session.py.

The queue is one for the whole process; a session has its own `Bench` of trainings, which end when it ends.
"""

import math
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.shared.checkpoints import films, one_thread
from pages.shared.training_queue import Job, Refused, owner, queue

if TYPE_CHECKING:
    from transformer.config import TransformerConfig
    from transformer.training.checkpoints import Checkpoint
    from transformer.training.film import Film
    from transformer.training.trainer import Settings, Trainer

TURN = 240.0  # seconds after which a training pauses by itself, so that others get their turn
MOST_CELLS = 4_000_000  # cells of attention that the frames of one film may have together
MOST_WORK = 24_000_000  # cells of attention in one batch: what a step needs memory for
MOST_NUMBERS = 160_000_000  # of all other numbers in one batch
TESTED = 128  # examples that are asked at once in validation
FEWEST_FRAMES, USUAL_FRAMES = 10, 100


def ready() -> None:
    """Load what every training needs."""
    import transformer.training.shipped  # noqa: F401


def film_for(task: str) -> str | None:
    """The title of the stored film of this task, if there is one."""
    from transformer.training.shipped import SHIPPED

    return next((title for title, name in films().items() if SHIPPED[name].task == task), None)


@st.cache_resource(max_entries=16, show_spinner=False)
def can_augment(task: str) -> bool:
    """Whether there is a way to change an example of this task that keeps its answer right."""
    from transformer.training import tasks

    return task != "text" and tasks.make(task).augment is not None


class Plan(NamedTuple):
    """What is to be trained, and a few words for it."""

    task: str
    task_settings: dict
    config: "TransformerConfig"
    settings: "Settings"
    label: str = ""


class Turns:
    """A trainer whose every run ends after some seconds, to give way to others: going on is a new turn."""

    def __init__(self, trainer: "Trainer", seconds: float, clock: Callable[[], float] = monotonic):
        self.trainer, self.seconds, self.clock = trainer, seconds, clock
        self.gave_way = False

    @property
    def step(self) -> int:
        return self.trainer.step

    def run(self, go_on: Callable[[], bool]) -> Iterator:
        end = self.clock() + self.seconds
        self.gave_way = False

        def may_go_on() -> bool:
            self.gave_way = self.clock() >= end
            return go_on() and not self.gave_way

        return self.trainer.run(may_go_on)


@dataclass(eq=False)
class Training:
    """One training of a session: its job, and what of its film the browser has.

    earlier  the film of what was learned before, if it goes on from a checkpoint
    """

    label: str
    steps: int
    job: Job | None = None  # set when it is queued up
    earlier: "Film | None" = None
    id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    sent: int = 0

    @property
    def frames(self) -> int:
        return len(self.job.snapshots) + (len(self.earlier) if self.earlier else 0)

    @property
    def trainer(self):
        """The transformer.training.trainer.Trainer, once it is made. Read only while it does not run."""
        return self.job.trainer and self.job.trainer.trainer

    @property
    def rests(self) -> bool:
        """Whether there is a model that nobody is changing."""
        return self.trainer is not None and self.job.state not in ("waiting", "running")

    def film(self, first: int = 0) -> "Film | None":
        """Its frames from `first` on; None if there are none, or its trainer is not made yet."""
        from transformer.training.film import film_of, joined

        if self.trainer is None:
            return None
        snapshots = list(self.job.snapshots)
        before = len(self.earlier) if self.earlier else 0
        fresh = snapshots[max(0, first - before) :]
        new = film_of(self.trainer.task, list(self.trainer.parts), fresh) if fresh else None
        if not self.earlier or first >= before:
            return new
        old = self.earlier.after(first)
        return joined(old, new) if new else old

    def checkpoint(self) -> "Checkpoint":
        """The model as it stands, with its film and what was measured last."""
        from transformer.training.checkpoints import checkpoint_of

        film = self.film()
        last = {name: float(curve[-1]) for name, curve in film.curves.items()} if film else {}
        card = {
            "training steps": self.trainer.step,
            **({"validation loss": round(last["val_loss"], 4)} if last else {}),
            **({"accuracy, token by token": round(last["accuracy"], 4)} if last else {}),
        }
        return checkpoint_of(self.trainer, film and film.thinned(USUAL_FRAMES), card)


@dataclass(eq=False)
class Bench:
    """The trainings of one session, by the name of the place where they are seen ("A" and "B").

    uploaded  the file that was brought last: its id, and the model in it or what is wrong with it
    """

    trainings: dict[str, Training] = field(default_factory=dict)
    uploaded: tuple[str, "Checkpoint | str"] = ("", "")

    @property
    def is_busy(self) -> bool:
        """Whether there is anything to wait for."""
        return any(training.job.state in ("waiting", "running") for training in self.trainings.values())

    @property
    def states(self) -> tuple[str, ...]:
        return tuple(training.job.state for training in self.trainings.values())


@st.cache_resource(scope="session", show_spinner=False)
def bench() -> Bench:
    """This session's trainings."""
    owner()  # whose end stops them
    return Bench()


def train(plans: dict[str, Plan]) -> None:
    """Train these side by side, in place of what was trained before. Raises jobs.Refused."""
    _end()
    _start(
        {
            place: (lambda plan=plan: _trainer(plan), Training(label=plan.label, steps=plan.settings.steps))
            for place, plan in plans.items()
        }
    )


def go_on(place: str, more: int) -> None:
    """Train what stands at this place for more steps. Raises jobs.Refused."""
    training = bench().trainings.get(place)
    if training is None or not training.rests:
        raise Refused("This training is under way. Pause it first, or wait for its end.")
    training.job.stop()  # a paused one would keep its place among the two of this session
    one = _continued(training.checkpoint(), training.film(), more, training.label)
    _start({**{name: (None, other) for name, other in bench().trainings.items()}, place: one})


def go_on_with(checkpoint: "Checkpoint", more: int) -> None:
    """Train an uploaded model for more steps. Raises jobs.Refused, and ValueError for one that is too large for it."""
    _check(checkpoint.task, checkpoint.config, checkpoint.settings)
    _end()
    _start({"A": _continued(checkpoint, checkpoint.film, more, checkpoint.task.title)})


def _continued(checkpoint: "Checkpoint", film: "Film | None", more: int, label: str):
    steps = checkpoint.step + more

    def make():
        one_thread()
        every = max(1, more // 60)
        return Turns(replace(checkpoint, settings=replace(checkpoint.settings, every=every)).trainer(steps), TURN)

    return make, Training(label=label, steps=steps, earlier=film and film.thinned(USUAL_FRAMES))


def _end() -> None:
    """Stop what this session trains, and wait until it has given its places back."""
    for training in bench().trainings.values():
        training.job.stop()
    for training in bench().trainings.values():
        training.job.wait(2.0)


def _start(wanted: dict[str, tuple[Callable[[], Turns] | None, Training]]) -> None:
    """Queue these up, and only then let go of what was there; nothing is queued if one of them is refused."""
    jobs: list[Job] = []
    try:
        for make, training in wanted.values():
            if make:
                training.job = queue().submit(owner(), make, training.steps)
                jobs.append(training.job)
    except Refused:
        for job in jobs:
            job.stop()
        raise
    bench().trainings = {place: training for place, (_, training) in wanted.items()}


def _trainer(plan: Plan) -> Turns:
    """Built in the worker's thread: a task may take a moment to be made."""
    from transformer.training import tasks
    from transformer.training.trainer import Trainer

    one_thread()
    task = tasks.make(plan.task, **plan.task_settings)
    config = plan.config
    if config.positions == "learned":
        config = replace(config, max_len=_places(task))  # a row for every place that is trained, and no other
    most = _check(task, config, plan.settings)
    every = max(plan.settings.every, -(-plan.settings.steps // most))
    return Turns(Trainer(task, config, replace(plan.settings, every=every)), TURN)


def _places(task) -> int:
    """The most tokens that a model of this task reads at a time, <bos> and <eos> among them."""
    both = task.kind == "decoder" and any(probe.source for probe in task.probes)  # question and answer in one text
    return task.longest * (2 if both else 1) + 2


def _check(task, config: "TransformerConfig", settings: "Settings") -> int:
    """How many frames a film of this training may have. Raises ValueError for a training that is too large."""
    layers = {"encoder": config.n_encoder_layers, "decoder": config.n_decoder_layers, "cross": config.n_decoder_layers}
    kinds = {"encoder-decoder": ("encoder", "decoder", "cross")}.get(task.kind, (task.kind,))
    n = _places(task)
    cells = sum(layers[kind] for kind in kinds) * config.n_heads * n * n
    vectors = config.d_model * 8 + config.d_ff * 2  # numbers that a layer keeps of a token
    numbers = n * (sum(layers[kind] for kind in kinds) * vectors + len(task.target))
    too_wide = numbers * max(settings.batch_size, TESTED) > MOST_NUMBERS
    if too_wide or cells * settings.batch_size > MOST_WORK or cells * len(task.probes) * FEWEST_FRAMES > MOST_CELLS:
        raise ValueError(
            "This training would need too much memory. Take a smaller batch, fewer heads or layers, or shorter texts."
        )
    return min(USUAL_FRAMES, MOST_CELLS // max(1, cells * len(task.probes)))


def facts_of(task, settings: "Settings") -> dict:
    """What stands still in a training, for its film."""
    return {
        "guess": math.log(len(task.target)),
        "causal": not settings.look_ahead,
        "values": {
            "batch": f"{settings.batch_size} examples",
            "clip": f"at {settings.clip:g}" if settings.clip else "off",
        },
    }


def saved(checkpoint: "Checkpoint") -> bytes:
    """The file of a model, with all that is needed to train on."""
    from transformer.training.checkpoints import save

    return save(checkpoint)


def brought(name: str, data: bytes) -> "Checkpoint | str":
    """The model in an uploaded file, or a sentence on what is wrong with it. The last one is kept, by its name."""
    from transformer.training.checkpoints import BadCheckpoint, load

    mine = bench()
    if mine.uploaded[0] != name:
        try:
            mine.uploaded = (name, load(data))
        except BadCheckpoint as error:
            mine.uploaded = (name, str(error))
    return mine.uploaded[1]


class Length(NamedTuple):
    """How good a model is on texts of one length: share of tokens and of whole answers that are right.

    n  examples, none of them trained on; 0 where the model cannot read so far, which `says` explains
    """

    length: int
    tokens: float
    exact: float
    n: int
    says: str = ""


def farthest(task) -> int:
    """To which length a model of this task is asked: twice as far as it was trained, if the task goes so far."""
    from transformer.training.tasks.algorithms import MAX_LENGTH

    return min(2 * task.settings["longest"], MAX_LENGTH)


@st.cache_resource(max_entries=32, show_spinner=False)
def by_length(name: str, _checkpoint: "Checkpoint", longest: int, each: int = 40) -> tuple[Length, ...]:
    """The model on texts of 1 to `longest` tokens, written by itself; `name` says which model this is."""
    one_thread()
    model = _checkpoint.model()
    return tuple(_length(model, _checkpoint.task, length, each) for length in range(1, longest + 1))


def _length(model, task, length: int, each: int) -> Length:
    from random import Random

    from transformer.training import tasks
    from transformer.training.scores import answers

    harder = tasks.make(task.name, **{**task.settings, "shortest": length, "longest": length})
    examples = harder.examples(each, Random(length), held_out=True)
    if not examples:
        return Length(length, 0.0, 0.0, 0, "no example of this length was held out")
    try:
        given = answers(model, task, examples)
    except ValueError as error:
        return Length(length, 0.0, 0.0, 0, str(error))
    exact = sum(a == e.target for a, e in zip(given, examples, strict=True)) / len(examples)
    right = sum(x == y for a, e in zip(given, examples, strict=True) for x, y in zip(a, e.target, strict=False))
    return Length(length, right / sum(len(e.target) for e in examples), exact, len(examples))


class Drift(NamedTuple):
    """Where the rows of a table were at some steps of a training, on the plane of the last: places (N, V, 2)."""

    steps: tuple[int, ...]
    names: tuple[str, ...]
    places: "object"


def drifts(name: str, checkpoint: "Checkpoint", snapshots: list) -> dict[str, Drift]:
    """The tables of a model on their way, "tokens" and, if they are learned, "positions".

    With snapshots at all of their steps; without, as it is with a stored model, before the first step (the weights
    that its seed gives) and after the last.
    """
    from transformer.inspection.embeddings import drift
    from transformer.training.text import SPECIALS

    if snapshots:
        stages = [(snapshot.step, snapshot.tables) for snapshot in snapshots]
    else:
        stages = _before_and_after(name, checkpoint)
    found = {}
    for table in stages[-1][1]:
        rows = stages[-1][1][table].shape[0]
        names = tuple(checkpoint.task.source.label(id) for id in range(rows)) if table == "tokens" else None
        first = len(SPECIALS) if names else 0  # what is never a word would only press the others together
        if rows - first >= 2 and checkpoint.config.d_model >= 2:
            found[table] = Drift(
                tuple(step for step, _ in stages),
                (names or tuple(map(str, range(rows))))[first:],
                drift([tables[table][first:] for _, tables in stages]),
            )
    return found


@st.cache_resource(max_entries=8, show_spinner=False)
def _before_and_after(name: str, _checkpoint: "Checkpoint"):
    import torch

    from transformer.training.batches import build
    from transformer.training.trainer import tables

    seed = torch.Generator().manual_seed(_checkpoint.settings.seed)
    before = build(_checkpoint.task.kind, _checkpoint.config, seed)
    return [(0, tables(before)), (_checkpoint.step, tables(_checkpoint.model()))]


# ---- writing with a decoder ----
