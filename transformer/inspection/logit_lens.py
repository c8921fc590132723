"""The logit lens: what a model would say if its stream were read out before the last layer, at every token.

At each height the stream goes through the last norm and the output map, as it does after the last layer
(nostalgebraist 2020).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from transformer.core.model import SingleStack
from transformer.core.taps import Recorder
from transformer.inspection.run import Text, each_layer

N_RIVALS = 3


@dataclass(frozen=True, eq=False)
class Lens:
    """What is read out of the stream of T tokens at its L + 1 heights: as it enters the first layer, and after each.

    heights  names of the heights, the lowest first
    said     (L + 1, T) the id that is ranked first; rivals (L + 1, T, n) those that come next
    chances  (L + 1, T) its probability; close (L + 1, T, n) theirs
    ranks    (L + 1, T) the rank, 1 for the first, of what the whole model ranks first
    odds     (L + 1, T) the probability of that
    """

    heights: tuple[str, ...]
    said: np.ndarray
    chances: np.ndarray
    ranks: np.ndarray
    odds: np.ndarray
    rivals: np.ndarray
    close: np.ndarray

    @property
    def since(self) -> np.ndarray:
        """(T,) the height from which on, up to the last, the model's own answer is ranked first."""
        is_first = self.ranks == 1
        return len(is_first) - np.cumprod(is_first[::-1], 0).sum(0)


@torch.inference_mode()
def logit_lens(model: SingleStack, ids: Text) -> Lens:
    """Read out the stream at every height of one pass. The logits of one height are held at a time, (T, V)."""
    states = list(_states(model, ids))
    answers = _read_out(model, states[-1]).argmax(-1)  # (T,)
    first, chances, ranks, odds = [], [], [], []
    for state in states:
        logits = _read_out(model, state)  # (T, V)
        chance = logits.softmax(-1)
        answer = logits.gather(-1, answers[:, None])
        likely = logits.topk(min(1 + N_RIVALS, logits.shape[-1])).indices  # (T, n): rounded chances may tie
        first.append(likely.numpy())
        chances.append(chance.gather(-1, likely).numpy())
        ranks.append(1 + (logits > answer).sum(-1).numpy())
        odds.append(chance.gather(-1, answers[:, None])[:, 0].numpy())
    heights = ("embedding", *(f"layer {layer}" for layer in range(len(first) - 1)))
    best, shares = np.stack(first), np.stack(chances)  # (L + 1, T, n)
    return Lens(heights, best[..., 0], shares[..., 0], np.stack(ranks), np.stack(odds), best[..., 1:], shares[..., 1:])


@torch.inference_mode()
def read_out(model: SingleStack, state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the model would say at every token if this state (T, D) of its stream were the last: the id that is ranked
    first, and its probability; (T,) each."""
    chance, said = _read_out(model, torch.tensor(state)).softmax(-1).max(-1)
    return said.numpy(), chance.numpy()


def _states(model: SingleStack, ids: Text) -> Iterator[Tensor]:
    """The stream (T, D) as it enters the first layer, and after each."""
    recorder = Recorder("residual_in")
    for layer, (x, _) in enumerate(each_layer(model, ids, tap=recorder)):
        if not layer:
            yield recorder[f"{model.kind}.0.residual_in"][0]
        recorder.clear()
        yield x[0]


def _read_out(model: SingleStack, state: Tensor) -> Tensor:
    """The logits (T, V) of a state of the stream (T, D), in float32."""
    stack = model.stack
    return model.output(stack.final_norm(state)[None], stack.embedding)[0].float()
