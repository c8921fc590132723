"""The numbers of the page on pretrained models, computed once and shared by all visitors.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from typing import NamedTuple

import numpy as np

from attention_view import Packed
from pages.shared import pretrained
from pages.shared.caching import cached
from pages.shared.pretrained import PretrainedSource
from pages.shared.readings import Reading, each_layer, inputs, one_pass
from transformer.workload import Workload

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
    from transformer.inspection import head_ablations

    source, (model, ids, _) = reading.ref.resolve(), inputs(reading)
    at = source.answer_position(reading.tokens)
    before = head_ablations.predictions(model, ids, at)
    after = head_ablations.predictions(model, ids, at, tap=head_ablations.ablated(model, layer, list(heads)))
    ranked = np.argsort(-np.maximum(before, after), kind="stable")[:N_TOKENS]
    ranked = ranked[np.argsort(-before[ranked], kind="stable")]
    labels = tuple(source.label(int(id)) for id in ranked)
    return Distributions(labels, before[ranked], after[ranked], float(head_ablations.moved(before, after)))


def _copy_per_head(reading: Reading) -> Workload:
    """A pass per layer over a copy of the text per head, and the answers of all copies."""
    source = reading.ref.resolve()
    one, H = each_layer(reading), source.config.n_heads
    maps = Workload(one.n_bytes * 2 + H * 32 * source.config.vocab_size)
    return (one * (source.n_layers * H)).keeping(maps.n_bytes)


@cached(work=_copy_per_head)
def each_head_unplugged(reading: Reading) -> np.ndarray:
    """The share of the answer's probability that moves without each head, (L, H)."""
    from transformer.inspection import head_ablations

    model, ids, _ = inputs(reading)
    return head_ablations.each_head_ablated(model, ids, reading.ref.resolve().answer_position(reading.tokens))


@cached(work=lambda reading, layer, heads: one_pass(reading) * 2)
def moved_vectors(reading: Reading, layer: int, heads: tuple[int, ...]) -> np.ndarray:
    """How far each token's final vector moves without these heads, relative to its length, (T,)."""
    from transformer.inspection import head_ablations

    model, ids, _ = inputs(reading)
    return head_ablations.moved_vectors(model, ids, head_ablations.ablated(model, layer, list(heads)))


def recordings() -> tuple[str, ...]:
    """The titles of the recordings that are shipped."""
    from transformer.pretrained.recording import RECORDINGS

    return tuple(one.title for one in RECORDINGS)


@cached()
def recording(title: str) -> Packed:
    """One of them, ready for the browser."""
    from pages.shared.recordings import recorded
    from transformer.pretrained.recording import RECORDINGS

    return Packed(recorded(next(one.name for one in RECORDINGS if one.title == title)))


def loaded() -> dict[str, int]:
    """Bytes of the published models that are in memory for all visitors, by name."""
    with pretrained.BUDGET.lock:
        entries = [entry for cache in pretrained.BUDGET.caches.values() for entry in cache.entries.values()]
        kept: list[PretrainedSource] = [entry.result.result() for entry in entries if entry.result.done()]
        return {source.title: sum(p.nbytes for p in source.model.parameters()) for source in kept}
