"""Randomness with an owner: every draw comes from the `torch.Generator` that the caller passes.

torch's own modules draw their first weights from the process-wide generator, which every thread shares. These
helpers never touch it: modules are made empty and filled from the given generator (None: torch's default one, as
everywhere in torch).

On the meta device, where there are shapes and no numbers, nothing is drawn: to "draw" there, torch imports its
compiler, which takes seconds and 170 MB for good.
"""

import torch
from torch import Generator, Tensor, nn


class _Unset(nn.Linear):
    """nn.Linear without its own first draw. (torch's skip_init does the same by way of the meta device, whose first use
    imports a computer algebra system and takes most of a second.)"""

    def reset_parameters(self) -> None:
        pass


def linear(n_in: int, n_out: int, *, bias: bool = True, generator: Generator | None = None) -> nn.Linear:
    """nn.Linear with Xavier-uniform weights (variance 2 / (n_in + n_out)) and zero bias."""
    layer = _Unset(n_in, n_out, bias=bias)
    if layer.weight.is_meta:
        return layer
    nn.init.xavier_uniform_(layer.weight, generator=generator)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


def normal(*shape: int, std: float, generator: Generator | None = None) -> nn.Parameter:
    """A parameter drawn from N(0, std^2)."""
    empty = torch.empty(*shape)
    return nn.Parameter(empty if empty.is_meta else empty.normal_(0.0, std, generator=generator))


def dropout(x: Tensor, p: float, generator: Generator | None = None) -> Tensor:
    """Zero each element with probability p and divide the rest by 1 - p, so that the expectation stays x."""
    if p == 0.0:
        return x
    keep = torch.empty_like(x).bernoulli_(1 - p, generator=generator)
    return x * keep / (1 - p)
