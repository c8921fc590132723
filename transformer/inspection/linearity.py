"""Is attention linear? In its values, as long as the weights are held fixed; in its input, not."""

import copy
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from transformer.attention import MultiHeadAttention
from transformer.taps import Recorder, patch


@dataclass(frozen=True, eq=False)
class Mixed:
    """Attention of a mixture beside the mixture of attentions: f(a X + b Y) and a f(X) + b f(Y), (T, D) each.

    live    weights computed from the mixture, as the model does      frozen   weights of X, whatever comes in
    _off    how far apart the two are, as a share of the size of the mixture of attentions
    """

    live: tuple[np.ndarray, np.ndarray]
    frozen: tuple[np.ndarray, np.ndarray]
    live_off: float
    frozen_off: float


def mix(attention: MultiHeadAttention, x: Tensor, y: Tensor, a: float, b: float, mask: Tensor | None = None) -> Mixed:
    """Test superposition on two inputs (T, D) of one attention module. What the biases add whatever comes in,
    f(0) at fixed weights, is taken off first: with it no map can be linear."""
    with torch.inference_mode():
        x, y = x[None].double(), y[None].double()
        attention = _double(attention)
        seen = Recorder("weights")
        attention(x, mask=mask, tap=seen)
        held = patch("weights", seen["weights"])
        nothing = attention(torch.zeros_like(x), mask=mask, tap=held)[0]

        def off(frozen: bool) -> tuple[tuple[np.ndarray, np.ndarray], float]:
            def f(z: Tensor) -> Tensor:
                return (attention(z, mask=mask, tap=held) if frozen else attention(z, mask=mask))[0] - nothing

            whole, parts = f(a * x + b * y)[0], (a * f(x) + b * f(y))[0]
            size = float(parts.norm())
            return (whole.numpy(), parts.numpy()), float((whole - parts).norm()) / size if size else 0.0

        live, live_off = off(False)
        frozen, frozen_off = off(True)
    return Mixed(live, frozen, live_off, frozen_off)


def stretch(attention: MultiHeadAttention, x: Tensor, by: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """How far f(c X) is from c f(X), as a share of the size of f(X), for each c: (live, frozen)."""
    zero = torch.zeros_like(x)
    runs = [mix(attention, x, zero, c, 0.0) for c in by]

    def share(pair: tuple[np.ndarray, np.ndarray], unit: float) -> float:
        return float(np.linalg.norm(pair[0] - pair[1])) / unit if unit else 0.0

    unit = float(np.linalg.norm(mix(attention, x, zero, 1.0, 0.0).frozen[0]))
    return np.array([share(r.live, unit) for r in runs]), np.array([share(r.frozen, unit) for r in runs])


def _double(attention: MultiHeadAttention) -> MultiHeadAttention:
    """The same module in float64 (the one that is given stays as it is)."""
    return copy.deepcopy(attention).double()
