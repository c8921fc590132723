"""What a training minimises: the cross-entropy, and what keeps the experts of a mixture equally busy."""

import torch
import torch.nn.functional as F
from torch import Tensor

from transformer.core.mixture import balance_loss
from transformer.training.batches import Batch
from transformer.training.text import PAD


class Routed(dict[str, Tensor]):
    """A tap that keeps what every router says, with its gradient: path -> shares (B, T, E)."""

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        if name.endswith(".router"):
            self[name] = tensor
        return tensor

    def balance_loss(self, batch: Batch, top_k: int) -> Tensor:
        """The mean of mixture.balance_loss over all layers. Padding goes to experts as well, but counts for nothing."""
        losses = []
        for name, shares in self.items():
            read = batch.source if name.startswith("encoder") and batch.source is not None else batch.text
            is_text = read.shape == shares.shape[:2]  # the patches of an image have no padding among them
            losses.append(balance_loss(shares[read != PAD] if is_text else shares.flatten(0, 1), top_k))  # (N, E)
        return torch.stack(losses).mean()


def cross_entropy(
    logits: Tensor,
    wanted: Tensor,
    label_smoothing: float = 0.0,
    weights: Tensor | None = None,
    expected: Tensor | None = None,
) -> Tensor:
    """-log p(wanted), averaged over the positions with a target. logits (B, T, V), wanted (B, T)

    weights (B, T): how much each position counts, sum(w nats) / sum(w); None: all with a target count the same.
    expected (B, T, V): -sum_v expected_v log p(v) in its place, the mean of -log p over tokens that come so often.
    """
    if expected is not None:
        weights = ((wanted != PAD).float() if weights is None else weights).flatten()
        counts = weights.nonzero()[:, 0]  # padding, and of drills most, need no probabilities of thousands of tokens
        soft = F.cross_entropy(
            logits.flatten(0, 1)[counts].float(),
            expected.flatten(0, 1)[counts],
            label_smoothing=label_smoothing,
            reduction="none",
        )  # (N,)
        return (weights[counts] * soft).sum() / weights.sum()
    nats = F.cross_entropy(
        logits.flatten(0, 1).float(),
        wanted.flatten(),
        ignore_index=PAD,
        label_smoothing=label_smoothing,
        reduction="mean" if weights is None else "none",
    )  # () or (B * T,)
    return nats if weights is None else (weights.flatten() * nats).sum() / weights.sum()
