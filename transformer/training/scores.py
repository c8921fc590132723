"""How often a trained model is right when each new token builds on its own previous output."""

from collections.abc import Sequence

import torch

from transformer.core.masks import padding_of
from transformer.core.model import DecoderModel, Model, Transformer
from transformer.core.taps import Tap, no_tap
from transformer.generation.batch import greedy_batch, greedy_prompts
from transformer.training.batches import batch_of, collate, forward_batch
from transformer.training.tasks.task import Example, Task
from transformer.training.text import BOS, EOS, PAD


def answers(model: Model, task: Task, examples: Sequence[Example], *, tap: Tap = no_tap) -> list[tuple[int, ...]]:
    """The model's greedy answer to each example, without <eos>; at most as long as the longest true answer.

    The tap sees, and may change, what an encoder-decoder computes.
    """
    max_new = max(len(example.target) for example in examples) + 1
    results: list[tuple[int, ...]] = []
    device = next(model.parameters()).device
    for start in range(0, len(examples), 256):
        chunk = examples[start : start + 256]
        if isinstance(model, Transformer):
            batch = collate(task.kind, chunk, device)
            assert batch.source is not None
            mask = padding_of(batch.source, PAD)
            written = greedy_batch(model, batch.source, mask, max_new, BOS, EOS, PAD, tap=tap)
        elif isinstance(model, DecoderModel):
            written = greedy_prompts(model, [(BOS, *example.source) for example in chunk], max_new, EOS, PAD)
        else:
            with torch.inference_mode():
                n_answers = len(task.sight.questions) if task.sight else 1
                written = forward_batch(model, batch_of(task, chunk, device)).logits[:, :n_answers].argmax(-1)
        results += [_until_end(row) for row in written.tolist()]
    return results


def exactly_right(model: Model, task: Task, examples: Sequence[Example], *, tap: Tap = no_tap) -> float:
    """Share of the examples that the model answers without a single wrong token; the tap is as in `answers`.

    Where several answers are right, any of them counts.
    """
    outputs = answers(model, task, examples, tap=tap)
    pairs = zip(outputs, examples, strict=True)
    return sum(task.canonical(a) == task.canonical(example.target) for a, example in pairs) / len(examples)


def _until_end(ids: list[int]) -> tuple[int, ...]:
    ends = [i for i, id in enumerate(ids) if id in (EOS, PAD)]
    return tuple(ids[: ends[0]] if ends else ids)
