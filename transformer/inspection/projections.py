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
class Earned:
    """What each number of a query adds to its score with the key that gets most of its attention.

    key     (T,) which key that is for each query; weight (T,): the attention weight that it gets
    score   (T,) of the two, divided by sqrt(d_k), before any bias
    earned  (T, d_k) what each number of the query adds: without it, the score would be so much lower
    met     (T, d_k) the number of the key that each is multiplied with; turned: whether positions turned that key, by
            how far it is from the query
    scale   what each product is divided by
    """

    key: np.ndarray
    weight: np.ndarray
    score: np.ndarray
    earned: np.ndarray
    met: np.ndarray
    turned: bool
    scale: float


def earned(
    model: EncoderModel | DecoderModel, ids: Text, layer: int, head: int, mask: torch.Tensor | None = None
) -> Earned | None:
    """How the numbers of each query, as `project` has them, make its largest weight's score.

    mask (T, T): True = may attend; None: none but the model's own. Positions may turn the query (rotary): what a number
    adds is worked out with all of its turn. None where the score is no sum over the numbers, as behind a norm of the
    head, or where there is none. Raises IndexError if there is no such layer or head.
    """
    steps = head_steps(model, ids, head, layer, mask)
    if "scaled" not in steps.stages:
        return None  # linear attention has no scores
    q = project(model, ids, layer, head, "q").y.astype(float)
    T, d_k = q.shape
    units = torch.eye(d_k)[:, None, None].expand(d_k, 1, T, d_k)  # (d_k, 1, T, d_k)
    with torch.inference_mode():
        turned = model.stack.positions.rotate(units, units)[0][:, 0].numpy()  # (d_k, T, d_k): each number alone, turned
    key = steps.stages["weights"].argmax(1)
    rows = np.arange(T)
    score = steps.stages["scaled"][rows, key].astype(float)
    by_unit = np.einsum("ntd,td->tn", turned, steps.k[key]).astype(float)
    scale = np.sqrt(d_k) if model.stack.layers[layer].self_attn.scaled else 1.0
    parts = q * by_unit / scale
    if not np.allclose(parts.sum(1), score, rtol=1e-3, atol=1e-3):
        return None
    is_turned = not np.allclose(turned, units[:, 0].numpy())
    return Earned(key, steps.stages["weights"][rows, key], score, parts, by_unit, is_turned, float(scale))
