"""What an encoder-decoder writes, and the three kinds of attention of both texts, computed once for all visitors.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from attention_view import Kinds, Marks, Packed, Picture
from pages.shared.caching import cached
from pages.shared.pretrained import PretrainedSource
from pages.shared.readings import Reading
from pages.shared.recordings import scored
from transformer import workload
from transformer.workload import Workload

if TYPE_CHECKING:
    from transformer.inspection.run import AttentionMap
    from transformer.model import Transformer

MAX_WRITTEN = 24  # tokens that a model writes by itself
_LABELS = {
    "encoder": "encoder self-attention", "decoder": "decoder self-attention", "cross": "cross-attention"
}  # fmt: skip
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

    text   without special tokens
    ended  whether the end of the text was written
    """

    kinds: Kinds
    text: str
    ended: bool


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
    from transformer.inspection.masks import three_attentions
    from transformer.model import Transformer

    model, source = exchange.model, exchange.source
    network, start = model.model, model.loaded.start
    assert isinstance(network, Transformer)
    assert start is not None  # every encoder-decoder has one
    src = model.ids(source.tokens)
    written = model.ids(exchange.target.tokens) if exchange.target else _written(model, network, src, start)
    read = [start, *written[:-1]]
    queries, labels = (tuple(map(model.label, ids)) for ids in (read, written))
    maps = three_attentions(network, src, read, -1, source.tokens, queries, masked=False)  # nothing is padding
    given, before = model.marks(source.tokens, (), source.words), (queries, model.marks(queries))
    words = exchange.target.words if exchange.target else ()
    heard, writing = (source.tokens, given), (labels, model.marks(labels, (), words))
    sides = {"encoder": (heard, heard), "decoder": (before, before), "cross": (writing, heard)}
    kinds = {kind: _picture(kind, maps[kind], *both) for kind, both in sides.items()}
    tokenizer = model.loaded.tokenizer
    return Exchanged(Kinds(kinds, opens="cross"), tokenizer.decode(written), written[-1] == tokenizer.eos)


def _written(model: PretrainedSource, network: "Transformer", src: list[int], start: int) -> list[int]:
    """What the model writes by itself: the likeliest token at every step, until its end or for MAX_WRITTEN tokens."""
    import torch

    from transformer.generation import greedy_batch

    eos, n = model.loaded.tokenizer.eos, min(MAX_WRITTEN, model.max_tokens)
    end = -1 if eos is None else eos
    return greedy_batch(network, torch.tensor([src]), None, n, start, end, end)[0].tolist()


def _picture(kind: str, attention: "AttentionMap", queries: Side, keys: Side) -> Packed:
    """All heads of one kind, with every score that says something of it."""
    from transformer.inspection.scores import ENTROPY, SCORES, chances, head_scores

    (rows, row_marks), (tokens, marks) = queries, keys
    T, S = len(rows), len(tokens)
    mask = None if attention.mask is None or attention.mask.all() else attention.mask
    picture = scored(Picture(
        rows, tokens, attention.weights, mask, attention.q, attention.k, attention.v, attention.scale, attention.bias,
        query_marks=row_marks, key_marks=marks, label=_LABELS[kind],
    ))  # fmt: skip
    measures = [ENTROPY] if kind == "cross" else [one for one in SCORES if one.applies(T, S, tokens)]
    return Packed(replace(
        picture, scores=head_scores(attention.weights, tokens, measures), chance=chances(T, S, mask, tokens, measures),
        about={one.name: one.meaning for one in measures},
    ))  # fmt: skip
