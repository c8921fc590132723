"""How the shipped models are trained, measured and described.

python -m transformer.training                trains all again, and writes their cards (about an hour)
python -m transformer.training translator     trains one
python -m transformer.training --measure      measures those whose files are there once more, and writes their cards
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import exp
from random import Random

import torch

from transformer.training import checkpoints, tasks, vision
from transformer.training.batches import batch_of
from transformer.training.checkpoints import Checkpoint, checkpoint_of
from transformer.training.film import Film, alignment_mass, axes, film_of, joined
from transformer.training.scores import exactly_right
from transformer.training.shipped import SHIPPED, Shipped, available, file_of, load
from transformer.training.stages import Stage, stage_of, thinned
from transformer.training.tasks.task import Example, Task
from transformer.training.trainer import Snapshot, Trainer, evaluate, probe_attention

SECONDS = "training seconds, by the clock"
N_TESTS = 1000  # held-out examples that a card is measured on


def train(name: str, *, report: Callable[[str], None] = print) -> Checkpoint:
    """Train one of them, as it was trained for shipping, and measure it. `report` takes a line per tenth snapshot."""
    plan = SHIPPED[name]
    trainer = Trainer(tasks.make(plan.task), plan.config, plan.settings)
    stages: list[Stage] = []
    snapshots = list(_with_stages(trainer, stages, _reported(trainer.run(), report)))
    film = film_of(trainer.task, list(trainer.parts), snapshots).thinned(plan.frames)
    trained = checkpoint_of(trainer)
    for settings in plan.again:
        trainer = Trainer(trainer.task, plan.config, settings, model=trainer.model)
        trained, longer = gone_on(trained, film, trainer, list(_reported(trainer.run(), report)), plan.frames_again)
        film = film if settings.drill == 1 else longer  # a drill alone unlearns what the film is about
    # The card describes the weights in the file, which have 16 bits.
    rounded = checkpoints.load(checkpoints.save(trained, half=True, moments=False))
    return replace(rounded, film=film, card=card(rounded, trained.seconds), stages=stages_to_ship(stages, plan))


def gone_on(
    first: Checkpoint, film: Film, second: Trainer, snapshots: Sequence[Snapshot], frames: int
) -> tuple[Checkpoint, Film]:
    """The weights of a training that began with those of the one before, and the film of both.

    Steps and seconds are summed. The settings are those of the first, which drew the weights that it all began with.
    """
    then = checkpoint_of(second)
    total = first.step + then.step
    later = [replace(s, step=first.step + s.step, seconds=first.seconds + s.seconds) for s in snapshots[1:]]
    more = film_of(second.task, list(second.parts), later).thinned(frames)
    settings = replace(first.settings, steps=total)
    whole = replace(then, settings=settings, step=total, seconds=first.seconds + then.seconds)
    return whole, joined(film, more)


def _with_stages(trainer: Trainer, stages: list[Stage], snapshots: Iterator[Snapshot]) -> Iterator[Snapshot]:
    """The snapshots, and meanwhile the stages in the list."""
    for snapshot in snapshots:
        stage = stage_of(trainer.model, snapshot.step, snapshot.val_loss)
        stages.extend([stage] if stage else [])
        yield snapshot


def stages_to_ship(stages: Sequence[Stage], plan: Shipped) -> tuple[Stage, ...]:
    """As many as are planned, after the first, which is as good as untrained."""
    n, until = plan.stages
    return thinned([stage for stage in stages if stage.step <= until], n + 1)[1:] if n else ()


def _reported(snapshots: Iterator[Snapshot], report: Callable[[str], None]) -> Iterator[Snapshot]:
    for n, snapshot in enumerate(snapshots):
        if n % 10 == 0:
            report(f"  step {snapshot.step:5d}  loss {snapshot.val_loss:.4f}  accuracy {snapshot.accuracy:.3f}")
        yield snapshot


def tests_of(task: Task) -> list[Example]:
    """The examples that a card is measured on; the model has trained on none of them."""
    return task.examples(N_TESTS, Random(12345), held_out=True)


def shown_the_answer(checkpoint: Checkpoint, tests: Sequence[Example]) -> dict[str, float | str]:
    """How well these weights predict each token of the right answers, from the right ones before it; by name."""
    batches = [batch_of(checkpoint.task, tests[n : n + 100]) for n in range(0, len(tests), 100)]
    with torch.inference_mode():
        scores = evaluate(checkpoint.model(), batches)
    return {
        "validation loss": round(scores["val_loss"], 4),
        "perplexity": round(exp(scores["val_loss"]), 4),
        "accuracy, token by token": round(scores["accuracy"], 4),
    }


def card(checkpoint: Checkpoint, seconds: float | None) -> dict[str, float | str]:
    """Measurements of these weights on held-out examples, by name; seconds: of the training, where they are known."""
    model, task = checkpoint.model(), checkpoint.task
    tests = tests_of(task)
    measurements: dict[str, float | str] = {
        "parameters": sum(p.numel() for p in model.parameters()),
        "training steps": checkpoint.step,
        **({} if seconds is None else {SECONDS: round(seconds, 1)}),
        **shown_the_answer(checkpoint, tests),
    }
    if task.scores:
        measurements |= task.scores(model, tests)
    else:
        measurements["held-out examples"] = len(tests)
        measurements["exactly right, written by itself"] = round(exactly_right(model, task, tests), 4)
    probe = task.probes[0]
    with torch.inference_mode():
        attention = probe_attention(model, batch_of(task, [probe]))
    kind = "cross" if "cross" in attention else next(iter(attention))
    alignment = axes(task, probe)[kind].alignment
    if alignment:
        mass = alignment_mass(attention[kind], alignment)
        layer, head = divmod(int(mass.argmax()), mass.shape[1])
        measurements["best head on the true alignment"] = f"layer {layer}, head {head}: {mass.max():.2f}"
    return measurements


def measure(name: str) -> Checkpoint:
    """Measure the file of a shipped model once more, and write it with its new card: nothing else in it changes."""
    data, checkpoint = file_of(name).read_bytes(), load(name)
    known = [value for key, value in checkpoint.card.items() if key.startswith("training seconds")]
    measured = replace(checkpoint, card=card(checkpoint, float(known[0]) if known else None))
    file_of(name).write_bytes(checkpoints.with_film(data, checkpoint.film, measured.card))
    return measured


def _rows(card: Mapping[str, float | str]) -> Iterator[tuple[str, float | str]]:
    """The rows of a card; one that does not know how long its training took says so, below the steps."""
    for name, value in card.items():
        yield name, value
        if name == "training steps" and SECONDS not in card:
            yield SECONDS, "not recorded"


def cards() -> str:
    """All cards as one Markdown text."""
    lines = [
        "# The trained models in this folder\n",
        "Each was made by `python -m transformer.training NAME`, which anyone can run again. What is measured is"
        " measured on the weights in the file, on examples that were held out of the training; seconds are those of the"
        " machine that trained it, by the clock.\n",
    ]
    for name, plan in available().items():
        file, checkpoint = file_of(name), load(name)
        lines.append(f"## {name}: {plan.title}\n")
        lines.append(f"{checkpoint.task.about} `{file.name}`, {file.stat().st_size / 1000:.0f} kB.\n")
        lines += ["| | |", "|---|---|", *(f"| {key} | {value} |" for key, value in _rows(checkpoint.card)), ""]
    return "\n".join([*lines, vision.cards()])
