"""What the checks compute: each once, shared by all visitors."""

from typing import NamedTuple, cast

import numpy as np

import transformer
from lab.kit.models.readings import Reading, inputs, one_pass, probabilities
from lab.kit.models.references import Shipped
from lab.server import gate, visitor
from lab.server.caching import cached
from lab.server.jobs import Job, Refused
from lab.server.trainings import queue
from transformer import inspection
from transformer.core import workload
from transformer.core.checks import InputError
from transformer.core.workload import Workload
from transformer.training.plan import Plan

STORIES, TRANSLATOR = Shipped("stories"), Shipped("translator")


@cached(work=one_pass)
def next_token_without_head(reading: Reading, layer: int, head: int) -> np.ndarray:
    """The same with one head ablated."""
    model, ids, mask = inputs(reading)
    ablation = transformer.ablate(f"{model.kind}.{layer}.self_attn", head)
    return probabilities(inspection.head_effects.forward(model, ids, tap=ablation, **mask).logits[0, -1].numpy())


PULLS = 8  # steps from a head that is in to one that is out


def _each_pull(reading: Reading, _ids: tuple[int, ...]) -> Workload:
    source = reading.ref.resolve()
    return one_pass(reading) * (source.n_layers * source.config.n_heads * (PULLS + 1))


@cached(work=_each_pull)
def pulled(reading: Reading, ids: tuple[int, ...]) -> np.ndarray:
    """The probabilities (L, H, PULLS + 1, n) of these tokens to come next while each head is pulled out: what it hands
    on is multiplied by 1 at first, by 0 in the end."""
    import torch

    model, text, mask = inputs(reading)
    source = reading.ref.resolve()
    L, H = source.n_layers, source.config.n_heads
    kept = torch.ones(L, H, PULLS + 1, L, H)
    for layer, head in np.ndindex(L, H):
        kept[layer, head, :, layer, head] = torch.linspace(1, 0, PULLS + 1)
    kept = kept.view(-1, L, H)
    at = {f"{model.kind}.{layer}.self_attn.heads": layer for layer in range(L)}

    def fade(name: str, tensor: "torch.Tensor") -> "torch.Tensor":
        return tensor * kept[:, at[name], :, None, None] if name in at else tensor

    logits = inspection.head_effects.forward(model, text, tap=fade, B=len(kept), **mask).logits[:, -1]
    return probabilities(logits.numpy())[:, list(ids)].reshape(L, H, PULLS + 1, -1)


@cached(work=one_pass)
def looks(reading: Reading) -> np.ndarray:
    """Where the last token looks, (L, H, T)."""
    model, ids, mask = inputs(reading)
    maps = inspection.head_effects.forward(model, ids, **mask).attention.decoder
    return np.stack([layer[0, :, -1].numpy() for layer in maps])


def _all_at_once(readings: tuple[Reading, ...]) -> Workload:
    """As many texts as a name can be long."""
    return one_pass(max(readings, key=lambda reading: len(reading.tokens))) * len(readings)


@cached(work=_all_at_once)
def next_tokens(readings: tuple[Reading, ...]) -> np.ndarray:
    """The probabilities (n, V) of every token to come after each of these texts: those of one length in one pass."""
    import torch

    found: dict[int, np.ndarray] = {}
    for length in {len(reading.tokens) for reading in readings}:
        alike = [n for n, reading in enumerate(readings) if len(reading.tokens) == length]
        model, _, mask = inputs(readings[alike[0]])
        ids = torch.tensor([readings[n].ref.resolve().ids(readings[n].tokens) for n in alike])
        with torch.inference_mode():
            logits = model(ids, **mask).logits[:, -1].numpy()
        found |= dict(zip(alike, probabilities(logits), strict=True))
    return np.stack([found[n] for n in range(len(readings))])


class Translated(NamedTuple):
    """What the translator wrote, and what the grammar has in its place, word by word."""

    written: tuple[str, ...]
    right: tuple[str, ...]


def _one_sentence(words: tuple[str, ...]) -> Workload:
    source = TRANSLATOR.resolve()
    return workload.writing(source.config, len(words) + 1, 2 * source.longest + len(words))


@cached(work=_one_sentence)
def translated(words: tuple[str, ...]) -> Translated | None:
    """The greedy translation of a sentence; None for one outside of the grammar."""
    source = TRANSLATOR.resolve()
    task, answer = source.task, source.task.answer(words)
    if answer is None:
        return None
    ids = inspection.translation.tokenise_source(task, " ".join(words)).ids
    written = inspection.translation.translate(cast("transformer.Transformer", source.model), ids).answer
    names = [tuple(task.target.label(id) for id in text) for text in (written, answer.target)]
    return Translated(*names)


class Trained(NamedTuple):
    """The loss on held-out examples, by the steps of a training at which it was measured."""

    steps: tuple[int, ...]
    losses: tuple[float, ...]


@cached()
def trained(key: str, _plan: Plan) -> Trained:
    """Carry out a plan, in line with all other trainings. `key` tells plans apart.

    It ends when its visitor leaves. Raises InputError where it cannot be done.
    """
    try:
        job = queue().submit(Job(visitor.key(), _plan, _plan.settings.steps))
    except Refused as full:
        raise InputError(str(full)) from None
    try:
        while not job.wait(gate.WAKE):
            gate.stay()
    finally:
        if job.is_alive:
            job.stop()
    if job.state != "done":
        raise InputError(job.error or "this training was stopped before its end")
    return Trained(tuple(s.step for s in job.snapshots), tuple(float(s.val_loss) for s in job.snapshots))
