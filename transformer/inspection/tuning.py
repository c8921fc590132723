"""What a further training did to a model: how far its matrices and its heads moved."""

import numpy as np
import torch
from torch import Tensor, nn

from transformer.core.model import Model, SingleStack
from transformer.training.batches import Batch, forward_batch
from transformer.training.text import PAD


def matrices_moved(before: nn.Module, after: nn.Module) -> dict[str, float]:
    """||W' - W|| / ||W|| of every matrix, by the name of its parameter: exactly 0 where no bit of it has changed."""
    last = dict(after.named_parameters())
    return {name: ((last[name] - W).norm() / W.norm()).item() for name, W in before.named_parameters() if W.dim() == 2}


def singular_values(update: Tensor) -> np.ndarray:
    """Those of an update, the largest first, in float64: as many are above 0 as its rank."""
    return torch.linalg.svdvals(update.double()).numpy()


@torch.inference_mode()
def largest_difference(a: Model, b: Model, batch: Batch) -> float:
    """How far two probabilities of the same word are apart at most."""
    one, other = (forward_batch(model, batch).logits.softmax(-1) for model in (a, b))
    return (one - other).abs().max().item()


@torch.inference_mode()
def maps(model: SingleStack, batch: Batch) -> np.ndarray:
    """The attention weights of every head on the first text of a batch, (L, H, T, T)."""
    return torch.stack([layer[0] for layer in _weights(model, batch)]).numpy()


@torch.inference_mode()
def heads_moved(before: SingleStack, after: SingleStack, batch: Batch) -> np.ndarray:
    """The share of its attention weight that each head puts elsewhere, (L, H): 0 none, 1 all of it.

    That is sum |w' - w| / 2 over the keys, in the mean over all queries of all texts without their padding.
    """
    is_token = batch.text != PAD  # (B, T)
    rows = []
    for old, new in zip(_weights(before, batch), _weights(after, batch), strict=True):
        share = (new - old).abs().sum(-1) / 2  # (B, H, T)
        rows.append((share * is_token[:, None]).sum((0, 2)) / is_token.sum())
    return torch.stack(rows).numpy()


def _weights(model: SingleStack, batch: Batch) -> list[Tensor]:
    """A tensor (B, H, T, T) per layer."""
    attention = forward_batch(model, batch).attention
    return attention.encoder or attention.decoder
