"""Taps: how every tensor but the weights leaves the model, and how it is changed on the way.

A tap is a function (name, tensor) -> tensor that is handed down the call. The model calls it at every named point
and goes on with what it returns. Names are paths: "decoder.1.cross_attn.scores". Nothing is stored on a module, so
one model can serve many threads at once.
"""

import re
from collections.abc import Callable
from difflib import get_close_matches

import torch
from torch import Tensor

from transformer.core.checks import InputError

Tap = Callable[[str, Tensor], Tensor]


def no_tap(name: str, tensor: Tensor) -> Tensor:
    """The tap that does nothing."""
    return tensor


def prefix(part: str, tap: Tap) -> Tap:
    """The same tap for a part of the model: names gain `part` and a dot."""
    if tap is no_tap:
        return no_tap
    return lambda name, tensor: tap(f"{part}.{name}", tensor)


class Recorder(dict[str, Tensor]):
    """A tap that keeps the tensors it sees, as a dict from path to tensor, and changes nothing.

    `Recorder("q", "k")` keeps only paths whose last part is one of the given names; `Recorder()` keeps all.
    """

    def __init__(self, *names: str) -> None:
        super().__init__()
        self._names = frozenset(names)

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        if not self._names or name.rpartition(".")[2] in self._names:
            self[name] = tensor.detach()
        return tensor

    def __missing__(self, name: str) -> Tensor:
        raise KeyError(f"nothing was recorded at {name!r}" + _nearest(name, list(self)))

    def stack(self, name: str) -> Tensor:
        """The tensors of this name in every layer, one above the other: `stack("self_attn.q")` is (L, B, H, T, d_k).

        Where two stacks were recorded, say which one: `stack("decoder.self_attn.q")`. Raises InputError if no layer,
        or more than one stack, has recorded the name.
        """
        kind, _, rest = name.partition(".")
        if kind not in ("encoder", "decoder"):
            kind, rest = r"\w+", name
        pattern = re.compile(rf"({kind})\.(\d+)\.{re.escape(rest)}")
        matches = [match for path in self if (match := pattern.fullmatch(path))]
        kinds = sorted({match[1] for match in matches})
        if len(kinds) > 1:
            raise InputError(f"{name!r} was recorded in {' and '.join(kinds)}; ask for '{kinds[0]}.{name}', say")
        if not matches:
            raise InputError(f"no layer has recorded {name!r}" + _nearest(name, list(self)))
        return torch.stack([self[match[0]] for match in sorted(matches, key=lambda match: int(match[2]))])


class Intervention:
    """A tap that changes the tensor at one path and lets every other one pass.

    A model raises InputError after a call that never came to the path: an experiment that changes nothing because of
    a slip in a name looks just like a result.
    """

    def __init__(self, path: str, change: Callable[[Tensor], Tensor]) -> None:
        self.paths = (path,)
        self._change = change

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        return self._change(tensor) if name == self.paths[0] else tensor


def ablate(path: str, head: int) -> Intervention:
    """Silence one head: `ablate("encoder.0.self_attn", 2)` sets its output to zero before W_o.

    The same as zeroing the d_k rows of W_o that belong to the head. Raises IndexError if there is no such head.
    """

    def silence(heads: Tensor) -> Tensor:
        H = heads.shape[1]
        if not 0 <= head < H:
            raise IndexError(f"{path} has heads 0 to {H - 1}; there is no head {head}")
        keep = torch.ones(H, dtype=torch.bool, device=heads.device)
        keep[head] = False
        return torch.where(keep[:, None, None], heads, torch.zeros_like(heads))  # (B, H, T, d_k)

    return Intervention(f"{path}.heads", silence)


def patch(path: str, value: Tensor) -> Intervention:
    """Put `value` in the place of the tensor at `path`; it must have the same shape."""

    def replace(tensor: Tensor) -> Tensor:
        if value.shape != tensor.shape:
            raise InputError(f"{path} has shape {tuple(tensor.shape)}; the patch has {tuple(value.shape)}")
        return value

    return Intervention(path, replace)


class compose:
    """Several taps as one, applied from left to right."""

    def __init__(self, *taps: Tap) -> None:
        self.taps = taps
        self.paths = tuple(path for tap in taps for path in paths_of(tap))

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        for tap in self.taps:
            tensor = tap(name, tensor)
        return tensor


def paths_of(tap: Tap) -> tuple[str, ...]:
    """The paths that the interventions in this tap want to change; of a tap of one's own making nothing is known."""
    return getattr(tap, "paths", ())


def watch(tap: Tap, elsewhere: tuple[str, ...] = ()) -> tuple[Tap, Callable[[], None]]:
    """The tap, and a check to be made after the call: it raises InputError if an intervention met nothing.

    Paths that begin with one of `elsewhere` belong to another call and are not checked in this one.
    """
    targets = [path for path in paths_of(tap) if not path.startswith(elsewhere)] if elsewhere else paths_of(tap)
    if not targets:
        return tap, lambda: None
    names: list[str] = []  # belongs to this call: one tap may serve many at once

    def watched(name: str, tensor: Tensor) -> Tensor:
        names.append(name)
        return tap(name, tensor)

    def check() -> None:
        for path in targets:
            if path not in names:
                raise InputError(f"the model has no {path!r} to change" + _nearest(path, names))

    return watched, check


def _nearest(path: str, names: list[str]) -> str:
    """The names most like this path, as the end of a sentence."""
    near = get_close_matches(path, names, n=3, cutoff=0.5)
    return f"; near it are {', '.join(near)}" if near else f"; there are {', '.join(names[:5])}, ..." if names else ""
