"""AdamW by torch's own function, without the class around it.

The first of torch.optim's classes to be made imports torch's compiler: seconds, and over 100 MB in every process that
trains. The numbers are the same, to the last bit.
"""

from collections.abc import Iterable
from typing import TypedDict

import torch
from torch import Tensor
from torch.optim.adamw import adamw


class Group(TypedDict):
    """Parameters that are stepped alike."""

    params: list[Tensor]
    lr: float
    weight_decay: float


class AdamW:
    """AdamW (Loshchilov and Hutter 2019); without decay Adam (Kingma and Ba 2015).

    param_groups  as those of torch.optim
    state         `step`, `exp_avg` and `exp_avg_sq` of every parameter that has had a gradient
    fused         one pass over the numbers, which rounds in another order
    """

    def __init__(
        self,
        *groups: tuple[Iterable[Tensor], float],
        lr: float = 1.0,
        betas: tuple[float, float] = (0.9, 0.98),
        eps: float = 1e-8,
        fused: bool = False,
    ) -> None:
        """groups: parameters, and how much they decay."""
        self.param_groups = [Group(params=list(params), lr=lr, weight_decay=decay) for params, decay in groups]
        self.state: dict[Tensor, dict[str, Tensor]] = {}
        self._betas, self._eps, self._fused = betas, eps, fused

    def zero_grad(self) -> None:
        for group in self.param_groups:
            for p in group["params"]:
                p.grad = None

    @torch.no_grad()
    def step(self) -> None:
        """Move every parameter that has a gradient."""
        for group in self.param_groups:
            params = [p for p in group["params"] if p.grad is not None]
            for p in params:
                if p not in self.state:
                    self.state[p] = {
                        "step": torch.zeros((), dtype=torch.float32, device=p.device if self._fused else None),
                        "exp_avg": torch.zeros_like(p),
                        "exp_avg_sq": torch.zeros_like(p),
                    }
            states = [self.state[p] for p in params]
            adamw(
                params,
                [p.grad for p in params if p.grad is not None],
                [s["exp_avg"] for s in states],
                [s["exp_avg_sq"] for s in states],
                [],
                [s["step"] for s in states],
                foreach=False,
                fused=self._fused,
                amsgrad=False,
                beta1=self._betas[0],
                beta2=self._betas[1],
                lr=group["lr"],
                weight_decay=group["weight_decay"],
                eps=self._eps,
                maximize=False,
            )
