"""How strongly the last output of a network depends on a token that stands far back: d out_T / d x_t, by autograd."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

_READ, _LEFT = (("embedded", "decoder.embedded"), ("out", "decoder.out"))  # taps


def jacobian_norms(model: nn.Module, ids: Tensor) -> np.ndarray:
    """||d out_T / d x_t||_F for every token t of every text: ids (B, T) -> float64 (B, T).

    x is what the network reads, one vector per token (before positions are added), and out_T the last vector that
    leaves it (before the logits). Each text is run as D copies, one per feature of out_T; copy i is asked for the
    gradient of feature i, so that one backward pass gives every row of its Jacobian. What a backward pass needs of all
    texts at once would be over a hundred MB: they are run one after the other.
    """
    return np.concatenate([_norms(model, text) for text in ids.split(1)])


def _norms(model: nn.Module, ids: Tensor) -> np.ndarray:
    kept: dict[str, Tensor] = {}
    table = "embedding.weight" if hasattr(model, "embedding") else "decoder.embedding.weight"
    (B, T), D = ids.shape, model.get_parameter(table).shape[1]

    def tap(name: str, tensor: Tensor) -> Tensor:
        if name in _READ:
            kept["x"] = tensor = tensor.detach().requires_grad_()
        if name in _LEFT:
            kept["out"] = tensor
        return tensor

    with torch.enable_grad():
        model(ids.repeat_interleave(D, dim=0), tap=tap)
        last = kept["out"][:, -1].reshape(B, D, D)
        (rows,) = torch.autograd.grad(last.diagonal(dim1=1, dim2=2).sum(), kept["x"])  # (B D, T, D)
    return rows.double().reshape(B, D, T, -1).norm(dim=(1, 3)).numpy()


def norms_at_distances(model: nn.Module, texts: Tensor, distances: Sequence[int]) -> np.ndarray:
    """The geometric mean of that norm for the token `distance` before the last, for each of the distances.

    texts  (distances, n, T): n texts for each
    """
    n_distances, n, T = texts.shape
    norms = jacobian_norms(model, texts.reshape(-1, T)).reshape(n_distances, n, T)
    there = np.stack([norms[i, :, T - 1 - distance] for i, distance in enumerate(distances)])
    return np.exp(np.log(np.maximum(there, 1e-300)).mean(1))
