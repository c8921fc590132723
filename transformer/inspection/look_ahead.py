"""Why training needs the causal mask: without it a model copies the next word, which is not there when it writes.

Measured by what it says where another word is put in the next word's place. (A model that reverses letters would show
nothing: it has the question, and even without the mask it answers from that.)
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

import torch

from transformer.core.config import DERIVED
from transformer.core.model import DecoderModel, Model
from transformer.generation.batch import greedy_prompts
from transformer.training import tasks
from transformer.training.batches import batch_of, forward_batch
from transformer.training.plan import Plan
from transformer.training.recipes import small_model
from transformer.training.studies.mask import Sample
from transformer.training.tasks.tales import COLOURS, WORDS, is_tale
from transformer.training.tasks.task import Example, Task
from transformer.training.text import BOS, EOS, PAD

STEPS = 400
TASK = "tales"
SHORT = 3  # words before the colour in the tales that are shown
N_SHOWN = 4  # of these tales


def plan(*, look_ahead: bool) -> Plan:
    """The same small model, data and seed, with the causal mask or without it."""
    settings = replace(
        tasks.recipe(TASK).settings,
        steps=STEPS,
        warmup=DERIVED,
        lr=1e-2,
        every=10,
        n_examples=4000,
        n_tests=100,
        look_ahead=look_ahead,
    )
    return Plan(TASK, {}, small_model(32, 4, 1, positions="rotary"), settings)


class Outcome(NamedTuple):
    """How a trained model does on n held-out tales.

    right   the share of them that it finishes, from the words before the colour, as the grammar might
    copied  how often, shown the whole tale with some colour in that place, it predicts that very colour
    """

    right: float
    copied: float
    n: int
    samples: tuple[Sample, ...]


def outcome(model: Model, task: Task, *, look_ahead: bool, n: int = 100) -> Outcome:
    """Let a trained model finish tales, and predict a colour that it is shown if it may look ahead, as in training."""
    assert isinstance(model, DecoderModel)  # whatever learns tales is one
    tales = [example.target for example in task.examples(n, Random(7), held_out=True)]
    colours = [WORDS.vocabulary.id(colour) for colour in COLOURS]
    before = [next(at for at, id in enumerate(tale) if id in colours) for tale in tales]
    prompts = [(BOS, *tale[:at]) for tale, at in zip(tales, before, strict=True)]
    longest = max(map(len, tales)) + 1
    written = [_until_end(row) for row in greedy_prompts(model, prompts, longest, EOS, PAD).tolist()]
    said = [_said(model, task, tale, at, colours, look_ahead) for tale, at in zip(tales, before, strict=True)]
    right = sum(is_tale((*prompt[1:], *ids)) for prompt, ids in zip(prompts, written, strict=True))
    copied = sum(a == b for row in said for a, b in zip(row, colours, strict=True))
    samples = tuple(
        Sample(_words(tale), at, dict(zip(COLOURS, _words(row), strict=True)), _words(ids))
        for tale, at, row, ids in zip(tales, before, said, written, strict=True)
        if at <= SHORT
    )
    return Outcome(right / len(tales), copied / (len(tales) * len(colours)), len(tales), samples[:N_SHOWN])


@torch.inference_mode()
def _said(
    model: DecoderModel, task: Task, tale: Sequence[int], at: int, others: Sequence[int], look_ahead: bool
) -> list[int]:
    """What is predicted at a place of a tale, with each of the others put there."""
    batch = batch_of(task, [Example((), (*tale[:at], other, *tale[at + 1 :])) for other in others])
    return forward_batch(model, batch, is_causal=not look_ahead).logits[:, at].argmax(-1).tolist()


def _until_end(ids: list[int]) -> list[int]:
    return ids[: next((at for at, id in enumerate(ids) if id in (EOS, PAD)), len(ids))]


def _words(ids: Sequence[int]) -> tuple[str, ...]:
    return tuple(WORDS.label(id) for id in ids)
