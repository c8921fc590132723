"""What an encoder-decoder writes, and the three kinds of attention of both texts, computed once for all visitors.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

import transformer
from attention_view import Kinds, Marks, Packed, Picture
from lab.kit.models.published import PretrainedSource
from lab.kit.models.readings import Differences, Reading, differences_of
from lab.kit.models.recordings import scored
from lab.server.caching import cached
from transformer import generation, inspection
from transformer.core import workload
from transformer.core.workload import Workload

MAX_WRITTEN = 24  # tokens that a model writes by itself
_LABELS = {"encoder": "encoder self-attention", "decoder": "decoder self-attention", "cross": "cross-attention"}
Side = tuple[tuple[str, ...], Marks]  # the tokens of rows or columns, and what is known of them


class Exchange(NamedTuple):
    """The text that a model reads, and the one that it is to write; None: whatever it writes itself."""

    source: Reading
    target: Reading | None

    @property
    def model(self) -> PretrainedSource:
        model = self.source.ref.resolve()
        assert isinstance(model, PretrainedSource)  # no other encoder-decoder is offered on this page
        return model


class Exchanged(NamedTuple):
    """What has been written, and the attention meanwhile.

    text     without special tokens
    ended    whether the end of the text was written
    written  its tokens, as ids
    """

    kinds: Kinds
    text: str
    ended: bool
    written: tuple[int, ...]


class Maps(NamedTuple):
    """The attention of one kind: the weights (L, H, T, S), the labels of rows and columns, and what is blocked."""

    weights: np.ndarray
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    mask: np.ndarray | None


def _work(exchange: Exchange) -> Workload:
    """The text is written, then both texts are read once more, and all of their attention is kept and scored."""
    config, S = exchange.model.config, len(exchange.source.tokens)
    T = len(exchange.target.tokens) if exchange.target else MAX_WRITTEN
    maps = config.n_heads * (config.n_encoder_layers * S * S + config.n_decoder_layers * T * (T + S))
    vectors = 3 * config.n_heads * config.d_k * (config.n_encoder_layers * S + config.n_decoder_layers * (2 * T + S))
    once = workload.writing(config, S, T)
    return (once + once).keeping(2 * workload.FLOAT * (maps + vectors)).advised("A shorter text needs less.")


@cached(work=_work)
def exchanged(exchange: Exchange) -> Exchanged:
    """What a model writes, and all heads of its three kinds of attention, ready for the browser.

    A row of the decoder is the token that it has just read; a row of the cross-attention, the one that it then writes.
    """
    model, source = exchange.model, exchange.source
    written = model.ids(exchange.target.tokens) if exchange.target else _written(model, model.ids(source.tokens))
    queries, labels, maps = _attention(exchange, written)
    given, before = model.marks(source.tokens, (), source.words), (queries, model.marks(queries))
    words = exchange.target.words if exchange.target else ()
    heard, writing = (source.tokens, given), (labels, model.marks(labels, (), words))
    sides = {"encoder": (heard, heard), "decoder": (before, before), "cross": (writing, heard)}
    kinds = {kind: _picture(kind, maps[kind], *both) for kind, both in sides.items()}
    tokenizer = model.loaded.tokenizer
    text = tokenizer.decode(written)
    return Exchanged(Kinds(kinds, opens="cross"), text, written[-1] == tokenizer.eos, tuple(written))


@cached(work=lambda exchange, kind: _work(exchange))
def maps(exchange: Exchange, kind: str) -> Maps:
    """The weights of one kind alone, as numbers to compare with others."""
    written = list(exchanged(exchange).written)
    queries, labels, found = _attention(exchange, written)
    heard = exchange.source.tokens
    sides = {"encoder": (heard, heard), "decoder": (queries, queries), "cross": (labels, heard)}
    mask = found[kind].mask
    return Maps(found[kind].weights, *sides[kind], None if mask is None or mask.all() else mask)


@cached(work=lambda a, b, kind, max_cells: _work(a) + _work(b))
def differences(a: Exchange, b: Exchange, kind: str, max_cells: int) -> Differences:
    """B − A of every head of one kind that both have, of texts of equal lengths; at most max_cells cells."""
    one, two = maps(a, kind).weights, maps(b, kind).weights
    L, H, T, S = map(min, one.shape, two.shape)
    return differences_of(zip(one[:L], two[:L], strict=True), (L, H, T, S), max_cells)


def _attention(
    exchange: Exchange, written: list[int]
) -> "tuple[tuple[str, ...], tuple[str, ...], dict[str, inspection.run.AttentionMap]]":
    """The labels of what the decoder reads and of what it then writes, and its three kinds of attention meanwhile."""
    model, source = exchange.model, exchange.source
    network, start = _network(model)
    read = [start, *written[:-1]]
    queries, labels = (tuple(map(model.label, ids)) for ids in (read, written))
    src = model.ids(source.tokens)
    # Nothing is padding.
    return (
        queries,
        labels,
        inspection.masks.three_attentions(network, src, read, -1, source.tokens, queries, masked=False),
    )


def _network(model: PretrainedSource) -> "tuple[transformer.Transformer, int]":
    """The model itself, and the token that its own text begins with."""
    network, start = model.model, model.loaded.start
    assert isinstance(network, transformer.Transformer)
    assert start is not None  # every encoder-decoder has one
    return network, start


def _written(model: PretrainedSource, src: list[int]) -> list[int]:
    """What the model writes by itself: the likeliest token at every step, until its end or for MAX_WRITTEN tokens."""
    import torch

    network, start = _network(model)
    eos, n = model.loaded.tokenizer.eos, min(MAX_WRITTEN, model.max_tokens)
    end = -1 if eos is None else eos
    return generation.greedy_batch(network, torch.tensor([src]), None, n, start, end, end)[0].tolist()


def _picture(kind: str, attention: "inspection.run.AttentionMap", queries: Side, keys: Side) -> Packed:
    """All heads of one kind, with every score that says something of it."""
    (rows, row_marks), (tokens, marks) = queries, keys
    T, S = len(rows), len(tokens)
    mask = None if attention.mask is None or attention.mask.all() else attention.mask
    picture = scored(
        Picture(
            rows,
            tokens,
            attention.weights,
            mask,
            attention.q,
            attention.k,
            attention.v,
            attention.scale,
            attention.bias,
            query_marks=row_marks,
            key_marks=marks,
            label=_LABELS[kind],
        )
    )
    measures = (
        [inspection.scores.ENTROPY]
        if kind == "cross"
        else [one for one in inspection.scores.SCORES if one.applies(T, S, tokens)]
    )
    return Packed(
        replace(
            picture,
            scores=inspection.scores.head_scores(attention.weights, tokens, measures),
            chance=inspection.scores.chances(T, S, mask, tokens, measures),
            about={one.name: one.meaning for one in measures},
        )
    )
