"""A text that a model reads, and what several pages compute of it: the next token, single heads, two models.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypedDict

import numpy as np

from lab.kit.models.references import Mask
from lab.kit.models.source import ModelRef
from lab.server.caching import cached
from transformer import core, inspection
from transformer.core import workload
from transformer.core.workload import Workload

if TYPE_CHECKING:
    from torch import Tensor


class Reading(NamedTuple):
    """A model with its mask, and the text that it reads.

    segments  which of two texts each token belongs to, for a model that tells them apart; () for one text
    words     which word of the text each token is a part of, None for no part of it; () where nobody knows
    """

    ref: ModelRef
    mask: Mask
    tokens: tuple[str, ...]
    segments: tuple[int, ...] = ()
    words: tuple[int | None, ...] = ()


class _MaskArguments(TypedDict):
    mask: "Tensor | None"
    is_causal: bool


def inputs(reading: Reading) -> tuple["core.model.SingleStack", list[int], _MaskArguments]:
    """The model, the ids and the mask, as the functions of transformer.inspection take them."""
    ref, mask, tokens, *_ = reading
    source = ref.resolve()
    is_causal = source.kind == "decoder" and mask.name != "prefix"
    return source.single_stack, source.ids(tokens), {"mask": mask.tensor(len(tokens)), "is_causal": is_causal}


def one_pass(reading: Reading, *_: object) -> Workload:
    """A model with the weights of all its layers."""
    source = reading.ref.resolve()
    return workload.one_pass(source.config, len(reading.tokens), source.n_layers, keeps_maps=True)


def probabilities(logits: np.ndarray) -> np.ndarray:
    """softmax along the last axis, in double precision."""
    odds = np.exp(logits.astype("f8") - logits.max(-1, keepdims=True))
    return odds / odds.sum(-1, keepdims=True)


@cached(work=one_pass)
def next_token(reading: Reading) -> np.ndarray:
    """The probability (V,) of every token to come next."""
    model, ids, mask = inputs(reading)
    return probabilities(inspection.head_effects.forward(model, ids, **mask).logits[0, -1].numpy())


def each_layer(reading: Reading, *_: object) -> Workload:
    """A model with the weights of one layer at a time."""
    source = reading.ref.resolve()
    return workload.one_pass(source.config, len(reading.tokens), source.n_layers, has_logits=False)


@cached(work=each_layer)
def one_head(reading: Reading, layer: int, head: int) -> tuple[np.ndarray, np.ndarray | None]:
    """The weights of one head, (T, T), and its mask or None."""
    model, ids, mask = inputs(reading)
    segments = list(reading.segments) or None
    maps = next(islice(inspection.run.maps_by_layer(model, ids, segments=segments, **mask), layer, None))
    return maps.weights[head].copy(), inspection.run.frame_of_maps(model, len(ids), **mask).mask_of(layer)


def _pass_per_head(reading: Reading) -> Workload:
    source = reading.ref.resolve()
    return each_layer(reading) * (1 + source.n_layers * source.config.n_heads)


@cached(work=_pass_per_head)
def each_head_ablated(reading: Reading) -> np.ndarray:
    """How much the ablation of each head changes the final vectors, (L, H)."""
    model, ids, mask = inputs(reading)
    return inspection.head_effects.ablate_each_head(model, ids, **mask)


class Differences(NamedTuple):
    """B - A of all heads that both sides have, small enough to be drawn.

    values   (L, H, t, t)
    k        each cell stands for the largest of k x k
    largest  the largest size of a difference, before that
    """

    values: np.ndarray
    k: int
    largest: float


@cached(work=lambda a, b, max_cells: each_layer(a).keeping(each_layer(b).n_bytes) + each_layer(b))
def head_differences(a: Reading, b: Reading, max_cells: int) -> Differences:
    """B - A of every head that both have, of texts of equal length; at most max_cells cells."""
    (model, ids, mask), (other, other_ids, other_mask) = inputs(a), inputs(b)
    T, n_layers = len(ids), min(len(model.stack.layers), len(other.stack.layers))
    H = min(model.config.n_heads, other.config.n_heads)
    # Of unequal depths, only layers that both have; one pair at a time.
    ours_by_layer = inspection.run.maps_by_layer(model, ids, segments=list(a.segments) or None, **mask)
    theirs_by_layer = inspection.run.maps_by_layer(other, other_ids, segments=list(b.segments) or None, **other_mask)
    pairs = islice(zip(ours_by_layer, theirs_by_layer, strict=False), n_layers)
    weights = ((ours.weights, theirs.weights) for ours, theirs in pairs)
    return differences_of(weights, (n_layers, H, T, T), max_cells)


def differences_of(
    pairs: Iterable[tuple[np.ndarray, np.ndarray]], shape: tuple[int, int, int, int], max_cells: int
) -> Differences:
    """B - A of the weights of A and of B, layer by layer; shape (L, H, T, S): what both of them have."""
    L, H, T, S = shape
    k = _side(L * H, max(T, S), max_cells)
    values = np.stack([_pooled(theirs[:H] - ours[:H], k) for ours, theirs in pairs])
    return Differences(values, k, float(np.abs(values).max()))


def _side(n_maps: int, T: int, max_cells: int) -> int:
    """The smallest k with which so many maps (T, T) have at most max_cells cells, each in the place of k x k."""
    k = 1
    while n_maps * (-(-T // k)) ** 2 > max_cells and k < T:
        k += 1
    return k


def _pooled(values: np.ndarray, k: int) -> np.ndarray:
    """Maps (H, T, S) in which each cell stands for the largest of k x k, whatever its sign."""
    if k == 1:
        return values
    H, T, S = values.shape
    n, m = -(-T // k), -(-S // k)
    wide = np.zeros((H, n * k, m * k), values.dtype)
    wide[:, :T, :S] = values
    blocks = wide.reshape(H, n, k, m, k).swapaxes(2, 3).reshape(H, n, m, k * k)
    at = np.abs(blocks).argmax(-1)
    return np.take_along_axis(blocks, at[..., None], -1)[..., 0]
