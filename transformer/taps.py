"""Taps: how everything but the weights leaves the model, and how it is changed on the way.

A tap is a function (name, tensor) -> tensor that is handed down the call. The model calls it at every named point
and goes on with what it returns. Names are paths: "decoder.1.cross_attn.scores". Nothing is stored on a module, so
one model can serve many threads at once.
"""

from collections.abc import Callable, Collection

import torch
from torch import Tensor

Tap = Callable[[str, Tensor], Tensor]


def no_tap(name: str, tensor: Tensor) -> Tensor:
    """The tap that does nothing."""
    return tensor


def under(prefix: str, tap: Tap) -> Tap:
    """The same tap for a part of the model: names gain `prefix` and a dot."""
    if tap is no_tap:
        return no_tap
    return lambda name, tensor: tap(f"{prefix}.{name}", tensor)


class Recorder(dict[str, Tensor]):
    """A tap that keeps what it sees, as a dict from path to tensor, and changes nothing.

    `Recorder("q", "k")` keeps only paths whose last part is one of the given names; `Recorder()` keeps all.
    """

    def __init__(self, *names: str):
        super().__init__()
        self._names: Collection[str] = frozenset(names)

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        if not self._names or name.rpartition(".")[2] in self._names:
            self[name] = tensor.detach()
        return tensor


def ablate(path: str, head: int) -> Tap:
    """Silence one head: `ablate("encoder.0.self_attn", 2)` sets its output to zero before W_o.

    The same as zeroing the d_k rows of W_o that belong to the head. Raises IndexError if there is no such head.
    """

    def tap(name: str, tensor: Tensor) -> Tensor:
        if name != f"{path}.heads":
            return tensor
        if not 0 <= head < tensor.shape[1]:
            raise IndexError(f"{path} has heads 0 to {tensor.shape[1] - 1}; there is no head {head}")
        keep = torch.ones(tensor.shape[1], dtype=torch.bool, device=tensor.device)
        keep[head] = False
        return torch.where(keep[:, None, None], tensor, torch.zeros_like(tensor))  # (B, H, T, d_k)

    return tap


def patch(path: str, value: Tensor) -> Tap:
    """Put `value` in the place of the tensor at `path`; it must have the same shape."""

    def tap(name: str, tensor: Tensor) -> Tensor:
        if name != path:
            return tensor
        if value.shape != tensor.shape:
            raise ValueError(f"{path} has shape {tuple(tensor.shape)}; the patch has {tuple(value.shape)}")
        return value

    return tap


def chain(*taps: Tap) -> Tap:
    """Several taps, one after the other."""

    def tap(name: str, tensor: Tensor) -> Tensor:
        for each in taps:
            tensor = each(name, tensor)
        return tensor

    return tap
