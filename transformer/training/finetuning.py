"""Fine-tuning: the shipped storyteller learns to write talks, in five ways.

    tuned = tune("LoRA", Lesson(rank=2))
    tuned.accuracies[-1], tuned.n_trained, tuned.model()

How well it writes is measured on words that the text has given away before: the names, things, colours and places that
come again. A model that keeps to its facts ranks each of their tokens first among all 2,000.

python -m transformer.training.finetuning trains all five, and LoRA at other ranks (some three minutes), and writes the
file that `stored` reads.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load as read_tensors
from safetensors.torch import save as write_tensors
from torch import Generator, Tensor

from transformer.core.checks import check_choice
from transformer.core.interruption import check_interruption
from transformer.core.lora import LoRA, lora, merge
from transformer.core.model import DecoderModel
from transformer.training import shipped, tasks
from transformer.training.batches import Batch, collate, forward_batch
from transformer.training.continuing import continued
from transformer.training.tasks.talks import talks
from transformer.training.text import PAD
from transformer.training.trainer import Trainer
from transformer.training.ways import (
    LORA,
    MOST_WRITTEN,
    N_TESTS,
    OUTPUT_MAP,
    SCRATCH,
    STORED_RANKS,
    TABLE,
    TALKS_BEGUN,
    TARGET,
    WAYS,
    Lesson,
    learns,
)

FILE = Path(__file__).with_name("finetuned.safetensors")
TOLD = ("talks", "stories")  # what every training is measured on


class Adapter(NamedTuple):
    """A low-rank update, scale B A: a (r, d_in), b (d_out, r)."""

    a: Tensor
    b: Tensor
    scale: float

    def update(self) -> Tensor:
        """(d_out, d_in)"""
        return self.scale * (self.b @ self.a)


@dataclass(frozen=True, eq=False, kw_only=True)
class Tuned:
    """A training in one of the ways.

    steps       at which it was measured (n,), the first before it began
    losses      -log p of the words of held-out talks that were given away before, in nats (n,)
    accuracies  the share of them that is ranked first (n,)
    old         the same share for held-out stories (n,)
    written     at each of these steps, what it goes on with after TALKS_BEGUN, its likeliest words
    first       at each of these steps, the token that it ranks first at each place that is asked for in `told_again`,
                by the name of the task, (n, places)
    seconds     that the steps took
    n_trained   parameters that were trained, beside n_parameters of the model
    n_frozen    tensors that were to stay as they are, and n_equal those of them that did, bit for bit
    changed     the parameters that were trained, by name; {} with LoRA
    adapters    LoRA's updates, by the path of the map that each belongs to; {} in other ways
    """

    way: str
    lesson: Lesson
    steps: np.ndarray
    losses: np.ndarray
    accuracies: np.ndarray
    old: np.ndarray
    written: tuple[tuple[str, ...], ...]
    first: dict[str, np.ndarray]
    seconds: float
    n_trained: int
    n_parameters: int
    n_frozen: int
    n_equal: int
    changed: dict[str, Tensor]
    adapters: dict[str, Adapter] = field(default_factory=dict)

    def model(self, *, merged: bool = True) -> DecoderModel:
        """The model at the end, in evaluation mode; LoRA's updates are merged into the weights or stand beside."""
        model = beginning(self.way, self.lesson.seed)
        model.load_state_dict({**model.state_dict(), **self.changed})
        if self.adapters:
            for path, adapter in lora(model, self.lesson.rank, self.lesson.alpha).items():
                adapter.load_state_dict(
                    {**adapter.state_dict(), "a": self.adapters[path].a, "b": self.adapters[path].b}
                )
            if merged:
                merge(model)
        return model

    @property
    def steps_to_target(self) -> int | None:
        """The first measured step with TARGET of those words right; None if there was none."""
        there = np.flatnonzero(self.accuracies >= TARGET)
        return int(self.steps[there[0]]) if len(there) else None


# ---- the model and what of it learns --------------------------------------------------------------------------------


def beginning(way: str, seed: int = 0) -> DecoderModel:
    """The model that a way begins with, in evaluation mode: the shipped one, or fresh weights from the seed.

    The output map of the shipped one, which was its table, is now a matrix of its own, which begins as a copy of it.
    """
    check_choice("way", way, WAYS)
    checkpoint = _shipped()
    model = DecoderModel(replace(checkpoint.config, tie_output=False, output_bias=False), Generator().manual_seed(seed))
    if way != SCRATCH:
        model.load_state_dict(checkpoint.weights | {OUTPUT_MAP: checkpoint.weights[TABLE]})
    return model.eval()


@cache
def _shipped() -> Any:
    return shipped.load("stories")


# ---- training ------------------------------------------------------------------------------------------------------


def tune(way: str, lesson: Lesson, report: Callable[[float], None] = lambda share: None) -> Tuned:
    """Train in this way. `report` takes the share that is done, from 0 to 1; whoever waits may interrupt it."""
    model = beginning(way, lesson.seed)
    n_parameters = sum(p.numel() for p in model.parameters())
    adapters: dict[str, LoRA] = {}
    if way == LORA:
        adapters = lora(model, lesson.rank, lesson.alpha, generator=Generator().manual_seed(lesson.seed))
    else:
        for name, parameter in model.named_parameters():
            parameter.requires_grad_(learns(way, name, model.config.n_decoder_layers))
    frozen = {name: p.clone() for name, p in model.named_parameters() if not p.requires_grad}
    trainer = Trainer(talks(), model.config, lesson.settings(way), model=model)
    rows, written = [], []
    first: dict[str, list[np.ndarray]] = {name: [] for name in TOLD}
    for snapshot in trainer.run(_go_on):
        seen = {name: _measured(model, told_again(name)) for name in TOLD}
        rows.append((snapshot.step, seen["talks"].loss, seen["talks"].accuracy, seen["stories"].accuracy))
        for name, one in seen.items():
            first[name].append(one.first)
        written.append(continued(model, TALKS_BEGUN, MOST_WRITTEN))
        report(snapshot.step / lesson.steps)
    steps, losses, accuracies, old = (np.array(column) for column in zip(*rows, strict=True))
    after = {name: p.detach().clone() for name, p in model.named_parameters()}
    trained = {name: after[name] for name in after.keys() - frozen.keys()}
    return Tuned(
        way=way,
        lesson=lesson,
        steps=steps,
        losses=losses,
        accuracies=accuracies,
        old=old,
        written=tuple(written),
        first={name: np.stack(each) for name, each in first.items()},
        seconds=trainer.seconds,
        n_trained=sum(p.numel() for p in trained.values()),
        n_parameters=n_parameters,
        n_frozen=len(frozen),
        n_equal=sum(torch.equal(after[name], p) for name, p in frozen.items()),
        changed={} if adapters else trained,
        adapters={path: Adapter(after[f"{path}.a"], after[f"{path}.b"], one.scale) for path, one in adapters.items()},
    )


class _Measured(NamedTuple):
    """loss: -log p of the tokens that are asked for; accuracy: the share of them that is ranked first; first: the ids
    of those that are, (places,)."""

    loss: float
    accuracy: float
    first: np.ndarray


@torch.inference_mode()
def _measured(model: DecoderModel, batch: Batch) -> _Measured:
    is_asked = batch.wanted != PAD
    logits, wanted = forward_batch(model, batch).logits[is_asked], batch.wanted[is_asked]
    first = logits.argmax(-1)
    loss, accuracy = F.cross_entropy(logits, wanted).item(), (first == wanted).double().mean().item()
    return _Measured(loss, accuracy, first.numpy().astype("i2"))


def _go_on() -> bool:
    check_interruption()
    return True


@cache
def told_again(name: str, n: int = N_TESTS) -> Batch:
    """Held-out stories or talks as one batch, of which only what the text has told before is to be predicted."""
    task = talks() if name == "talks" else tasks.make("stories")
    examples = task.examples(n, Random(1), held_out=True)
    batch = collate("decoder", examples)
    is_told = torch.zeros_like(batch.wanted, dtype=torch.bool)
    for row, example in enumerate(examples):
        is_told[row, [i for i, _ in example.alignment]] = True
    return batch._replace(wanted=batch.wanted.where(is_told, PAD))


# ---- the stored trainings ------------------------------------------------------------------------------------------

_CURVES = ("steps", "losses", "accuracies", "old")
_FACTS = ("seconds", "n_trained", "n_parameters", "n_frozen", "n_equal")


@cache
def stored() -> dict[tuple[str, Lesson], Tuned]:
    """The default lesson in every way, and LoRA at STORED_RANKS, trained when the project was made; times are of one
    processor."""
    data = FILE.read_bytes()
    tensors = read_tensors(data)
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    trained = [_unpacked(name, json.loads(facts), tensors) for name, facts in header["__metadata__"].items()]
    return {(tuned.way, tuned.lesson): tuned for tuned in trained}


def packed(trained: Sequence[Tuned]) -> bytes:
    """These trainings as the bytes of a file that `stored` reads; weights have 16 bits there, as those shipped."""
    tensors: dict[str, Tensor] = {}
    facts: dict[str, str] = {}
    for n, tuned in enumerate(trained):
        tensors |= {f"{n}/changed/{name}": weight.half() for name, weight in tuned.changed.items()}
        for path, adapter in tuned.adapters.items():
            tensors |= {f"{n}/a/{path}": adapter.a.half(), f"{n}/b/{path}": adapter.b.half()}
        tensors |= {f"{n}/first/{name}": torch.from_numpy(each) for name, each in tuned.first.items()}
        values = {name: getattr(tuned, name) for name in _FACTS}
        curves = {name: [float(f"{x:.6g}") for x in getattr(tuned, name)] for name in _CURVES}
        said = {"way": tuned.way, "lesson": asdict(tuned.lesson), "curves": curves, "written": tuned.written}
        facts[str(n)] = json.dumps({**said, **values})
    return write_tensors(tensors, facts)


def _unpacked(name: str, facts: dict[str, Any], tensors: dict[str, Tensor]) -> Tuned:
    def kept(kind: str) -> dict[str, Tensor]:
        start = f"{name}/{kind}/"
        return {key.removeprefix(start): t for key, t in tensors.items() if key.startswith(start)}

    def of(kind: str) -> dict[str, Tensor]:
        return {key: t.float() for key, t in kept(kind).items()}

    lesson, a, b = Lesson(**facts["lesson"]), of("a"), of("b")
    values: dict[str, Any] = {name: np.array(facts["curves"][name]) for name in _CURVES}
    values |= {name: facts[name] for name in _FACTS}
    return Tuned(
        way=facts["way"],
        lesson=lesson,
        written=tuple(tuple(texts) for texts in facts["written"]),
        first={key: t.numpy() for key, t in kept("first").items()},
        changed=of("changed"),
        adapters={path: Adapter(a[path], b[path], lesson.alpha / lesson.rank) for path in a},
        **values,
    )


def main() -> None:
    """Train what is stored, and write the file."""
    import time

    from transformer.training import trainer

    torch.set_num_threads(1)
    trainer.perf_counter = time.thread_time  # the processor's time: what else the machine does takes no part
    plans = [(way, Lesson()) for way in WAYS]
    plans += [(LORA, Lesson(rank=rank, alpha=2.0 * rank)) for rank in STORED_RANKS if rank != Lesson().rank]
    trained = []
    for way, lesson in plans:
        tuned = tune(way, lesson)
        trained.append(tuned)
        print(
            f"{way:13} {tuned.n_trained:7,} parameters  {tuned.accuracies[-1]:.3f} right after {tuned.steps[-1]} steps,"
            f" {TARGET:.0%} at step {tuned.steps_to_target}; stories {tuned.old[-1]:.3f}; {tuned.seconds:.1f} s",
            flush=True,
        )
    FILE.write_bytes(packed(trained))


if __name__ == "__main__":
    main()
