"""Which features rotary positions turn together: a model read with other pairs than those of its training, and its W_q
and W_k put into the order in which they are the same again.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch

from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel
from transformer.core.positions import make_positions
from transformer.inspection import closing, stretching
from transformer.training.tasks.task import Task


def pairs(config: TransformerConfig) -> list[tuple[int, int]]:
    """The features of a head that turn together, the fastest pair first."""
    n = int(config.d_k * config.rotary_share) // 2
    return [(i, i + n) if config.pairing == "half" else (2 * i, 2 * i + 1) for i in range(n)]


def order_for_halves(config: TransformerConfig) -> list[int]:
    """The features of a head, so ordered that "half" pairs those which were neighbours: 0, 2, 4, ..., 1, 3, 5, ...

    Those that do not turn keep their places.
    """
    n = int(config.d_k * config.rotary_share) // 2
    return [*range(0, 2 * n, 2), *range(1, 2 * n, 2), *range(2 * n, config.d_k)]


def reordered(model: DecoderModel) -> DecoderModel:
    """A model whose columns of W_q and W_k are in the order of `order_for_halves`. The given model stays as it is."""
    model = deepcopy(model)
    order = torch.tensor(order_for_halves(model.config))
    with torch.no_grad():
        for layer in model.decoder.layers:
            for linear in (layer.self_attn.w_q, layer.self_attn.w_k):
                for parameter in linear.parameters():  # a row of torch's weight is a column of W; and the bias
                    heads = parameter.unflatten(0, (-1, len(order)))  # (H, d_k, ...)
                    parameter.copy_(heads[:, order].flatten(0, 1))
            for norm in (layer.self_attn.norm_q, layer.self_attn.norm_k):
                for parameter in () if norm is None else norm.parameters():
                    parameter.copy_(parameter[order])
    return model


def read_with(model: DecoderModel, pairing: str) -> DecoderModel:
    """The same parameters, read with these pairs, one of PAIRINGS. The given model stays as it is."""
    model = deepcopy(model)
    model.config = replace(model.config, pairing=pairing)
    model.decoder.positions = make_positions(model.config, bidirectional=False).to(model.decoder.embedding.weight)
    return model


class ReadWith(NamedTuple):
    """A model of the task `code` that is read with some pairs.

    weights  (T, T) of one head on one text, <bos> in front
    p        the mean probability that it gives to the right bracket, wherever one is closed in many texts
    """

    weights: np.ndarray
    p: float


def read_code(
    model: DecoderModel, task: Task, text: Sequence[str], head: tuple[int, int], codes: Sequence[Sequence[str]]
) -> ReadWith:
    """One head on one text, and how sure the model is of the brackets of all codes, which are equally long."""
    layer, number = head
    weights = closing.read(model, task, text).weights[layer, number]
    return ReadWith(weights, float(stretching.closing_answers(model, task, codes).p.mean()))


def bracket_head(model: DecoderModel, task: Task, text: Sequence[str]) -> tuple[int, int]:
    """The (layer, head) that looks most at the bracket which a closing one belongs to."""
    read = closing.read(model, task, text)
    rows, columns = zip(*read.pairs, strict=True)
    scores = read.weights[:, :, rows, columns].mean(-1)  # (L, H)
    layer, head = np.unravel_index(int(scores.argmax()), scores.shape)
    return int(layer), int(head)
