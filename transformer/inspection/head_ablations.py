"""Ablation of heads, one or several: what the model then predicts at one position of a text."""

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from transformer.core.context import Context
from transformer.core.masks import causal, check
from transformer.core.model import DecoderModel, SingleStack
from transformer.core.taps import Intervention, Recorder, Tap, ablate, compose, no_tap, patch
from transformer.inspection.run import Text, at_token, check_position, last_layer, one_text


def ablated(model: SingleStack, layer: int, heads: list[int]) -> Tap:
    """A tap that silences these heads of one layer: their outputs are zero before W_o."""
    return compose(*(ablate(f"{model.kind}.{layer}.self_attn", head) for head in heads))


@torch.inference_mode()
def predictions(model: SingleStack, ids: Text, position: int, *, tap: Tap = no_tap) -> np.ndarray:
    """softmax(logits) at one position of a text, (V,) in float64."""
    x, _ = last_layer(model, ids, tap=tap)
    return _probabilities(model, at_token(x, position))[0].numpy()


def moved(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """The share of the probability that went to other tokens, sum |p - q| / 2 over the last axis: 0 none, 1 all."""
    return np.abs(after - before).sum(-1) / 2


def each_head_ablated(model: SingleStack, ids: Text, position: int) -> np.ndarray:
    """The share of the probability at one position that moves if a head is ablated, for every head: (L, H)."""
    before = predictions(model, ids, position)
    return np.stack([moved(before, after) for after in without_each_head(model, ids, position)])


def without_each_head(model: SingleStack, ids: Text, position: int) -> Iterator[np.ndarray]:
    """For each layer, softmax(logits) at one position of a text with each of its heads ablated by itself: (H, V).

    One pass per layer over H copies of the text, in each of which another head of the layer is silent.
    """
    L, H = len(model.stack.layers), model.config.n_heads
    silent = torch.eye(H, dtype=torch.bool)[:, :, None, None]  # (B, H, 1, 1): in copy b, head b
    for layer in range(L):
        tap = Intervention(f"{model.kind}.{layer}.self_attn.heads", lambda heads: heads.masked_fill(silent, 0.0))
        with torch.inference_mode():  # not while others work with what they were given
            x, _ = last_layer(model, ids, tap=tap, B=H)
            after = _probabilities(model, at_token(x, position)).numpy()
        yield after


@torch.inference_mode()
def without_every_set(model: SingleStack, ids: Text, position: int) -> np.ndarray:
    """softmax(logits) at one position of a text without each set of heads: (2^(L H), V) in float32.

    Head h of layer l is out in the rows whose number has the bit l H + h. Sets that are the same in lower layers share
    the work there, and of the last layer only the position is read on.
    """
    stack, H = model.stack, model.config.n_heads
    x = stack.embed(one_text(ids))
    T = x.shape[1]
    check_position(T, position)
    mask = check(causal(T) if isinstance(model, DecoderModel) else None, 1, T, T, H)
    silent = (torch.arange(2**H)[:, None] >> torch.arange(H) & 1).bool()  # (2^H, H)
    for n, (layer, own) in enumerate(zip(stack.layers, stack.each_mask(mask, T, T), strict=True), 1):
        record = Recorder("heads")
        layer(x, own, positions=stack.positions, ctx=Context(record))
        heads = record["self_attn.heads"]  # (B, H, T, d_k)
        if n == len(stack.layers):
            position %= T
            x, heads, own = x[:, position : position + 1], heads[:, :, position : position + 1], None
        cut = silent.repeat_interleave(len(x), 0)[:, :, None, None]  # (2^H B, H, 1, 1)
        left = patch("self_attn.heads", heads.repeat(2**H, 1, 1, 1).masked_fill(cut, 0.0))
        x, _ = layer(x.repeat(2**H, 1, 1), own, positions=stack.positions, ctx=Context(left))
    return model.output(stack.final_norm(x[:, 0]), stack.embedding).softmax(-1).numpy()


@torch.inference_mode()
def moved_vectors(model: SingleStack, ids: Text, tap: Tap) -> np.ndarray:
    """How far each token's final vector moves with this tap, relative to its length, (T,)."""
    whole, changed = (last_layer(model, ids, tap=each)[0][0] for each in (no_tap, tap))
    return ((changed - whole).norm(dim=-1) / whole.norm(dim=-1)).numpy()


def _probabilities(model: SingleStack, x: Tensor) -> Tensor:
    """The last stream (B, D) -> (B, V)."""
    return model.output(x, model.stack.embedding).double().softmax(-1)
