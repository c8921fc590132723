"""One attention, stage by stage, in numpy: from Q, K and V to the output. Every stage comes from the code's own tap."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from transformer.core.attention import scaled_dot_product_attention
from transformer.core.checks import InputError
from transformer.core.masks import all_of, causal
from transformer.core.model import DecoderModel, EncoderModel
from transformer.core.taps import Recorder
from transformer.inspection.run import Text, check_head, one_text

MAX_NUMBER = 100.0  # in a matrix given by hand

Matrix = tuple[tuple[float, ...], ...]
Matrices = tuple[Matrix, Matrix, Matrix]  # Q, K and V


@dataclass(frozen=True, eq=False)
class Steps:
    """Everything that one head computes.

    q (T, d_k), k (S, d_k), v (S, d_v)
    stages  name -> matrix, in the order of the computation: scores, scaled, masked (only with a mask; blocked cells
            are -inf) and weights, all (T, S), and output (T, d_v)
    mask    (T, S) boolean, True = may attend, or None
    """

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    stages: dict[str, np.ndarray]
    mask: np.ndarray | None = None


def steps(q: ArrayLike, k: ArrayLike, v: ArrayLike, mask: np.ndarray | None = None) -> Steps:
    """Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V of matrices given by hand, in float64.

    q (T, d_k), k (S, d_k), v (S, d_v): finite numbers of at most MAX_NUMBER; mask (T, S) boolean, True = may attend.
    Raises InputError if the matrices do not fit together or hold anything else.
    """
    arrays = {name: np.asarray(rows, dtype=float) for name, rows in {"Q": q, "K": k, "V": v}.items()}
    for name, array in arrays.items():
        if array.ndim != 2 or not array.size:
            raise InputError(f"{name} must be a matrix with rows and columns")
        if not np.all(np.abs(array) <= MAX_NUMBER):  # also false for NaN
            raise InputError(f"{name} may hold numbers from -{MAX_NUMBER:g} to {MAX_NUMBER:g} only")
    if arrays["Q"].shape[1] != arrays["K"].shape[1]:
        raise InputError("a query and a key must be equally long, or they have no dot product")
    if len(arrays["K"]) != len(arrays["V"]):
        raise InputError("every key needs one value")
    queries, keys, values = (torch.from_numpy(array) for array in arrays.values())
    allowed = None if mask is None else torch.from_numpy(np.asarray(mask))
    recorder = Recorder()
    with torch.inference_mode():
        output, _ = scaled_dot_product_attention(queries, keys, values, allowed, tap=recorder)
    return _steps(queries, keys, values, recorder, output, allowed)


def head_steps(
    model: EncoderModel | DecoderModel, ids: Text, head: int, layer: int = 0, mask: Tensor | None = None
) -> Steps:
    """The stages of one head of an encoder or a decoder that reads T tokens: ids (T,), mask (T, T) or None. A decoder
    has its causal mask besides.

    They come from the model's own forward pass, in its own precision. Raises IndexError if there is no such layer or
    head.
    """
    check_head(model, layer, head)
    batch, recorder = one_text(ids), Recorder()  # (1, T)
    with torch.inference_mode():
        model(batch, mask, tap=recorder)
    path = f"{model.kind}.{layer}.self_attn."
    if model.kind == "decoder":
        mask = all_of(causal(batch.shape[1]), mask)
    tensors = {name.removeprefix(path): tensor[0] for name, tensor in recorder.items() if name.startswith(path)}
    kv_head = head // (model.config.n_heads // model.config.n_kv_heads)
    q, k, v = tensors["q"][head], tensors["k"][kv_head], tensors["v"][kv_head]
    stages = {name: tensors[name][head] for name in ("scores", "scaled", "biased", "weights") if name in tensors}
    return _steps(q, k, v, stages, tensors["heads"][head], mask)


def _steps(
    q: Tensor, k: Tensor, v: Tensor, tensors: Mapping[str, Tensor], output: Tensor, mask: Tensor | None
) -> Steps:
    stages = {name: tensors[name].numpy() for name in ("scores", "scaled", "biased") if name in tensors}
    allowed = None
    if mask is not None:
        allowed = np.broadcast_to(mask.numpy(), stages["scaled"].shape)
        stages["masked"] = np.where(allowed, stages.get("biased", stages["scaled"]), -np.inf)
    stages["weights"] = tensors["weights"].numpy()
    stages["output"] = output.numpy()
    return Steps(q.numpy(), k.numpy(), v.numpy(), stages, allowed)


def random_matrices(seed: int) -> Matrices:
    """Q, K and V (3, 4) of normal numbers, rounded to tenths so that they can be read."""
    numbers = torch.randn(3, 3, 4, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    q, k, v = (tuple(tuple(round(x, 1) + 0.0 for x in row) for row in matrix) for matrix in numbers.tolist())
    return q, k, v
