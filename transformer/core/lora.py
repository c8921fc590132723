"""LoRA: a trained map stays as it is and learns a low-rank update beside it (Hu et al. 2021, arXiv:2106.09685).

adapters = lora(model, rank=4, alpha=8)     # only A and B learn from now on
...                                         # a training as any other
merge(model)                                # the update is added to the weights: a plain model again
"""

from collections.abc import Sequence

import torch.nn.functional as F
from torch import Generator, Tensor, nn

from transformer.core.checks import InputError, check_number, check_whole
from transformer.core.random import normal

ATTENTION = ("w_q", "w_k", "w_v", "w_o")
FEED_FORWARD = ("w_1", "w_2", "w_3")


class LoRA(nn.Module):
    """h = W x + (alpha / r) B A x, with W and its bias frozen.  A: (r, d_in), B: (d_out, r)

    B starts at zero, so the first output is that of W alone, bit for bit. A starts at N(0, 1 / d_in). Both together
    have r (d_in + d_out) parameters, where W has d_in d_out.
    """

    def __init__(self, base: nn.Linear, rank: int, alpha: float, generator: Generator | None = None) -> None:
        super().__init__()
        check_whole("rank", rank)
        check_number("alpha", alpha, lambda a: a > 0, "a number above 0, such as twice the rank")
        most = min(base.in_features, base.out_features)
        if rank > most:
            raise InputError(f"rank={rank} is more than this matrix can have; try {most} or less")
        self.base = base.requires_grad_(False)
        self.scale = alpha / rank
        kind = {"device": base.weight.device, "dtype": base.weight.dtype}
        self.a = nn.Parameter(
            normal(rank, base.in_features, std=base.in_features**-0.5, generator=generator).to(**kind)
        )
        self.b = nn.Parameter(base.weight.new_zeros(base.out_features, rank))

    def forward(self, x: Tensor) -> Tensor:
        """x (..., d_in) -> (..., d_out)"""
        return self.base(x) + self.scale * F.linear(F.linear(x, self.a), self.b)

    def update(self) -> Tensor:
        """(alpha / r) B A, (d_out, d_in): what is added to W; its rank is r at most."""
        return self.scale * (self.b @ self.a)


def lora(
    model: nn.Module,
    rank: int,
    alpha: float,
    maps: Sequence[str] = (*ATTENTION, *FEED_FORWARD),
    generator: Generator | None = None,
) -> dict[str, LoRA]:
    """Freeze a model and put an adapter on each of its linear maps of these names -> the adapters, by their paths.

    The model is changed in place. Raises InputError where there is no such map, or the rank is too large for one.
    """
    places = [
        (f"{path}.{name}".lstrip("."), module, name, child)
        for path, module in model.named_modules()
        for name, child in module.named_children()
        if name in maps and isinstance(child, nn.Linear)
    ]
    if not places:
        raise InputError(f"this model has no linear map named {' or '.join(maps)}")
    adapters = {path: LoRA(linear, rank, alpha, generator) for path, _, _, linear in places}
    model.requires_grad_(False)
    for path, module, name, _ in places:
        setattr(module, name, adapters[path].requires_grad_(True))
        adapters[path].base.requires_grad_(False)
    return adapters


def merge(model: nn.Module) -> None:
    """Add every adapter's update to its map, W + (alpha / r) B A, and take the adapter away, in place."""
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, LoRA):
                child.base.weight.data += child.update().detach()
                setattr(module, name, child.base)
