"""Where queries, keys and values come from: one vector per token, times matrices that all tokens share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch

from transformer.core.model import DecoderModel, EncoderModel
from transformer.core.taps import Recorder

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


def project(
    model: EncoderModel | DecoderModel, ids: Sequence[int], layer: int, head: int, which: Projected
) -> Projection:
    """How one head of a model that reads `ids` makes its queries, keys or values.

    Key/value heads that several query heads share are found by the query head. Raises IndexError if there is no such
    layer or head.
    """
    if not (0 <= layer < len(model.stack.layers) and 0 <= head < model.config.n_heads):
        raise IndexError(f"there is no head {head} in layer {layer} of this model")
    name = f"{model.kind}.{layer}.residual_in"
    recorder = Recorder("residual_in")
    block = model.stack.layers[layer]
    linear = getattr(block.self_attn, f"w_{which}")
    d_k, config = block.self_attn.d_k, model.config
    own = head if which == "q" else head // (config.n_heads // config.n_kv_heads)
    part = slice(own * d_k, (own + 1) * d_k)
    with torch.inference_mode():
        model(torch.tensor([list(ids)], dtype=torch.long), tap=recorder)
        x = block.norm1.before(recorder[name])
        y = linear(x)[0, :, part]
    b = np.zeros(d_k, np.float32) if linear.bias is None else linear.bias.detach()[part].numpy()
    return Projection(x[0].numpy(), linear.weight.detach()[part].T.numpy(), b, y.numpy())
