"""Is attention linear? In its values, as long as its weights are held fixed; in its input, it is not."""

import copy
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from transformer.core.attention import MultiHeadAttention
from transformer.core.interruption import check_interruption
from transformer.core.positions import Positions
from transformer.core.taps import patch


@dataclass(frozen=True, eq=False)
class Superposition:
    """Attention of a mixture beside the mixture of attentions: f(a X + b Y) and a f(X) + b f(Y), (T, D) each.

    live    with weights computed from the mixture, as in the model
    frozen  with the weights of X, whatever the input
    *_error  how far apart the two are, as a share of the size of the mixture of attentions
    """

    live: tuple[np.ndarray, np.ndarray]
    frozen: tuple[np.ndarray, np.ndarray]
    live_error: float
    frozen_error: float


def superposition(
    attention: MultiHeadAttention,
    x: Tensor,
    y: Tensor,
    a: float,
    b: float,
    mask: Tensor | None = None,
    positions: Positions | None = None,
) -> Superposition:
    """Test superposition on two inputs (T, D) of one attention module, with the mask and the positions that it is given
    in its model.

    The contribution of the biases, f(0) at fixed weights, is subtracted first: with it no map can be linear.
    """
    with torch.inference_mode():
        x, y = x[None].double(), y[None].double()
        f = _Maps(attention, x, mask, positions)

        def compare(map_: Callable[[Tensor], Tensor]) -> tuple[tuple[np.ndarray, np.ndarray], float]:
            whole, parts = map_(a * x + b * y)[0], (a * map_(x) + b * map_(y))[0]
            size = float(parts.norm())
            return (whole.numpy(), parts.numpy()), float((whole - parts).norm()) / size if size else 0.0

        live, live_error = compare(f.live)
        frozen, frozen_error = compare(f.frozen)
    return Superposition(live, frozen, live_error, frozen_error)


def scaling_error(
    attention: MultiHeadAttention,
    x: Tensor,
    factors: list[float],
    mask: Tensor | None = None,
    positions: Positions | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """How far f(c X) is from c f(X), as a share of the size of f(X), for each factor c: (live, frozen)."""
    with torch.inference_mode():
        x = x[None].double()
        f = _Maps(attention, x, mask, positions)
        live, frozen = f.live(x), f.frozen(x)
        unit = float(np.linalg.norm(frozen[0].numpy()))

        def share(whole: Tensor, parts: Tensor) -> float:
            return float(np.linalg.norm((whole - parts)[0].numpy())) / unit if unit else 0.0

        return (
            np.array([share(f.live(c * x), c * live) for c in factors]),
            np.array([share(f.frozen(c * x), c * frozen) for c in factors]),
        )


class _Maps:
    """Attention as a map of its input, in float64 and without what its biases add: `live` with weights that follow
    the input, `frozen` with those of x."""

    def __init__(self, attention: MultiHeadAttention, x: Tensor, mask: Tensor | None, positions: Positions | None):
        self.attention, self.more = _double(attention), {"mask": mask, "positions": positions}
        _, weights = self.attention(x, **self.more)
        self.fixed = patch("weights", weights)
        self.bias = self.attention(torch.zeros_like(x), **self.more, tap=self.fixed)[0]

    def live(self, z: Tensor) -> Tensor:
        check_interruption()
        return self.attention(z, **self.more)[0] - self.bias

    def frozen(self, z: Tensor) -> Tensor:
        check_interruption()
        return self.attention(z, **self.more, tap=self.fixed)[0] - self.bias


def _double(attention: MultiHeadAttention) -> MultiHeadAttention:
    """The same module in float64 (the given one stays as it is)."""
    return copy.deepcopy(attention).double()
