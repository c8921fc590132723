"""One forward pass with all its attention maps: `run_with_maps(model, ids, tokens)` -> `Run`, in numpy."""

import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from transformer.core.checks import InputError
from transformer.core.context import Context
from transformer.core.masks import all_of, causal, check
from transformer.core.model import DecoderModel, EncoderModel, SingleStack, Stack
from transformer.core.taps import Recorder, Tap, no_tap, watch

Text = Sequence[int] | Tensor  # ids (T,) or (1, T), or in a model that reads images one image (channels, side, side)


@dataclass(frozen=True, eq=False)
class AttentionMap:
    """The weights of all layers and heads of one kind of attention, and what they were computed from.

    weights  (L, H, T, S) float32, before dropout
    q        (L, H, T, d_k)    as they enter the dot product: rotated, if positions are rotary
    k        (L, Hkv, S, d_k)
    bias     (H, T, S) added to the scaled scores, the same in every layer, or None
    mask     (T, S) boolean, True = may attend, or None where everything is allowed; (L, T, S) where layers differ
    scale    what the scores were divided by: sqrt(d_k), or 1 where scaling is off
    v        (L, Hkv, S, d_k), or None where nobody recorded the values
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    weights: np.ndarray
    q: np.ndarray
    k: np.ndarray
    scale: float
    bias: np.ndarray | None = None
    mask: np.ndarray | None = None
    v: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Run:
    """The result of one forward pass: its attention by kind ("encoder", "decoder", "cross"), and the model's size."""

    attention: dict[str, AttentionMap] = field(default_factory=dict)
    n_parameters: int = 0


class LayerMaps(NamedTuple):
    """One layer's part of an AttentionMap: weights (H, T, T), q (H, T, d_k), k and v (Hkv, T, d_k)."""

    weights: np.ndarray
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray


class Frame(NamedTuple):
    """What the maps of all layers have in common: bias, mask and scale, as in AttentionMap."""

    bias: np.ndarray | None
    mask: np.ndarray | None
    scale: float

    @property
    def is_one_mask(self) -> bool:
        """Whether all layers have the same mask, or none has one."""
        return self.mask is None or self.mask.ndim == 2

    def mask_of(self, layer: int) -> np.ndarray | None:
        """The mask (T, T) of one layer, or None."""
        return self.mask if self.mask is None or self.mask.ndim == 2 else self.mask[layer]


def each_layer(
    model: SingleStack,
    ids: Text,
    mask: Tensor | None = None,
    *,
    is_causal: bool = True,
    segments: list[int] | None = None,
    tap: Tap = no_tap,
    B: int = 1,
) -> Iterator[tuple[Tensor, Tensor]]:
    """One forward pass over B copies of a text, layer by layer: the stream (B, T, D) and the weights (B, H, T, T).

    The numbers are those of a call of the model. But a model holds the weights of all its layers until its end, and
    here nothing is kept of a layer once the next is asked for; what nobody asks for is not computed, neither later
    layers nor logits. To be used in torch.inference_mode(). is_causal concerns a DecoderModel only; segments (T,) are
    for models that tell two texts apart.
    """
    stack, kind = model.stack, model.kind
    batch = one_text(ids, B)
    T = stack.embedding.length(batch)
    texts = None if segments is None else torch.tensor([segments], dtype=torch.long)  # (1, T)
    mask = _whole_mask(model, T, mask, is_causal=is_causal)
    mask = None if mask is None else mask.expand(1, 1, *mask.shape[-2:])  # a row per query, however many copies
    ctx = Context(tap).at(kind)
    yield from stack.each_layer(stack.embed(batch, ctx, texts), check(mask, B, T, T, model.config.n_heads), ctx=ctx)


def last_layer(
    model: SingleStack,
    ids: Text,
    mask: Tensor | None = None,
    *,
    is_causal: bool = True,
    segments: list[int] | None = None,
    tap: Tap = no_tap,
    B: int = 1,
) -> tuple[Tensor, Tensor]:
    """The stream at the end of one pass, (B, T, D), as it goes into the output map, and the last layer's weights.

    Raises InputError if an intervention in the tap (ablate, patch) met nothing that it could change.
    """
    tap, check_that_it_met = watch(tap)
    (last,) = deque(each_layer(model, ids, mask, is_causal=is_causal, segments=segments, tap=tap, B=B), maxlen=1)
    x, weights = last
    out = tap(f"{model.kind}.out", model.stack.final_norm(x))
    check_that_it_met()
    return out, weights


def maps_by_layer(
    model: SingleStack,
    ids: Text,
    mask: Tensor | None = None,
    *,
    is_causal: bool = True,
    segments: list[int] | None = None,
) -> Iterator[LayerMaps]:
    """The maps of run_with_maps(), one layer at a time."""
    recorder = Recorder("q", "k", "v")
    layers = each_layer(model, ids, mask, is_causal=is_causal, segments=segments, tap=recorder)
    while True:
        with torch.inference_mode():  # not while others work with what they were given
            weights = next(((weights[0],) for _, weights in layers), None)
        if weights is None:
            return
        q, k, v = (
            next(tensor for path, tensor in recorder.items() if path.endswith(name)) for name in (".q", ".k", ".v")
        )
        recorder.clear()
        yield LayerMaps(_numpy(weights[0]), _numpy(q[0]), _numpy(k[0]), _numpy(v[0]))
        del weights


def frame_of_maps(model: SingleStack, T: int, mask: Tensor | None = None, *, is_causal: bool = True) -> Frame:
    """What the maps of all layers of a text of T tokens have in common, and the masks of layers that differ in them."""
    with torch.inference_mode():
        bias = model.stack.positions.bias(T, T)
    mask = _whole_mask(model, T, mask, is_causal=is_causal)
    mask = mask_of_all_layers(model.stack, T, mask)
    return Frame(
        bias=None if bias is None else _numpy(bias),
        mask=None if mask is None else mask.numpy(),
        scale=math.sqrt(model.config.d_k) if model.config.scaled else 1.0,
    )


def mask_of_all_layers(stack: Stack, T: int, mask: Tensor | None) -> Tensor | None:
    """The mask of a text of T tokens in every layer, the given one with the windows of the layers.

    (T, T) where all layers have the same, (L, T, T) where some have a window and others none, None where everything is
    allowed.
    """
    given = list(stack.each_mask(mask, T, T))
    if all(one is mask for one in given):
        return mask
    everything = torch.ones(T, T, dtype=torch.bool)
    each = torch.stack([everything if one is None else one.expand(1, 1, T, T)[0, 0] for one in given])
    if (each != each[0]).any():
        return each
    return mask if mask is None and each.all() else each[0]


def run_with_maps(
    model: EncoderModel | DecoderModel,
    ids: Text,
    tokens: tuple[str, ...],
    mask: Tensor | None = None,
    *,
    is_causal: bool = True,
    segments: list[int] | None = None,
) -> Run:
    """Run one text through the model, in evaluation mode and without gradients, and keep its attention maps.

    ids and tokens name the same T tokens; mask (T, T) or None. is_causal concerns a DecoderModel only, segments (T,) a
    model that tells two texts apart. Nothing is stored on the model, so any number of threads
    may run it at once. Raises InputError where ids and tokens differ in number, and for a model in training mode.
    """
    T = model.stack.embedding.length(one_text(ids))
    if len(tokens) != T:
        raise InputError(f"{T} ids cannot be labelled with {len(tokens)} tokens")
    if model.training:
        raise InputError("run_with_maps() shows a model as it predicts; call model.eval() first")
    layers = list(maps_by_layer(model, ids, mask, is_causal=is_causal, segments=segments))
    frame = frame_of_maps(model, T, mask, is_causal=is_causal)
    weights, q, k, v = (np.stack(parts) for parts in zip(*layers, strict=True))
    attention = AttentionMap(tokens, tokens, weights, q, k, frame.scale, frame.bias, frame.mask, v)
    return Run({model.kind: attention}, sum(p.numel() for p in model.parameters()))


def _whole_mask(model: SingleStack, T: int, mask: Tensor | None, *, is_causal: bool) -> Tensor | None:
    """The given mask on top of what the model does by itself."""
    return all_of(causal(T), mask) if isinstance(model, DecoderModel) and is_causal else mask


def at_token(x: Tensor, position: int) -> Tensor:
    """(B, T, D) -> (B, D): one token of a stream, counted from 0, or from -1 backwards. Raises InputError if there is
    none."""
    check_position(x.shape[1], position)
    return x[:, position]


def check_position(T: int, position: int, name: str = "position") -> None:
    """Raise InputError where a text of T tokens has no such position, counted from 0, or from -1 backwards."""
    if not -T <= position < T:
        raise InputError(f"{name}={position} is none of a text of {T} tokens; 0 is the first, -1 the last")


def check_head(model: SingleStack, layer: int, head: int = 0) -> None:
    """Raise IndexError where a model has no such layer or head, both counted from 0, as in the paths of taps."""
    L, H = len(model.stack.layers), model.config.n_heads
    if not (0 <= layer < L and 0 <= head < H):
        raise IndexError(
            f"there is no head {head} in layer {layer} of this model: it has {L} layers of {H} heads, counted from 0"
        )


def ids_of(ids: Text) -> list[int]:
    """The ids (T,) of one text; a batch of one is taken out of its batch. Raises InputError for several texts."""
    return one_text(ids)[0].tolist()


def one_text(ids: Text, B: int = 1) -> Tensor:
    """B copies of a text, (B, T), or of an image, (B, channels, side, side); a batch of one is taken out of its batch.

    Raises InputError for several texts.
    """
    one = ids if isinstance(ids, Tensor) else torch.tensor(ids, dtype=torch.long)
    alone = 3 if one.is_floating_point() else 1  # axes of an image, of a text
    if one.ndim == alone + 1 and len(one) == 1:
        one = one[0]
    if one.ndim != alone:
        raise InputError(f"inspection reads one text at a time, ids (T,), and was given {tuple(one.shape)}")
    return one.expand(B, *one.shape)


def _numpy(tensor: Tensor) -> np.ndarray:
    return tensor.float().contiguous().numpy()
