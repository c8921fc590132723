"""A training before it begins: what is to be trained, whether it is small enough, and its trainer.

Nothing here needs torch before the trainer is made, and a plan is plain values: any process can carry it out.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.training import tasks
from transformer.training.settings import Settings, Turn
from transformer.training.tasks.asking import with_probe

if TYPE_CHECKING:
    from transformer.training.tasks.task import Task
    from transformer.training.trainer import Trainer

MAX_FILM_CELLS = 4_000_000  # attention weights in all frames of one film together
MAX_BATCH_CELLS = 24_000_000  # attention weights in one batch: a step needs memory for them
MAX_BATCH_NUMBERS = 160_000_000  # all other numbers in one batch
MAX_EXAMPLES = 100_000  # each takes some hundred bytes beside its numbers
MAX_EXAMPLE_NUMBERS = 40_000_000  # in all examples together, of 8 bytes or so
NUMBERS_PER_PAIR = 8  # of a true alignment: two numbers, and the tuple that holds them
TEST_BATCH = 128  # examples in one batch of the validation
MIN_FRAMES, MAX_FRAMES = 10, 100


class Plan(NamedTuple):
    """What is to be trained; `label` says so in a few words, and `probe` is an input of one's own to be watched."""

    task: str
    task_settings: dict[str, Any]
    config: TransformerConfig
    settings: Settings
    label: str = ""
    probe: str = ""


def make_trainer(plan: Plan) -> "Trainer":
    """The trainer of a plan. Raises InputError for one that is too large. It may take a second or two."""
    from transformer.training.trainer import Trainer

    task = task_of(plan)
    config = plan.config
    if config.positions == "learned":
        config = replace(config, max_len=max_positions(task))  # a row for every trained position, and no other
    max_frames = check_size(task, config, plan.settings)
    every = max(plan.settings.every, -(-plan.settings.steps // max_frames))
    return Trainer(task, config, replace(plan.settings, every=every))


def task_of(plan: Plan) -> "Task":
    """The task of a plan, with the input of one's own among its probes. Raises InputError."""
    return with_probe(tasks.make(plan.task, **plan.task_settings), plan.probe)


def max_positions(task: "Task") -> int:
    """The most tokens that a model of this task reads at a time, <bos> and <eos> among them, or the class token."""
    if task.sight:
        return 1 + task.sight.across**2
    both = task.kind == "decoder" and any(probe.source for probe in task.probes)  # question and answer in one text
    return task.longest * (2 if both else 1) + 2


def check_size(task: "Task", config: TransformerConfig, settings: Settings, turns: Sequence[Turn] = ()) -> int:
    """How many frames a film of this training may have. Raises InputError for a training that is too large.

    turns  of its knobs: the largest batch counts
    """
    batch_size = max([settings.batch_size, *(turn.knobs.batch_size for turn in turns)])
    layers = {"encoder": config.n_encoder_layers, "decoder": config.n_decoder_layers, "cross": config.n_decoder_layers}
    kinds = ("encoder", "decoder", "cross") if task.kind == "encoder-decoder" else (task.kind,)
    n_layers = sum(layers[kind] for kind in kinds)
    n = max_positions(task)
    cells = n_layers * config.n_heads * n * n
    per_token = config.d_model * 8 + config.d_ff * 2 * config.top_k  # numbers that a layer keeps
    numbers = n * (n_layers * per_token + len(task.target))
    film_cells = cells * len(task.probes)
    per_example = max(_numbers_of(p.source) + len(p.target) + NUMBERS_PER_PAIR * len(p.alignment) for p in task.probes)
    if (
        numbers * max(batch_size, TEST_BATCH) > MAX_BATCH_NUMBERS
        or cells * batch_size > MAX_BATCH_CELLS
        or film_cells * MIN_FRAMES > MAX_FILM_CELLS
        or settings.n_examples > MAX_EXAMPLES
        or per_example * settings.n_examples > MAX_EXAMPLE_NUMBERS
    ):
        raise InputError(
            "This training would need too much memory. Take a smaller batch, fewer heads, layers or examples, or "
            "shorter texts."
        )
    return min(MAX_FRAMES, MAX_FILM_CELLS // max(1, film_cells))


def _numbers_of(source: tuple[int, ...] | bytes) -> int:
    """How many numbers of 8 bytes an input takes: a pixel is a byte for each colour."""
    return len(source) // 8 if isinstance(source, bytes) else len(source)
