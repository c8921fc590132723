"""An encoder-decoder reads one text and writes another: its three kinds of attention, in one picture."""

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from attention_view import Kinds, Marks, Packed, Picture
from pages.pretrained import text
from pages.shared import display
from pages.shared.caching import cached
from pages.shared.compare import Current, pin
from pages.shared.components.attention_view import attention_view
from pages.shared.pretrained import PretrainedSource
from pages.shared.readings import Reading
from pages.shared.recordings import scored
from pages.shared.text_input import ReadBy, source_row
from transformer import workload
from transformer.workload import Workload

if TYPE_CHECKING:
    from transformer.inspection.run import AttentionMap
    from transformer.model import Transformer

TARGET = "pretrained_target"  # the text that the visitor types in place of the model's, in links
MAX_WRITTEN = 24  # tokens that the model writes itself
VIEW_KEY = "pretrained_exchange"
_LINE = ("type what it is to write", "with a target text of yours")
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


def ask(typed: ReadBy) -> Exchange | None:
    """Both texts, as the model of a typed text takes them; None, with a notice, where there is nothing to read."""
    wanted = text.ask_other(TARGET, "target text", _LINE, "Leave it empty, and the model writes by itself")
    source = text.reading(typed)
    if source is None:
        return None
    model = source.ref.resolve()
    assert isinstance(model, PretrainedSource)
    target = text.encoded(model, wanted, tell=True) if wanted else None
    return Exchange(source, target if target and target.tokens else None)


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


def draw(exchange: Exchange, result: Exchanged, current: Current) -> None:
    """The picture, and below it what was written."""
    if st.query_params.get("a") is not None:
        pin(current)
        st.markdown("Models that read one text and write another are not subtracted here. Choose another to compare.")
    attention_view(result.kinds, key=VIEW_KEY)
    st.markdown(_about(exchange, result))
    source_row(exchange.model)


def _about(exchange: Exchange, result: Exchanged) -> str:
    """What was written, by whom, and how to read the three pictures, in Markdown."""
    if exchange.target:
        first = "You typed what it writes, so you see where it looks for each of your tokens, given those before."
    else:
        shown = f"“{display.plain(result.text)}”" if result.text.strip() else "nothing but special tokens"
        first = f"It wrote **{shown}**: at each step the token that it found likeliest"
        first += "." if result.ended else f", {MAX_WRITTEN} at most."
    return (
        f"{first} **Cross**: each row is a token being written, and shows where in the text the model looks meanwhile. "
        "**Encoder**: the text looks at itself. **Decoder**: what is written looks back at what came before it."
    )
