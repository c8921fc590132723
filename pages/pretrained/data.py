"""The numbers of the page on pretrained models, computed once and shared by all visitors."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from attention_view import Marks, Packed
from lab.kit.models import published
from lab.kit.models.pictures import MAX_LABEL
from lab.kit.models.published import PretrainedSource
from lab.kit.models.readings import Reading, each_layer, inputs, one_pass
from lab.server.caching import cached
from pages.pretrained.flows import flow_picture
from transformer import inspection, pretrained
from transformer.core import workload
from transformer.core.workload import Workload

FEW_HEADS, FEW_TOKENS = 12, 4096  # of a model that is read without each set of its heads
N_TOKENS = 12  # of a distribution: those that are likeliest before or after


class Distributions(NamedTuple):
    """What a model predicts at one position, with all heads and without some.

    labels         the likeliest tokens of either, the likeliest before first
    before, after  (n,) their probabilities
    moved          the share of all probability that went to other tokens
    """

    labels: tuple[str, ...]
    before: np.ndarray
    after: np.ndarray
    moved: float


@cached(work=lambda reading, layer, heads: one_pass(reading) * 2)
def distributions(reading: Reading, layer: int, heads: tuple[int, ...]) -> Distributions:
    """What the model answers with all heads, and without these of one layer."""
    source, (model, ids, _) = reading.ref.resolve(), inputs(reading)
    at = source.answer_position(reading.tokens)
    before = inspection.head_ablations.predictions(model, ids, at)
    after = inspection.head_ablations.predictions(
        model, ids, at, tap=inspection.head_ablations.ablated(model, layer, list(heads))
    )
    ranked = np.argsort(-np.maximum(before, after), kind="stable")[:N_TOKENS]
    ranked = ranked[np.argsort(-before[ranked], kind="stable")]
    labels = tuple(source.label(int(id)) for id in ranked)
    return Distributions(labels, before[ranked], after[ranked], float(inspection.head_ablations.moved(before, after)))


def _copy_per_head(reading: Reading) -> Workload:
    """A pass per layer over a copy of the text per head, and the answers of all copies."""
    source = reading.ref.resolve()
    one, H = each_layer(reading), source.config.n_heads
    maps = Workload(one.n_bytes * 2 + H * 32 * source.config.vocab_size)
    return (one * (source.n_layers * H)).keeping(maps.n_bytes)


class Cuts(NamedTuple):
    """What a model says with all heads and without some: of each set of heads, head h of layer l being the bit l H + h
    of its number; or where these are too many, with all heads and then without each one.

    labels  the tokens that are said; said (n,) which of them it is
    sure    (n,) its probability; kept (n,) that of the token that is said with all heads
    moved   (L, H) the share of all probability that goes to other tokens without each head
    """

    labels: tuple[str, ...]
    said: np.ndarray
    sure: np.ndarray
    kept: np.ndarray
    moved: np.ndarray


def _every_set(reading: Reading) -> bool:
    """Whether the heads are few enough to read the text without each set of them."""
    source = reading.ref.resolve()
    return source.n_layers * source.config.n_heads <= FEW_HEADS and source.config.vocab_size <= FEW_TOKENS


def _work_of_cuts(reading: Reading) -> Workload:
    """Of every set: all layers but the last as often as there are sets of their heads, and all answers."""
    if not _every_set(reading):
        return _copy_per_head(reading)
    source = reading.ref.resolve()
    L, H, V = source.n_layers, source.config.n_heads, source.config.vocab_size
    below = workload.one_pass(source.config, len(reading.tokens), L, B=2 ** (H * (L - 1)), has_logits=False)
    return below.keeping(8 * V * 2 ** (H * L))


@cached(work=_work_of_cuts)
def cuts(reading: Reading) -> Cuts:
    """What becomes of the answer without heads."""
    source, (model, ids, _) = reading.ref.resolve(), inputs(reading)
    at, shape = source.answer_position(reading.tokens), (source.n_layers, source.config.n_heads)
    ablations = inspection.head_ablations
    if _every_set(reading):
        after = ablations.without_every_set(model, ids, at)
        alone = after[1 << np.arange(shape[0] * shape[1])]
    else:
        alone = np.concatenate(list(ablations.without_each_head(model, ids, at)))
        after = np.concatenate([ablations.predictions(model, ids, at)[None], alone])
    few, said = np.unique(after.argmax(-1), return_inverse=True)
    labels = tuple(source.label(int(id)) for id in few)
    moved = ablations.moved(after[0], alone).reshape(shape)
    return Cuts(labels, said, after.max(-1), after[:, few[said[0]]], moved)


@cached(work=lambda reading: one_pass(reading) * 2)
def small_maps(reading: Reading) -> np.ndarray:
    """The attention weights of all heads, (L, H, T, T)."""
    model, ids, mask = inputs(reading)
    layers = inspection.run.maps_by_layer(model, ids, segments=list(reading.segments) or None, **mask)
    return np.stack([layer.weights for layer in layers])


@cached(work=lambda reading, layer, heads: one_pass(reading) * 2)
def moved_vectors(reading: Reading, layer: int, heads: tuple[int, ...]) -> np.ndarray:
    """How far each token's final vector moves without these heads, relative to its length, (T,)."""
    model, ids, _ = inputs(reading)
    return inspection.head_ablations.moved_vectors(
        model, ids, inspection.head_ablations.ablated(model, layer, list(heads))
    )


def recordings() -> tuple[str, ...]:
    """The titles of the recordings that are shipped."""
    return tuple(one.title for one in pretrained.recording.RECORDINGS)


@cached()
def recording(title: str) -> Packed:
    """One of them, ready for the browser."""
    from lab.kit.models.recordings import recorded

    return Packed(recorded(next(one.name for one in pretrained.recording.RECORDINGS if one.title == title)))


class Edge(NamedTuple):
    """The cell that a recording was made for.

    head   (layer, head); query, key: the two tokens
    weight of the one at the other; others: the mean weight that all other tokens give to the same one
    """

    head: tuple[int, int]
    query: str
    key: str
    weight: float
    others: float


@cached()
def recorded_edge(title: str) -> Edge:
    """Where to look first in a recording, and what the rest of that column says."""
    from attention_view import tensor_file

    one = next(one for one in pretrained.recording.RECORDINGS if one.title == title)
    picture = tensor_file.read(one.file.read_bytes())["encoder"]
    layer, head, query, key = one.edge
    assert isinstance(picture.weights, np.ndarray)
    column = picture.weights[layer, head, :, key].astype("f4")
    others = float(np.delete(column, [query, key]).mean())
    return Edge((layer, head), picture.queries[query], picture.keys[key], float(column[query]), others)


class Flow(NamedTuple):
    """Where the information of each token comes from after each layer.

    shares  (L, T, T): of what each token (row) holds, how much comes from which token (column); packed: to be drawn
    """

    tokens: tuple[str, ...]
    shares: np.ndarray
    mask: np.ndarray | None
    packed: Packed


@cached(work=lambda reading: one_pass(reading) * 2)
def rollout(reading: Reading) -> Flow:
    """The rollout of a text."""
    model, ids, mask = inputs(reading)
    layers = inspection.run.maps_by_layer(model, ids, segments=list(reading.segments) or None, **mask)
    source = reading.ref.resolve()
    marks = source.marks(reading.tokens, reading.segments, reading.words)
    frame = np.tri(len(reading.tokens), dtype=bool) if source.kind == "decoder" else None
    return _flow((layer.weights for layer in layers), reading.tokens, marks, frame)


@cached()
def recorded_rollout(title: str) -> Flow:
    """The same of a recording, from the attention weights that it holds."""
    from attention_view import tensor_file

    file = next(one.file for one in pretrained.recording.RECORDINGS if one.title == title)
    picture = tensor_file.read(file.read_bytes())["encoder"]
    assert isinstance(picture.weights, np.ndarray)
    return _flow(picture.weights, picture.queries, picture.query_marks, None)


def _flow(layers: Iterable[np.ndarray], tokens: Sequence[str], marks: Marks, mask: np.ndarray | None) -> Flow:
    labels = tuple(token if len(token) <= MAX_LABEL else token[: MAX_LABEL - 1] + "…" for token in tokens)
    picture = flow_picture(layers, labels, marks, mask)
    assert isinstance(picture.weights, np.ndarray)
    return Flow(labels, picture.weights[:, 0], mask, Packed(picture))


def loaded() -> dict[str, int]:
    """Bytes of the published models that are in memory for all visitors, by name."""
    with published.BUDGET.lock:
        entries = [entry for cache in published.BUDGET.caches.values() for entry in cache.entries.values()]
        kept: list[PretrainedSource] = [entry.result.result() for entry in entries if entry.result.done()]
        return {source.title: sum(p.nbytes for p in source.model.parameters()) for source in kept}
