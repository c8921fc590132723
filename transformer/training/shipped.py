"""The trained models that come with the project, and how they were made.

    python -m transformer.training                trains all of them again (some minutes), and writes their cards
    python -m transformer.training translator     trains one

A file holds the weights in 16 bits, the film of the training, and a card with what was measured on the very weights
in the file.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import torch

from transformer.config import DERIVED, TransformerConfig
from transformer.model import DecoderModel
from transformer.training import checkpoints, tasks
from transformer.training.batches import Batch, collate
from transformer.training.checkpoints import Checkpoint, checkpoint_of
from transformer.training.film import film_of, mass
from transformer.training.recipes import recipe
from transformer.training.scores import exactly_right
from transformer.training.story_scores import story_scores
from transformer.training.trainer import Settings, Snapshot, Trainer, watch

FOLDER = Path(__file__).parent / "shipped"


@dataclass(frozen=True)
class Shipped:
    """One model that is shipped: its task, and the training that made it. `frames` are kept of its film."""

    title: str
    task: str
    config: TransformerConfig
    settings: Settings
    frames: int = 60


def _from_recipe(title: str, task: str, frames: int = 60, **settings: Any) -> Shipped:
    defaults = recipe(task)
    return Shipped(
        title, task, defaults.config, replace(defaults.settings, warmup=DERIVED, every=DERIVED, **settings), frames
    )


SHIPPED: dict[str, Shipped] = {
    "translator": _from_recipe("English to French", "french", frames=40, steps=1600, n_examples=40_000),
    "stories": _from_recipe("Short stories", "stories", steps=3000, frames=10),
    "sentiment": _from_recipe("Sentiment of a review", "sentiment", frames=40),
    "reverse": _from_recipe("Reverse", "reverse"),
    "sort": _from_recipe("Sort", "sort"),
}


def load(name: str) -> Checkpoint:
    """The shipped model of this name. Raises KeyError for another name."""
    SHIPPED[name]
    return checkpoints.load((FOLDER / f"{name}.safetensors").read_bytes())


def train(name: str, *, say: Callable[[str], None] = print) -> Checkpoint:
    """Train one of them, as it was trained for shipping, and measure it."""
    plan = SHIPPED[name]
    trainer = Trainer(tasks.make(plan.task, **recipe(plan.task).task), plan.config, plan.settings)
    snapshots = list(_reported(trainer.run(), say))
    film = film_of(trainer.task, list(trainer.parts), snapshots).thinned(plan.frames)
    # What is measured is what is in the file: weights with 16 bits.
    rounded = checkpoints.load(checkpoints.save(checkpoint_of(trainer), half=True, moments=False))
    return replace(rounded, film=film, card=card(rounded, snapshots))


def _reported(snapshots: Iterator[Snapshot], say: Callable[[str], None]) -> Iterator[Snapshot]:
    for n, snapshot in enumerate(snapshots):
        if n % 10 == 0:
            say(f"  step {snapshot.step:5d}  loss {snapshot.val_loss:.4f}  accuracy {snapshot.accuracy:.3f}")
        yield snapshot


def card(checkpoint: Checkpoint, snapshots: list[Snapshot]) -> dict:
    """Measurements of these weights on held-out examples, by name."""
    model = checkpoint.model()
    tests = checkpoint.task.examples(1000, Random(12345), held_out=True)
    last = snapshots[-1]
    measured: dict[str, float | str] = {
        "parameters": sum(p.numel() for p in model.parameters()),
        "training steps": checkpoint.step,
        "training seconds, one core": round(last.seconds, 1),
        "validation loss": round(last.val_loss, 4),
        "perplexity": round(last.perplexity, 4),
        "accuracy, token by token": round(last.accuracy, 4),
    }
    # A story has no single right way to go on.
    if isinstance(model, DecoderModel) and checkpoint.task.name == "stories":
        measured |= story_scores(model, tests)
    else:
        measured["held-out examples"] = len(tests)
        measured["exactly right, written by itself"] = round(exactly_right(model, checkpoint.task, tests), 4)
    with torch.inference_mode():
        seen = watch(model, checkpoints_probe(checkpoint))
    kind = "cross" if "cross" in seen else next(iter(seen))
    ghost = film_of(checkpoint.task, [], snapshots[-1:]).axes[0][kind].ghost
    if ghost:
        best = mass(seen[kind], ghost)
        layer, head = divmod(int(best.argmax()), best.shape[1])
        measured["best head on the true alignment"] = f"layer {layer}, head {head}: {best.max():.2f}"
    return measured


def checkpoints_probe(checkpoint: Checkpoint) -> Batch:
    """The first probe as a batch."""
    return collate(checkpoint.task.kind, [checkpoint.task.probes[0]])


def cards() -> str:
    """All cards as one Markdown text."""
    lines = [
        "# The trained models in this folder\n",
        "Each was made by `python -m transformer.training NAME`, which anyone can run again. What is measured is"
        " measured on the weights in the file, on examples that were held out of the training.\n",
    ]
    for name, plan in SHIPPED.items():
        file = FOLDER / f"{name}.safetensors"
        if file.exists():
            checkpoint = load(name)
            lines.append(f"## {name}: {plan.title}\n")
            lines.append(f"{checkpoint.task.about} `{file.name}`, {file.stat().st_size / 1000:.0f} kB.\n")
            lines += ["| | |", "|---|---|", *(f"| {key} | {value} |" for key, value in checkpoint.card.items()), ""]
    return "\n".join(lines)
