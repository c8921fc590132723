"""One forward pass with all its attention maps: `run_with_maps(model, ids, tokens)` -> `Run`, in numpy."""

import math
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from transformer.checks import InputError
from transformer.masks import all_of, causal
from transformer.model import DecoderModel, EncoderModel
from transformer.taps import Recorder


@dataclass(frozen=True, eq=False)
class AttentionMap:
    """The weights of all layers and heads of one kind of attention, and what they were computed from.

    weights  (L, H, T, S) float32, before dropout
    q        (L, H, T, d_k)    as they enter the dot product: rotated, if positions are rotary
    k        (L, Hkv, S, d_k)
    bias     (H, T, S) added to the scaled scores, the same in every layer, or None
    mask     (T, S) boolean, True = may attend, or None where everything is allowed
    scale    what the scores were divided by: sqrt(d_k), or 1 where scaling is off
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    weights: np.ndarray
    q: np.ndarray
    k: np.ndarray
    scale: float
    bias: np.ndarray | None = None
    mask: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Run:
    """The result of one forward pass: its attention by kind ("encoder", "decoder", "cross"), and the model's size."""

    attention: dict[str, AttentionMap] = field(default_factory=dict)
    n_parameters: int = 0


def run_with_maps(
    model: EncoderModel | DecoderModel,
    ids: list[int],
    tokens: tuple[str, ...],
    mask: Tensor | None = None,
    *,
    is_causal: bool = True,
) -> Run:
    """Run one text through the model, in evaluation mode and without gradients, and keep its attention maps.

    ids and tokens name the same T tokens; mask (T, T) or None. is_causal concerns a DecoderModel only. Nothing is
    stored on the model, so any number of threads may run it at once. Raises InputError where ids and tokens differ in
    number, and for a model in training mode.
    """
    if len(ids) != len(tokens):
        raise InputError(f"{len(ids)} ids cannot be labelled with {len(tokens)} tokens")
    if model.training:
        raise InputError("run_with_maps() shows a model as it predicts; call model.eval() first")
    kind = model.kind
    recorder = Recorder("q", "k")
    with torch.inference_mode():
        batch = torch.tensor([ids], dtype=torch.long)  # (1, T)
        if isinstance(model, DecoderModel):
            output = model(batch, mask, is_causal=is_causal, tap=recorder)
            mask = all_of(causal(len(ids)), mask) if is_causal else mask
        else:
            output = model(batch, mask, tap=recorder)
        bias = model.stack.positions.bias(len(ids), len(ids))
        weights = getattr(output.attention, kind)
    attention = AttentionMap(
        queries=tokens,
        keys=tokens,
        weights=_numpy(torch.stack(weights)[:, 0]),
        q=_numpy(recorder.stack("self_attn.q")[:, 0]),
        k=_numpy(recorder.stack("self_attn.k")[:, 0]),
        scale=math.sqrt(model.config.d_k) if model.config.scaled else 1.0,
        bias=None if bias is None else _numpy(bias),
        mask=None if mask is None else mask.numpy(),
    )
    return Run({kind: attention}, sum(p.numel() for p in model.parameters()))


def _numpy(tensor: Tensor) -> np.ndarray:
    return tensor.float().contiguous().numpy()
