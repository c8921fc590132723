"""AdamW and Muon, without torch's classes of these names.

The first of torch.optim's classes to be made imports torch's compiler: seconds, and over 100 MB in every process that
trains. AdamW is torch's own function and the same to the last bit; Muon is the same but for the rounding.
"""

from collections.abc import Iterable
from typing import Any, TypedDict

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
            self._move(group, params, [p.grad for p in params if p.grad is not None])

    def _move(self, group: Group, params: list[Tensor], grads: list[Tensor]) -> None:
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
            grads,
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


class Muon(AdamW):
    """Muon (Jordan et al. 2024) for matrices (A, B), and AdamW for all other parameters.

    A momentum M, and as a step what is left of it when all its singular values are made about 1:

        M = 0.95 M + 0.05 G                           G: the gradient
        N = 0.95 M + 0.05 G                           Nesterov's look ahead
        O = U V^T, nearly, where N = U S V^T          see orthogonal()
        W = (1 - lr decay) W - 0.2 lr sqrt(max(A, B)) O

    The last factor (Liu et al. 2025) makes a step about as large as AdamW's, so that its learning rate and decay serve.

    state  of a matrix its `momentum_buffer` M; of other parameters as in AdamW
    """

    def __init__(
        self, matrices: tuple[Iterable[Tensor], float], *others: tuple[Iterable[Tensor], float], **of_adamw: Any
    ) -> None:
        """matrices, others: parameters, and how much they decay."""
        super().__init__(matrices, *others, **of_adamw)

    def _move(self, group: Group, params: list[Tensor], grads: list[Tensor]) -> None:
        if group is not self.param_groups[0]:
            super()._move(group, params, grads)
            return
        lr, decay = group["lr"], group["weight_decay"]
        for p, grad in zip(params, grads, strict=True):
            if p not in self.state:
                self.state[p] = {"momentum_buffer": torch.zeros_like(p)}
            momentum = self.state[p]["momentum_buffer"].lerp_(grad, 1 - MOMENTUM)
            step = orthogonal(grad.lerp(momentum, MOMENTUM))
            p.mul_(1 - lr * decay).sub_(step, alpha=0.2 * lr * max(p.shape) ** 0.5)


MOMENTUM = 0.95
ROUNDS = 5
LIFT, BEND, TURN = 3.4445, -4.7750, 2.0315  # a, b and c of Jordan et al.: a small s grows fast, and none passes 1.3


def orthogonal(n: Tensor) -> Tensor:
    """Nearly U V^T of the matrix N = U S V^T (A, B), by five rounds of Newton and Schulz.

        X = N / |N|                                   so that no singular value is above 1
        X = a X + (b X X^T + c (X X^T)^2) X           each singular value s becomes a s + b s^3 + c s^5

    In the numbers of N: torch.optim.Muon takes rounds of 16 bits, which a processor without instructions for them
    computes twenty times as slowly as those of 32.
    """
    is_tall = n.size(0) > n.size(1)
    x = n.mT if is_tall else n  # (A, B), A <= B: X X^T is the smaller product
    x = x / x.norm().clamp(min=1e-7)
    for _ in range(ROUNDS):
        gram = x @ x.mT  # (A, A)
        x = torch.addmm(x, torch.addmm(gram, gram, gram, beta=BEND, alpha=TURN), x, beta=LIFT)
    return x.mT if is_tall else x


def suits_muon(name: str, p: Tensor) -> bool:
    """Whether the parameter of this name in a model is a matrix of a layer: of attention or feed-forward.

    Embeddings, tables of positions and the output are none: their rows stand for tokens and places, one by one.
    """
    return p.dim() == 2 and "layers" in name.split(".")


def moments_of(optimiser: str, name: str, p: Tensor) -> tuple[str, ...]:
    """What an optimiser, one of settings.OPTIMISERS, remembers of the parameter of this name: tensors of its shape."""
    return ("momentum_buffer",) if optimiser == "Muon" and suits_muon(name, p) else ("exp_avg", "exp_avg_sq")
