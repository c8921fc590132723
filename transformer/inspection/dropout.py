"""Dropout where the model does it: a tensor before and after, in training and in evaluation."""

from dataclasses import dataclass
from functools import reduce

import numpy as np
import torch
from torch import Generator, Tensor

from transformer.core.checks import InputError
from transformer.core.context import Context
from transformer.core.model import EncoderModel
from transformer.core.random import dropout
from transformer.inspection.ablations import twin
from transformer.inspection.run import Text, one_text

PLACES = ("weights", "update", "embedding")


@dataclass(frozen=True, eq=False)
class DropoutRun:
    """A tensor, 2-D, before and after dropout, means over the draws.

    kept      the share of the last draw's elements that were not dropped
    recorded  the same tensor as the model returned or recorded it in the last draw, which is before dropout
    """

    before: np.ndarray
    after: np.ndarray
    kept: float
    recorded: np.ndarray


def run_dropout(
    model: EncoderModel, ids: Text, where: str, *, training: bool, draws: int = 1, seed: int = 0
) -> DropoutRun:
    """Run the first layer of the model `draws` times and record one of its dropouts at work.

    where: "weights" of the first head (T, T), the "update" of the stream by attention (T, D), or the "embedding"
    (T, D). The draw is the model's own: its generator is copied at the very point where the model draws next. Raises
    InputError for another place.
    """
    if where not in PLACES:
        raise InputError(f"there is no dropout at {where!r}; there is one at {', '.join(PLACES)}")
    kind = "encoder"
    point = {
        "weights": f"{kind}.0.self_attn.weights",
        "update": f"{kind}.0.self_attn.out",
        "embedding": f"{kind}.{'positioned' if model.encoder.embedding_norm is None else 'normed'}",
    }[where]
    model = twin(model).train(training)
    p = model.config.dropout if training else 0.0
    generator = Generator().manual_seed(seed)
    pairs: list[tuple[Tensor, Tensor]] = []

    def tap(name: str, tensor: Tensor) -> Tensor:
        if name == point:
            copied = Generator()
            copied.set_state(generator.get_state())
            pairs.append((tensor, dropout(tensor, p, copied)))
        return tensor

    def flat(tensor: Tensor) -> np.ndarray:
        return (tensor[0, 0] if where == "weights" else tensor[0]).numpy()

    # All layers and the vocabulary would run for nothing: only the first layer is looked at.
    stack = model.encoder
    stack.layers = stack.layers[:1]
    befores, afters, recorded = [], [], []
    with torch.inference_mode():
        for _ in range(draws):
            _, attention = stack(one_text(ids), ctx=Context(tap, generator=generator).at(kind))
            # With several dropouts in a row, a later tensor is itself made of dropped ones: each draw has its own.
            before, after = (flat(t) for t in pairs.pop())
            befores.append(before)
            afters.append(after)
            recorded.append(flat(attention[0]) if where == "weights" else before)
    alive = befores[-1] != 0
    kept = float((afters[-1][alive] != 0).mean()) if alive.any() else 1.0
    return DropoutRun(_mean(befores), _mean(afters), kept, recorded[-1])


def _mean(arrays: list[np.ndarray]) -> np.ndarray:
    return reduce(np.add, arrays[1:], arrays[0].astype(np.float64)) / len(arrays)
