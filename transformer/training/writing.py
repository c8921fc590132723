"""What a model says: its own answer to every probe, written token by token, and how sure it was of each."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from transformer.core.masks import padding_of
from transformer.core.model import DecoderModel, Model, Transformer
from transformer.generation.batch import greedy_batch, greedy_prompts
from transformer.training.batches import collate, forward_batch
from transformer.training.tasks.task import Example, Kind, Sight, Task
from transformer.training.text import BOS, EOS, PAD

CONTINUED = 24  # tokens that a model goes on with where there is no question


class Question(NamedTuple):
    """What a probe asks for.

    reads   ids that the model is given, without <bos>; of a picture its pixels
    right   ids that it is to write, <eos> among them; () where no answer is the only right one
    length  the most tokens that it may write
    remark  a few words on the answer, "" as a rule
    """

    reads: tuple[int, ...] | bytes
    right: tuple[int, ...]
    length: int
    remark: str = ""


def question(task: Task, probe: Example) -> Question:
    """What this probe asks a model of this task. A text without a question is continued after its first part."""
    if task.sight:
        return Question(probe.source, probe.target, len(task.sight.questions))
    if task.kind == "encoder":
        return Question(probe.source, probe.target, 1)
    if probe.source:
        right = (*probe.target, EOS)
        return Question(probe.source, right, len(right), task.remark(probe))
    is_own = bool(task.own_probe) and probe is task.probes[-1]
    reads = probe.target if is_own else probe.target[: max(1, len(probe.target) // 3)]
    return Question(reads, (), max(1, min(CONTINUED, task.longest + 1 - len(reads))))


class Written(NamedTuple):
    """What a model wrote, greedily, without any help: ids (n,) int32, filled up with PAD, and chances (n,) uint8, the
    probability of each, 255 = 1.
    """

    ids: np.ndarray
    chances: np.ndarray


@torch.inference_mode()
def write(
    model: Model, kind: Kind, questions: Sequence[Question], *, ends: bool = True, sight: Sight | None = None
) -> tuple[Written, ...]:
    """The model's answers; it is in evaluation mode. ends=False: <eos> means nothing. sight: it reads pictures."""
    if not questions:
        return ()
    device = next(model.parameters()).device
    asked = [Example(q.reads, ()) for q in questions]
    most = max(q.length for q in questions)
    if isinstance(model, Transformer):
        batch = collate(kind, asked, device)
        assert batch.source is not None
        ids = greedy_batch(model, batch.source, padding_of(batch.source, PAD), most, BOS, EOS, PAD).tolist()
    elif isinstance(model, DecoderModel):
        ids = _continued(model, questions, EOS if ends else None)
    else:
        ids = forward_batch(model, collate(kind, asked, device, sight=sight)).logits[:, :most].argmax(-1).tolist()
    ids = [tuple(row[: q.length]) for row, q in zip(ids, questions, strict=True)]
    answered = [Example(q.reads, row) for q, row in zip(questions, ids, strict=True)]
    logits = forward_batch(model, collate(kind, answered, device, sight=sight)).logits.float()
    first = [len(q.reads) if isinstance(model, DecoderModel) else 0 for q in questions]
    return tuple(
        _written(row, logits[b, at : at + len(row)].softmax(-1).cpu().numpy(), q.length)
        for b, (row, at, q) in enumerate(zip(ids, first, questions, strict=True))
    )


def _continued(model: DecoderModel, questions: Sequence[Question], eos: int | None) -> list[list[int]]:
    prompts = [(BOS, *q.reads) for q in questions]
    if len({q.length for q in questions}) == 1:
        return greedy_prompts(model, prompts, questions[0].length, eos, PAD).tolist()
    return [
        greedy_prompts(model, [prompt], q.length, eos, PAD)[0].tolist()
        for prompt, q in zip(prompts, questions, strict=True)
    ]


def _written(ids: Sequence[int], probabilities: np.ndarray, length: int) -> Written:
    """ids (t,) and probabilities (t, V) -> Written of this length."""
    result = Written(np.full(length, PAD, np.int32), np.zeros(length, np.uint8))
    result.ids[: len(ids)] = ids
    chances = np.nan_to_num(probabilities[np.arange(len(ids)), list(ids)])
    result.chances[: len(ids)] = np.rint(255 * chances)
    return result
