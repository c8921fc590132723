"""Where queries, keys and values come from: one vector per token, times matrices that all tokens share."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch

from transformer.core.model import DecoderModel, EncoderModel
from transformer.core.taps import Recorder
from transformer.inspection.run import Text, check_head, one_text
from transformer.inspection.steps import head_steps

Projected = Literal["q", "k", "v"]


@dataclass(frozen=True, eq=False)
class Projection:
    """y = x W + b of one head.

    x  (T, D) what attention reads, one row per token: the stream, normed first where the model norms it there
    w  (D, d_k) the head's part of W_q, W_k or W_v, and b (d_k,) of its bias; zeros where there is none
    y  (T, d_k) queries, keys or values, before a norm of the head, and before positions turn them (rotary)
    """

    x: np.ndarray
    w: np.ndarray
    b: np.ndarray
    y: np.ndarray


def project(model: EncoderModel | DecoderModel, ids: Text, layer: int, head: int, which: Projected) -> Projection:
    """How one head of a model that reads `ids` makes its queries, keys or values.

    Key/value heads that several query heads share are found by the query head. Raises IndexError if there is no such
    layer or head.
    """
    check_head(model, layer, head)
    name = f"{model.kind}.{layer}.residual_in"
    recorder = Recorder("residual_in")
    block = model.stack.layers[layer]
    linear = getattr(block.self_attn, f"w_{which}")
    d_k, config = block.self_attn.d_k, model.config
    own = head if which == "q" else head // (config.n_heads // config.n_kv_heads)
    part = slice(own * d_k, (own + 1) * d_k)
    with torch.inference_mode():
        model(one_text(ids), tap=recorder)
        x = block.norm1.before(recorder[name])
        y = linear(x)[0, :, part]
    b = np.zeros(d_k, np.float32) if linear.bias is None else linear.bias.detach()[part].numpy()
    return Projection(x[0].numpy(), linear.weight.detach()[part].T.numpy(), b, y.numpy())


@dataclass(frozen=True, eq=False)
class Fit:
    """How the query of one token meets the key of each: number by number, and all products added up.

    q        (d_k,) the query;  keys: (T, d_k) what it is multiplied with, each key as it is seen from that token
    scores   (T,) = keys q, before anything divides them or adds to them
    weights  (T,) the attention weights that come of them alone, without what positions add;  mask: (T,) True = may be
             looked at
    """

    q: np.ndarray
    keys: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    mask: np.ndarray


def fit(
    model: EncoderModel | DecoderModel, ids: Text, layer: int, head: int, at: int, mask: torch.Tensor | None = None
) -> Fit:
    """How the query of the token at this place fits all keys.

    mask (T, T): True = may attend; None: none but the model's own. The query is as `project` has it; where positions
    turn queries and keys (rotary), all of the turn is in the keys. Behind a norm of the head, and where there are no
    scores (linear attention), both are as they leave it. Raises IndexError if there is no such layer or head.
    """
    steps = head_steps(model, ids, head, layer, mask)
    q = project(model, ids, layer, head, "q").y[at]
    d_k, T = len(q), len(steps.k)
    units = torch.eye(d_k)[:, None, None].expand(d_k, 1, T, d_k)  # (d_k, 1, T, d_k)
    with torch.inference_mode():
        turned = model.stack.positions.rotate(units, units)[0][:, 0, at].numpy()  # (d_k, d_k): each number alone
    keys, used = steps.k @ turned.T, steps.k @ steps.q[at]
    if not np.allclose(keys @ q, used, rtol=1e-3, atol=1e-3):
        q, keys = steps.q[at], steps.k
    may = np.ones(T, bool) if steps.mask is None else steps.mask[at]
    weights = steps.stages["weights"][at]
    if "biased" in steps.stages:
        weights = torch.from_numpy(np.where(may, steps.stages["scaled"][at], -np.inf)).softmax(-1).numpy()
    return Fit(q, keys, steps.stages.get("scores", [used] * T)[at], weights, may)
