"""What the division by sqrt(d_k) is for: without it, wide queries and keys make softmax pick a single key and learn
nothing more."""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor

from transformer.attention import scaled_dot_product_attention
from transformer.checks import InputError

KEYS = 16  # keys that each query chooses among
_DRAWS, _QUERIES = 48, 16  # sets of keys, and queries that look at each: 768 rows, 12,288 scores
WIDTHS = tuple(2**n for n in range(11))  # 1 to 1024


@dataclass(frozen=True, eq=False)
class Saturation:
    """Many random queries and keys of one width, as attention sees them.

    scores    (N,) what softmax is given: q.k, divided by sqrt(d_k) if so chosen
    variance  of q.k before any division: close to d_k
    weights   (KEYS,) the largest weight of a row, the second largest, ...: means over the rows
    entropy   of a row, divided by ln(KEYS): 1 looks at all keys alike, 0 at a single one; mean
    gradient  Frobenius norm of the Jacobian d weights / d scores of a row, by autograd; mean
    """

    d_k: int
    scaled: bool
    scores: np.ndarray
    variance: float
    weights: np.ndarray
    entropy: float
    gradient: float

    @property
    def largest(self) -> float:
        """The mean of the largest weight of a row."""
        return float(self.weights[0])


def saturation(d_k: int, scaled: bool, seed: int = 0) -> Saturation:
    """768 rows of attention of random queries on 16 random keys each; all features independent, mean 0, variance 1.

    The weights are made by scaled_dot_product_attention itself. The same seed and d_k draw the same queries and keys
    whether scaled or not.
    """
    if d_k < 1:
        raise InputError(f"d_k={d_k} must be at least 1")
    draw = partial(torch.randn, generator=torch.Generator().manual_seed(seed), dtype=torch.float32)
    q, k = draw(_DRAWS, _QUERIES, d_k), draw(_DRAWS, KEYS, d_k)
    products: list[Tensor] = []
    given: list[Tensor] = []

    def tap(name: str, tensor: Tensor) -> Tensor:
        if name == "scores":
            products.append(tensor)
        if name != "scaled":
            return tensor
        # What softmax is given becomes a leaf, so that autograd answers for it.
        given.append(tensor.detach().requires_grad_())
        return given[0]

    with torch.enable_grad():
        _, weights = scaled_dot_product_attention(q, k, k, scaled=scaled, tap=tap)
        # Rows do not touch each other, so one backward pass a key gives that row of the Jacobian for all of them.
        jacobian = torch.stack(
            [torch.autograd.grad(weights[..., key].sum(), given[0], retain_graph=True)[0] for key in range(KEYS)],
            dim=-2,
        )  # (draws, queries, KEYS, KEYS)
    rows = weights.detach().double()
    entropy = torch.special.entr(rows).sum(-1).mean() / math.log(KEYS)
    return Saturation(
        d_k=d_k,
        scaled=scaled,
        scores=given[0].detach().flatten().numpy(),
        variance=float(products[0].double().var()),
        weights=rows.sort(dim=-1, descending=True).values.mean((0, 1)).numpy(),
        entropy=float(entropy),
        gradient=float(jacobian.double().flatten(-2).norm(dim=-1).mean()),
    )


def sweep(seed: int = 0) -> dict[bool, list[Saturation]]:
    """The same for every width of WIDTHS, with and without the division: {True: [...], False: [...]}."""
    return {scaled: [saturation(d_k, scaled, seed) for d_k in WIDTHS] for scaled in (True, False)}
