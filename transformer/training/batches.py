"""From examples to tensors: the model's input, the tokens it is to predict, and the padding."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Generator, Tensor

from transformer.core.config import TransformerConfig
from transformer.core.images import answer_logits, scaled
from transformer.core.masks import padding_of
from transformer.core.model import DecoderModel, EncoderModel, Model, Output, Transformer
from transformer.core.taps import Tap, no_tap
from transformer.training.tasks.task import Example, Kind, Sight, Task
from transformer.training.text import BOS, EOS, PAD

NEVER = -1e9  # the logit of what is no answer to a question: finite, and a probability of exactly 0
_MODELS: dict[Kind, type[Model]] = {"encoder-decoder": Transformer, "decoder": DecoderModel, "encoder": EncoderModel}


class Batch(NamedTuple):
    """One batch of examples, padded with PAD to its longest.

    source  (B, S) the encoder's input, or None unless there is an encoder beside the decoder
    text    (B, T) the decoder's input, or that of an encoder alone; begins with <bos>. Of pictures their pixels,
            (B, 3, side, side) float32
    wanted  (B, T) the token to predict at each position; PAD where there is none. Of pictures (B, questions)
    sight   how the pictures are read; None where there are none
    weights (B, T) how much each wanted token counts in the loss; None where all count the same
    expected (B, T, V) how probable each token is at each position, where that is learned in place of `wanted`
    """

    source: Tensor | None
    text: Tensor
    wanted: Tensor
    sight: Sight | None = None
    weights: Tensor | None = None
    expected: Tensor | None = None


def build(kind: Kind, config: TransformerConfig, generator: Generator | None = None) -> Model:
    """The model for a kind of task, with fresh weights from the generator."""
    return _MODELS[kind](config, generator)


def batch_of(task: Task, examples: Sequence[Example], device: torch.device | str = "cpu") -> Batch:
    """Examples of a task as one batch."""
    return collate(task.kind, examples, device, ends=task.ends, sight=task.sight)


def collate(
    kind: Kind,
    examples: Sequence[Example],
    device: torch.device | str = "cpu",
    *,
    ends: bool = True,
    sight: Sight | None = None,
) -> Batch:
    """Examples as one batch, shifted: each position holds in `wanted` the token that comes next in `text`.

    ends=False: nothing is to be predicted after the last token of a target, where <eos> would be.
    sight: the sources are pictures.
    """
    if sight is not None:
        return _seen(examples, sight, device)
    rows = [_row(kind, example, ends) for example in examples]
    source = _padded([example.source for example in examples], device) if kind == "encoder-decoder" else None
    return Batch(source, _padded([text for text, _ in rows], device), _padded([wanted for _, wanted in rows], device))


def _seen(examples: Sequence[Example], sight: Sight, device: torch.device | str) -> Batch:
    side = sight.side
    pixels = np.frombuffer(b"".join(bytes(example.source) for example in examples), np.uint8)
    images = scaled(pixels.reshape(len(examples), side, side, 3)).to(device)
    n = len(sight.questions)
    wanted = [[*example.target, *[PAD] * (n - len(example.target))] for example in examples]
    return Batch(None, images, torch.tensor(wanted, dtype=torch.long, device=device), sight)


def _row(kind: Kind, example: Example, ends: bool) -> tuple[list[int], list[int]]:
    last = EOS if ends else PAD
    match kind:
        case "encoder-decoder":
            return [BOS, *example.target], [*example.target, last]
        case "decoder":
            return [BOS, *example.source, *example.target], [PAD] * len(example.source) + [*example.target, last]
        case "encoder":
            return [BOS, *example.source], [*example.target] + [PAD] * len(example.source)


def stressed(batch: Batch, examples: Sequence[Example], stress: float) -> Tensor:
    """How much each wanted token counts where answers are stressed: (B, T), as batch.wanted; batch is that of examples.

    An answer, which is a target token that the alignment of its example has as a query, counts `stress`; another token
    counts 1, padding 0. For models with a decoder.
    """
    weights = (batch.wanted != PAD).float()
    weights[_answers(batch, examples)] = stress
    return weights


def drilled(batch: Batch, examples: Sequence[Example], drills: Collection[Example], weight: float) -> Tensor:
    """How much each wanted token counts, if of some examples, the drills, only the answers do: as `stressed` has it."""
    weights = (batch.wanted != PAD).float() if batch.weights is None else batch.weights.clone()
    of_drill = torch.tensor([example in drills for example in examples], device=weights.device)
    rows, columns = _answers(batch, examples)
    weights[of_drill] = 0.0
    weights[rows[of_drill[rows]], columns[of_drill[rows]]] = weight
    return weights


def _answers(batch: Batch, examples: Sequence[Example]) -> tuple[Tensor, Tensor]:
    """Rows and columns of the answers in batch.wanted."""
    # A decoder alone predicts its first target token where the source ends.
    firsts = [len(example.source) if batch.source is None else 0 for example in examples]
    answers = [(row, firsts[row] + i) for row, example in enumerate(examples) for i, _ in example.alignment]
    rows, columns = torch.tensor(answers, dtype=torch.long, device=batch.wanted.device).reshape(-1, 2).T
    return rows, columns


def _padded(rows: Sequence[Sequence[int]], device: torch.device | str) -> Tensor:
    width = max(map(len, rows))
    return torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows], dtype=torch.long, device=device)


def forward_batch(
    model: Model, batch: Batch, *, is_causal: bool = True, tap: Tap = no_tap, generator: Generator | None = None
) -> Output:
    """Run the model on a batch, with padding masked for every position whose prediction counts.

    is_causal=False lets the decoder look ahead at the tokens it is to predict. Of pictures the logits are those of the
    questions, (B, questions, V), where only the answers to a question can be chosen.
    """
    if batch.sight is not None:
        return _answered(model(batch.text, tap=tap, generator=generator), batch.sight)
    if isinstance(model, Transformer):
        assert batch.source is not None  # collate made it for a task of this kind
        src_mask = padding_of(batch.source, PAD)  # (B, 1, 1, S)
        # A causal decoder never sees padding in front of anything wanted: it comes after everything.
        tgt_mask = None if is_causal else padding_of(batch.text, PAD)
        return model(batch.source, batch.text, src_mask, tgt_mask, is_causal=is_causal, tap=tap, generator=generator)
    if isinstance(model, DecoderModel):
        mask = None if is_causal else padding_of(batch.text, PAD)
        return model(batch.text, mask, is_causal=is_causal, tap=tap, generator=generator)
    return model(batch.text, padding_of(batch.text, PAD), tap=tap, generator=generator)


def _answered(output: Output, sight: Sight) -> Output:
    """What is read at the class token, or from the mean of all patches, once for each question."""
    read = answer_logits(output.logits, sight.reads)  # (B, V)
    can_answer = torch.zeros(len(sight.options), read.shape[-1], dtype=torch.bool, device=read.device)
    for question, ids in enumerate(sight.options):
        can_answer[question, list(ids)] = True
    return output._replace(logits=read[:, None].masked_fill(~can_answer, NEVER))
