"""A model at a few steps of its training: what it takes to see it translate or write before it was done learning.

The weights of a step are one vector, in the order of the model's parameters, with 16 bits each. Of a training under way
the stages are thinned as they come, so that there are always few of them, and more where its loss moved more.
"""

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from safetensors.numpy import load as read_arrays
from safetensors.numpy import save as write_arrays
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

MAX_STAGES = 14  # of one training
MAX_BYTES = 6_000_000  # of all its stages together
MIN_STAGES = 4  # fewer say nothing: a model that is too large for them has none
BLOCK = 64  # weights that share a scale in a file of 8 bits


class Stage(NamedTuple):
    """A model after a step of its training.

    loss     of the validation
    weights  (P,) float16
    """

    step: int
    loss: float
    weights: np.ndarray


def most_stages(n_parameters: int) -> int:
    """How many stages of a model of this size are kept: 0 for one that is too large."""
    fitting = min(MAX_STAGES, MAX_BYTES // (2 * max(1, n_parameters)))
    return fitting if fitting >= MIN_STAGES else 0


def stage_of(model: nn.Module, step: int, loss: float) -> Stage | None:
    """The model as it is; None for one that is too large, or whose weights are beyond what 16 bits can say."""
    if not most_stages(sum(p.numel() for p in model.parameters())):
        return None
    weights = parameters_to_vector(p.detach().cpu() for p in model.parameters()).half().numpy()
    return Stage(step, loss, weights) if np.isfinite(weights).all() and np.isfinite(loss) else None


def set_weights(model: nn.Module, stage: Stage) -> None:
    """Give a model of the same sizes the weights of a stage."""
    with torch.no_grad():
        vector_to_parameters(torch.from_numpy(stage.weights).float(), model.parameters())


def thinned(stages: Sequence[Stage], most: int) -> tuple[Stage, ...]:
    """At most so many stages, the first and the last among them. One after the other goes that is missed the least: the
    way from the stage before it to the stage after it is the shortest, half by steps and half by how the loss moved."""
    kept = list(stages)
    while len(kept) > max(2, most):
        way = _way(kept)
        del kept[min(range(1, len(kept) - 1), key=lambda n: way[n + 1] - way[n - 1])]
    return tuple(kept[:most])


def _way(stages: Sequence[Stage]) -> list[float]:
    """How far the training has come at each stage, from 0 to 2."""
    span = stages[-1].step - stages[0].step
    moved = sum(abs(b.loss - a.loss) for a, b in pairwise(stages)) or 1.0
    way = [0.0]
    for a, b in pairwise(stages):
        way.append(way[-1] + (b.step - a.step) / span + abs(b.loss - a.loss) / moved)
    return way


# ---- in 8 bits ---------------------------------------------------------------------------------------------------


def packed(stages: Sequence[Stage]) -> bytes:
    """The bytes of a file with 8 bits per weight: w = code * scale, where BLOCK weights share a scale, the largest of
    them over 127. No weight is off by more than half of its scale."""
    codes, scales = [], []
    for stage in stages:
        blocks = _blocks(stage.weights)
        scale = (np.abs(blocks).max(1) / 127).astype(np.float32)
        code = np.rint(blocks / np.where(scale > 0, scale, 1)[:, None]).astype(np.int8)
        codes.append(code.ravel()[: len(stage.weights)])
        scales.append(scale)
    facts = {"stages": json.dumps([[stage.step, float(f"{stage.loss:.5g}")] for stage in stages])}
    return write_arrays({"codes": np.stack(codes), "scales": np.stack(scales)}, facts)


def unpacked(data: bytes) -> tuple[Stage, ...]:
    """The stages in a file of this project's own."""
    arrays = read_arrays(data)
    facts = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]
    result = []
    for (step, loss), codes, scales in zip(json.loads(facts["stages"]), arrays["codes"], arrays["scales"], strict=True):
        weights = (_blocks(codes) * scales[:, None]).ravel()[: len(codes)]
        result.append(Stage(step, loss, weights.astype(np.float16)))
    return tuple(result)


def _blocks(weights: np.ndarray) -> np.ndarray:
    """A vector as rows of BLOCK float32, filled up with zeros."""
    room = -len(weights) % BLOCK
    return np.pad(weights.astype(np.float32), (0, room)).reshape(-1, BLOCK)
