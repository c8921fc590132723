"""From examples to tensors: the model's input, the tokens it is to predict, and the padding."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Generator, Tensor

from transformer.config import TransformerConfig
from transformer.masks import padding_of
from transformer.model import DecoderModel, EncoderModel, Model, Output, Transformer
from transformer.taps import Tap, no_tap
from transformer.training.tasks.task import Example, Kind
from transformer.training.text import BOS, EOS, PAD

_MODELS: dict[Kind, type[Model]] = {"encoder-decoder": Transformer, "decoder": DecoderModel, "encoder": EncoderModel}


class Batch(NamedTuple):
    """One batch of examples, padded with PAD to its longest.

    source  (B, S) the encoder's input, or None unless there is an encoder beside the decoder
    text    (B, T) the decoder's input, or that of an encoder alone; begins with <bos>
    wanted  (B, T) the token to predict at each position; PAD where there is none
    """

    source: Tensor | None
    text: Tensor
    wanted: Tensor


def build(kind: Kind, config: TransformerConfig, generator: Generator | None = None) -> Model:
    """The model for a kind of task, with fresh weights from the generator."""
    return _MODELS[kind](config, generator)


def collate(kind: Kind, examples: Sequence[Example], device: torch.device | str = "cpu", *, ends: bool = True) -> Batch:
    """Examples as one batch, shifted: each position holds in `wanted` the token that comes next in `text`.

    ends=False: nothing is to be predicted after the last token of a target, where <eos> would be.
    """
    rows = [_row(kind, example, ends) for example in examples]
    source = _padded([example.source for example in examples], device) if kind == "encoder-decoder" else None
    return Batch(source, _padded([text for text, _ in rows], device), _padded([wanted for _, wanted in rows], device))


def _row(kind: Kind, example: Example, ends: bool) -> tuple[list[int], list[int]]:
    last = EOS if ends else PAD
    match kind:
        case "encoder-decoder":
            return [BOS, *example.target], [*example.target, last]
        case "decoder":
            return [BOS, *example.source, *example.target], [PAD] * len(example.source) + [*example.target, last]
        case "encoder":
            return [BOS, *example.source], [*example.target] + [PAD] * len(example.source)


def _padded(rows: Sequence[Sequence[int]], device: torch.device | str) -> Tensor:
    width = max(map(len, rows))
    return torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows], dtype=torch.long, device=device)


def forward_batch(
    model: Model,
    batch: Batch,
    *,
    is_causal: bool = True,
    tap: Tap = no_tap,
    generator: Generator | None = None,
) -> Output:
    """Run the model on a batch, with padding masked for every position whose prediction counts.

    is_causal=False lets the decoder look ahead at the tokens it is to predict.
    """
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
