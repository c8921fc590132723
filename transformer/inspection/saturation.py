"""Why scores are divided by sqrt(d_k): without it, wide queries and keys make softmax pick a single key, and its
gradient vanishes."""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor

from transformer.core.attention import scaled_dot_product_attention
from transformer.core.checks import InputError

N_KEYS = 16  # that each query chooses among
_N_DRAWS, _N_QUERIES = 48, 16  # sets of keys, and queries that look at each: 768 rows, 12,288 scores
WIDTHS = tuple(2**n for n in range(11))  # 1 to 1024


@dataclass(frozen=True, eq=False)
class Saturation:
    """What attention makes of many random queries and keys of one width.

    scores    (N,) the input of softmax: q.k, divided by sqrt(d_k) if `scaled`
    variance  of q.k before any division: close to d_k
    weights   (N_KEYS,) the largest weight of a row, the second largest, and so on: means over the rows
    entropy   of a row, divided by ln(N_KEYS): 1 if all weights are equal, 0 if one key has all; mean over the rows
    gradient  Frobenius norm of the Jacobian d weights / d scores of a row, by autograd; mean over the rows
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
    """Measure 768 random queries with 16 random keys each; all features are independent, with mean 0 and variance 1.

    The weights are those of scaled_dot_product_attention itself. The same seed and d_k draw the same queries and keys,
    scaled or not. Raises InputError for d_k below 1.
    """
    if d_k < 1:
        raise InputError(f"d_k={d_k} must be at least 1")
    draw = partial(torch.randn, generator=torch.Generator().manual_seed(seed), dtype=torch.float32)
    q, k = draw(_N_DRAWS, _N_QUERIES, d_k), draw(_N_DRAWS, N_KEYS, d_k)
    products: list[Tensor] = []
    inputs: list[Tensor] = []  # of softmax

    def tap(name: str, tensor: Tensor) -> Tensor:
        if name == "scores":
            products.append(tensor)
        if name != "scaled":
            return tensor
        # The input of softmax becomes a leaf, so that autograd can differentiate by it.
        inputs.append(tensor.detach().requires_grad_())
        return inputs[0]

    with torch.enable_grad():
        _, weights = scaled_dot_product_attention(q, k, k, scaled=scaled, tap=tap)
        # Rows are independent, so one backward pass per key gives that row of the Jacobian for all of them.
        jacobian = torch.stack(
            [torch.autograd.grad(weights[..., key].sum(), inputs[0], retain_graph=True)[0] for key in range(N_KEYS)],
            dim=-2,
        )  # (draws, queries, N_KEYS, N_KEYS)
    rows = weights.detach().double()
    entropy = torch.special.entr(rows).sum(-1).mean() / math.log(N_KEYS)
    return Saturation(
        d_k=d_k,
        scaled=scaled,
        scores=inputs[0].detach().flatten().numpy(),
        variance=float(products[0].double().var()),
        weights=rows.sort(dim=-1, descending=True).values.mean((0, 1)).numpy(),
        entropy=float(entropy),
        gradient=float(jacobian.double().flatten(-2).norm(dim=-1).mean()),
    )


def sweep(seed: int = 0) -> dict[bool, list[Saturation]]:
    """The measurements at every width of WIDTHS, with and without the division: {True: [...], False: [...]}."""
    return {scaled: [saturation(d_k, scaled, seed) for d_k in WIDTHS] for scaled in (True, False)}
