"""Is attention linear? In its values, as long as its weights are held fixed; in its input, it is not."""

import copy
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from transformer.attention import MultiHeadAttention
from transformer.taps import Recorder, patch


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
    attention: MultiHeadAttention, x: Tensor, y: Tensor, a: float, b: float, mask: Tensor | None = None
) -> Superposition:
    """Test superposition on two inputs (T, D) of one attention module.

    The contribution of the biases, f(0) at fixed weights, is subtracted first: with it no map can be linear.
    """
    with torch.inference_mode():
        x, y = x[None].double(), y[None].double()
        attention = _double(attention)
        recorder = Recorder("weights")
        attention(x, mask=mask, tap=recorder)
        fixed = patch("weights", recorder["weights"])
        bias = attention(torch.zeros_like(x), mask=mask, tap=fixed)[0]

        def compare(frozen: bool) -> tuple[tuple[np.ndarray, np.ndarray], float]:
            def f(z: Tensor) -> Tensor:
                return (attention(z, mask=mask, tap=fixed) if frozen else attention(z, mask=mask))[0] - bias

            whole, parts = f(a * x + b * y)[0], (a * f(x) + b * f(y))[0]
            size = float(parts.norm())
            return (whole.numpy(), parts.numpy()), float((whole - parts).norm()) / size if size else 0.0

        live, live_error = compare(False)
        frozen, frozen_error = compare(True)
    return Superposition(live, frozen, live_error, frozen_error)


def scaling_error(attention: MultiHeadAttention, x: Tensor, factors: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """How far f(c X) is from c f(X), as a share of the size of f(X), for each factor c: (live, frozen)."""
    zero = torch.zeros_like(x)
    runs = [superposition(attention, x, zero, c, 0.0) for c in factors]

    def share(pair: tuple[np.ndarray, np.ndarray], unit: float) -> float:
        return float(np.linalg.norm(pair[0] - pair[1])) / unit if unit else 0.0

    unit = float(np.linalg.norm(superposition(attention, x, zero, 1.0, 0.0).frozen[0]))
    return np.array([share(r.live, unit) for r in runs]), np.array([share(r.frozen, unit) for r in runs])


def _double(attention: MultiHeadAttention) -> MultiHeadAttention:
    """The same module in float64 (the given one stays as it is)."""
    return copy.deepcopy(attention).double()
