"""A decoder while it writes: a tree of texts, one logit as a product, and the contents and savings of a cache."""

import statistics
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np
import torch

from transformer.core.cache import Cache
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel
from transformer.core.taps import Recorder
from transformer.generation import Sampling, begin, cache_formula, generate
from transformer.generation.decoding import read
from transformer.generation.sampling import distribution
from transformer.inspection.run import Text, ids_of, one_text

PLAIN = Sampling()
MAX_CELLS = 20_000_000  # of attention and logits that are computed at once


class NextToken(NamedTuple):
    """What stands behind the next token of a text.

    attention  (L, H, S) where the last token looks
    x          (D,) the final stream of the last token
    rows       (V, D) and bias (V,): of the output map; the rows are those of the embedding table where it is tied
    logits     (V,) of the model itself
    """

    attention: np.ndarray
    x: np.ndarray
    rows: np.ndarray
    bias: np.ndarray
    logits: np.ndarray


@torch.inference_mode()
def next_token(model: DecoderModel, ids: Text) -> NextToken:
    """What stands behind the token after this text, from one pass over the whole text."""
    recorder = Recorder("out")
    batch = one_text(ids)  # (1, T)
    output = model(batch, tap=recorder)
    attention = output.attention.decoder
    rows, bias = model.output.rows(model.decoder.embedding)
    return NextToken(
        attention=np.stack([weights[0, :, -1].numpy() for weights in attention])
        if attention
        else np.zeros((0, model.config.n_heads, batch.shape[1]), np.float32),
        x=model.output.read(recorder["decoder.out"][0, -1]).numpy(),
        rows=rows.detach().numpy(),
        bias=np.zeros(len(rows), np.float32) if bias is None else bias.detach().numpy(),
        logits=output.logits[0, -1].numpy(),
    )


class TreeScores(NamedTuple):
    """The share of every node of a tree in the draw where it stands, and its rank, 1 for the model's first choice."""

    probs: np.ndarray
    ranks: np.ndarray


@torch.inference_mode()
def score_tree(
    model: DecoderModel, given: Sequence[int], nodes: Sequence[tuple[int, int]], sampling: Sampling = PLAIN
) -> TreeScores:
    """Score every node of a tree of texts that begin with `given`, many branches in one batch.

    nodes: (parent, id), the parent being the place of an earlier node, or -1 for the end of `given`.
    """
    probs, ranks = np.zeros(len(nodes)), np.zeros(len(nodes), dtype=int)
    if not nodes:
        return TreeScores(probs, ranks)
    parents = {parent for parent, _ in nodes}
    paths = [_path(nodes, leaf) for leaf in range(len(nodes)) if leaf not in parents]
    longest = max(map(len, paths))
    T = len(given) + longest
    per_branch = T * T * model.config.n_heads * len(model.decoder.layers) + T * len(model.decoder.embedding.weight)
    batch = max(1, MAX_CELLS // per_branch)
    # A decoder never looks ahead, so what pads a shorter branch changes nothing before it.
    texts = torch.tensor([[*given, *(nodes[at][1] for at in path), *[0] * (longest - len(path))] for path in paths])
    for first in range(0, len(paths), batch):
        several = texts[first : first + batch]
        logits = model(several).logits.double()  # (branches, T, V)
        for row, text, path in zip(logits, several.tolist(), paths[first : first + batch], strict=True):
            for place, at in enumerate(path, start=len(given) - 1):
                here, id = row[place], nodes[at][1]
                probs[at] = distribution(here, text[: place + 1], sampling).final[id]
                ranks[at] = 1 + int((here > here[id]).sum())
    return TreeScores(probs, ranks)


def _path(nodes: Sequence[tuple[int, int]], at: int) -> list[int]:
    path = []
    while at >= 0:
        path.append(at)
        at = nodes[at][0]
    return path[::-1]


class CacheContents(NamedTuple):
    """A KV cache after every token of a text.

    n_bytes       (T,) counted on the tensors
    formula       (T,) 2 L Hkv T d_k times 4
    keys, values  (L, T, Hkv d_k) its contents at the end
    """

    n_bytes: np.ndarray
    formula: np.ndarray
    keys: np.ndarray
    values: np.ndarray


@torch.inference_mode()
def cache_contents(model: DecoderModel, ids: Text) -> CacheContents:
    """Read a text token by token, and look into the cache after each."""
    ids, cache, sizes = ids_of(ids), Cache(len(model.decoder.layers)), []
    for id in ids:
        read(model, torch.tensor([[id]]), None, cache)
        sizes.append(cache.n_bytes)
    pairs = [(layer.self_attn.k, layer.self_attn.v) for layer in cache.layers]
    keys, values = (np.stack([t[0].transpose(0, 1).flatten(1).numpy() for t in side]) for side in zip(*pairs))  # noqa: B905
    formula = [cache_formula(model.config, T) for T in range(1, len(ids) + 1)]
    return CacheContents(np.array(sizes), np.array(formula), keys, values)


class Columns(NamedTuple):
    """How many columns of keys and values each step computes, with a KV cache and without one, counted as it runs.

    kept, anew  (T,) counted in the first layer: the tokens that go through it
    apart       how far a column that is computed again is from the one that was kept, at most
    """

    kept: np.ndarray
    anew: np.ndarray
    apart: float


@torch.inference_mode()
def columns(model: DecoderModel, ids: Text) -> Columns:
    """Read a text token by token twice: into one cache, and every time from the beginning, into an empty one."""
    ids = ids_of(ids)
    L, counts, apart = len(model.decoder.layers), np.zeros((2, len(ids)), int), 0.0
    kept = Cache(L)
    for n in range(1, len(ids) + 1):
        empty = Cache(L)
        for row, (new, cache) in enumerate(((ids[n - 1 : n], kept), (ids[:n], empty))):
            recorder = Recorder("residual_in")
            read(model, torch.tensor([list(new)]), None, cache, recorder)
            counts[row, n - 1] = recorder["decoder.0.residual_in"].shape[1] if L else 0
        pairs = zip(kept.tensors(), empty.tensors(), strict=True)
        apart = max([apart, *(float((one - other).abs().max()) for one, other in pairs)])
    return Columns(counts[0], counts[1], apart)


def multiplications(config: TransformerConfig, vocab_size: int, T: int, *, cached: bool) -> int:
    """Multiplications of the step that reads the T-th token. With a cache only that token goes through the maps,
    without one all T do.

    2 D (H + Hkv) d_k + 2 D F per token and layer (3 D F with a gate, each expert it goes to, and D E for the router of
    E experts), 2 S H d_k for a token's scores and mix over S keys, V D for its logits.
    """
    D, n = config.d_model, 1 if cached else T
    heads, kv_heads = config.n_heads * config.d_k, config.n_kv_heads * config.d_k
    maps = 2 * D * (heads + kv_heads) + config.n_ff_matrices * config.top_k * D * config.d_ff
    maps += (config.n_experts > 1) * D * config.n_experts
    return n * (config.n_decoder_layers * (maps + 2 * T * heads) + vocab_size * D)


class WritingSpeed(NamedTuple):
    """The time to write so many tokens with a KV cache and without one: medians of `rounds` runs, in milliseconds."""

    n_tokens: tuple[int, ...]
    cached: tuple[float, ...]
    uncached: tuple[float, ...]
    rounds: int


def measure_speed(
    model: DecoderModel,
    given: Sequence[int],
    n_tokens: Sequence[int] = (8, 16, 32, 64, 128),
    rounds: int = 3,
    clock: Callable[[], float] = perf_counter,
) -> WritingSpeed:
    """Time greedy writing with a KV cache and without one, in turn, after one run of each to warm up.

    clock: returns seconds.
    """
    medians: dict[bool, list[float]] = {True: [], False: []}
    for n in n_tokens:
        times: dict[bool, list[float]] = {True: [], False: []}
        for turn in range(rounds + 1):
            for cached in (True, False):
                start = clock()
                for _ in generate(begin(model, given, cached=cached), max_new=n):
                    pass
                if turn:
                    times[cached].append(1000 * (clock() - start))
        for cached, milliseconds in times.items():
            medians[cached].append(statistics.median(milliseconds))
    return WritingSpeed(tuple(n_tokens), tuple(medians[True]), tuple(medians[False]), rounds)
