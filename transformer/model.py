"""Whole models: the encoder-decoder of the paper, an encoder alone (as BERT), a decoder alone (as GPT)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

from torch import Generator, Tensor, nn

from transformer.cache import Cache
from transformer.config import Kind, TransformerConfig
from transformer.context import PLAIN, Context, one_call
from transformer.embeddings import TokenEmbedding
from transformer.layers import DecoderLayer, EncoderLayer
from transformer.masks import all_of, causal, check
from transformer.positions import make_positions
from transformer.random import linear
from transformer.taps import Tap, no_tap


class Attention(NamedTuple):
    """The weights of every layer, before dropout; lists with one (B, H, T, S) tensor per layer."""

    encoder: list[Tensor]
    decoder: list[Tensor]
    cross: list[Tensor]


class Output(NamedTuple):
    """What a model returns: logits (B, T, V), and the attention weights of all its layers."""

    logits: Tensor
    attention: Attention


class Stack(nn.Module):
    """What every stack shares: token vectors, positions, layers, and the last norm of a pre-norm stack."""

    layers: Any  # an nn.ModuleList, whose type says nothing of its modules; the stacks below do

    def __init__(
        self,
        config: TransformerConfig,
        embedding: TokenEmbedding,
        layers: Iterable[nn.Module],
        *,
        bidirectional: bool,
        generator: Generator | None,
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.positions = make_positions(config, bidirectional=bidirectional, generator=generator)
        self.layers = nn.ModuleList(layers)
        # A pre-norm stack ends on an unnormalised stream, so one norm closes it; a post-norm stack needs none.
        self.final_norm = nn.LayerNorm(config.d_model, eps=config.norm_eps) if config.norm == "pre" else nn.Identity()
        self.dropout = config.dropout

    def embed(self, ids: Tensor, ctx: Context = PLAIN) -> Tensor:
        """ids (B, T) -> token vectors + positions (B, T, D). Taps: embedded, positioned."""
        start = ctx.cache.length if ctx.cache else 0
        x = ctx.tap("embedded", self.embedding(ids))
        x = ctx.tap("positioned", self.positions.add(x, start))
        if ctx.cache:
            ctx.cache.length += ids.shape[1]
        return ctx.dropout(x, self.dropout, self.training)


class SelfAttentionStack(Stack):
    """Layers of self-attention and feed-forward: an encoder, or a decoder without cross-attention."""

    layers: Sequence[EncoderLayer]

    def forward(self, ids: Tensor, mask: Tensor | None = None, *, ctx: Context = PLAIN) -> tuple[Tensor, list[Tensor]]:
        """ids (B, T) -> contextual vectors (B, T, D), one weight tensor (B, H, T, S) per layer.

        S is T, and with a cache all that has been read. A cache is for causal masks only: a new token must change
        nothing for those before it.
        """
        x = embedded = self.embed(ids, ctx)
        attention = []
        for x, weights in self.each_layer(embedded, mask, ctx=ctx):  # noqa: B007 the last x goes on
            attention.append(weights)
        return ctx.tap("out", self.final_norm(x)), attention

    def each_layer(
        self, x: Tensor, mask: Tensor | None = None, *, ctx: Context = PLAIN
    ) -> Iterator[tuple[Tensor, Tensor]]:
        """Layer by layer, embedded tokens (B, T, D) -> the stream (B, T, D) and the weights (B, H, T, S).

        Nothing of a layer is kept here, so who needs no more than one at a time holds no more in memory.
        """
        for i, layer in enumerate(self.layers):
            x, weights = layer(x, mask, positions=self.positions, ctx=ctx.at(str(i)))
            yield x, weights
            del weights  # before the next layer makes its own


class Encoder(SelfAttentionStack):
    """A stack of encoder layers; every layer has parameters of its own."""

    def __init__(
        self, config: TransformerConfig, embedding: TokenEmbedding, generator: Generator | None = None
    ) -> None:
        layers = [EncoderLayer(config, generator) for _ in range(config.n_encoder_layers)]
        super().__init__(config, embedding, layers, bidirectional=True, generator=generator)


class CausalStack(SelfAttentionStack):
    """The stack of a decoder alone: encoder layers that are read from left to right."""

    def __init__(
        self, config: TransformerConfig, embedding: TokenEmbedding, generator: Generator | None = None
    ) -> None:
        layers = [EncoderLayer(config, generator) for _ in range(config.n_decoder_layers)]
        super().__init__(config, embedding, layers, bidirectional=False, generator=generator)


class Decoder(Stack):
    """A stack of decoder layers, which read `memory`, the encoder's output."""

    layers: Sequence[DecoderLayer]

    def __init__(
        self, config: TransformerConfig, embedding: TokenEmbedding, generator: Generator | None = None
    ) -> None:
        layers = [DecoderLayer(config, generator) for _ in range(config.n_decoder_layers)]
        super().__init__(config, embedding, layers, bidirectional=False, generator=generator)

    def forward(
        self,
        ids: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        *,
        ctx: Context = PLAIN,
    ) -> tuple[Tensor, list[Tensor], list[Tensor]]:
        """ids (B, T), memory (B, S, D) -> vectors (B, T, D), self weights and cross weights per layer."""
        x = self.embed(ids, ctx)
        attention, cross = [], []
        for i, layer in enumerate(self.layers):
            x, self_weights, cross_weights = layer(
                x, memory, tgt_mask, memory_mask, positions=self.positions, ctx=ctx.at(str(i))
            )
            attention.append(self_weights)
            cross.append(cross_weights)
        return ctx.tap("out", self.final_norm(x)), attention, cross


class _OutputMap(nn.Module):
    """From the stream to logits over the vocabulary: a linear map of its own, or W_e^T when tied (section 3.4)."""

    def __init__(self, config: TransformerConfig, embedding: TokenEmbedding, generator: Generator | None) -> None:
        super().__init__()
        self.linear = None
        if not config.tie_output:
            self.linear = linear(config.d_model, len(embedding.weight), bias=config.bias, generator=generator)

    def forward(self, x: Tensor, embedding: TokenEmbedding) -> Tensor:
        return embedding.logits(x) if self.linear is None else self.linear(x)  # (B, T, V)


class Transformer(nn.Module):
    """The encoder-decoder of "Attention Is All You Need"."""

    kind: ClassVar[Kind] = "encoder-decoder"

    def __init__(self, config: TransformerConfig, generator: Generator | None = None) -> None:
        super().__init__()
        self.config = config
        target = _embedding(config, config.tgt_vocab_size, generator)
        source = target if config.tie_source else _embedding(config, config.vocab_size, generator)
        self.encoder = Encoder(config, source, generator)
        self.decoder = Decoder(config, target, generator)
        self.output = _OutputMap(config, target, generator)

    def encode(
        self, src: Tensor, src_mask: Tensor | None = None, *, tap: Tap = no_tap, generator: Generator | None = None
    ) -> tuple[Tensor, list[Tensor]]:
        """src (B, S) -> memory (B, S, D), one weight tensor (B, H, S, S) per layer."""
        B, S = src.shape
        with one_call(tap, generator=generator, elsewhere=("decoder.", "logits")) as ctx:
            return self.encoder(src, check(src_mask, B, S, S, self.config.n_heads), ctx=ctx.at("encoder"))

    def decode(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        *,
        is_causal: bool = True,
        cache: Cache | None = None,
        tap: Tap = no_tap,
        generator: Generator | None = None,
    ) -> tuple[Tensor, list[Tensor], list[Tensor]]:
        """tgt (B, T), memory (B, S, D) -> logits (B, T, V), self weights and cross weights per layer.

        With a cache, tgt is only what is new, and masks are as wide as all that has been read.
        """
        tgt_mask = _mask(tgt, tgt_mask, cache, self.config.n_heads, is_causal=is_causal)
        B, T = tgt.shape
        memory_mask = check(memory_mask, B, T, memory.shape[1], self.config.n_heads)
        with one_call(tap, cache=cache, generator=generator, elsewhere=("encoder.",)) as ctx:
            x, attention, cross = self.decoder(tgt, memory, tgt_mask, memory_mask, ctx=ctx.at("decoder"))
            return ctx.tap("logits", self.output(x, self.decoder.embedding)), attention, cross

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        *,
        is_causal: bool = True,
        tap: Tap = no_tap,
        generator: Generator | None = None,
    ) -> Output:
        """src (B, S), tgt (B, T): the target as read so far, one step behind what is predicted. -> Output

        The target may not look ahead unless is_causal=False; tgt_mask comes on top of that. A src_mask that is the
        same for every query, as padding is, also holds for the cross-attention unless memory_mask says otherwise.
        """
        if memory_mask is None and src_mask is not None and (src_mask.dim() < 2 or src_mask.shape[-2] == 1):
            memory_mask = src_mask
        memory, encoder = self.encode(src, src_mask, tap=tap, generator=generator)
        logits, decoder, cross = self.decode(
            tgt, memory, tgt_mask, memory_mask, is_causal=is_causal, tap=tap, generator=generator
        )
        return Output(logits, Attention(encoder, decoder, cross))


class EncoderModel(nn.Module):
    """An encoder with logits over its own vocabulary, as BERT: every token sees every token."""

    kind: ClassVar[Kind] = "encoder"

    def __init__(self, config: TransformerConfig, generator: Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.encoder = Encoder(config, _embedding(config, config.vocab_size, generator), generator)
        self.output = _OutputMap(config, self.encoder.embedding, generator)

    @property
    def stack(self) -> Encoder:
        """The encoder: what a model of a single stack has, whatever its kind."""
        return self.encoder

    def forward(
        self, ids: Tensor, mask: Tensor | None = None, *, tap: Tap = no_tap, generator: Generator | None = None
    ) -> Output:
        """ids (B, T) -> Output, its weights under `attention.encoder`."""
        B, T = ids.shape
        with one_call(tap, generator=generator) as ctx:
            x, attention = self.encoder(ids, check(mask, B, T, T, self.config.n_heads), ctx=ctx.at("encoder"))
            return Output(ctx.tap("logits", self.output(x, self.encoder.embedding)), Attention(attention, [], []))


class DecoderModel(nn.Module):
    """A decoder alone, as GPT: every token sees itself and what came before it, and predicts the next."""

    kind: ClassVar[Kind] = "decoder"

    def __init__(self, config: TransformerConfig, generator: Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.decoder = CausalStack(config, _embedding(config, config.vocab_size, generator), generator)
        self.output = _OutputMap(config, self.decoder.embedding, generator)

    @property
    def stack(self) -> CausalStack:
        """The decoder: what a model of a single stack has, whatever its kind."""
        return self.decoder

    def forward(
        self,
        ids: Tensor,
        mask: Tensor | None = None,
        *,
        is_causal: bool = True,
        cache: Cache | None = None,
        tap: Tap = no_tap,
        generator: Generator | None = None,
    ) -> Output:
        """ids (B, T) -> Output, its weights under `attention.decoder`. The mask comes on top of the causal one.

        With a cache, ids are only what is new, and a mask is as wide as all that has been read.
        """
        mask = _mask(ids, mask, cache, self.config.n_heads, is_causal=is_causal)
        with one_call(tap, cache=cache, generator=generator) as ctx:
            x, attention = self.decoder(ids, mask, ctx=ctx.at("decoder"))
            return Output(ctx.tap("logits", self.output(x, self.decoder.embedding)), Attention([], attention, []))


Model = Transformer | EncoderModel | DecoderModel
SingleStack = EncoderModel | DecoderModel  # the models with a `.stack`


def _mask(ids: Tensor, mask: Tensor | None, cache: Cache | None, n_heads: int, *, is_causal: bool) -> Tensor | None:
    """The caller's mask, on top of the causal one if there is to be one. ids (B, T) are the new tokens."""
    B, T = ids.shape
    S = T + (cache.length if cache else 0)
    mask = check(mask, B, T, S, n_heads)
    if not is_causal or T == 1:  # a single new token comes last and may look at everything
        return mask
    return all_of(causal(T, S, device=ids.device), mask)


def _embedding(config: TransformerConfig, vocab_size: int, generator: Generator | None) -> TokenEmbedding:
    return TokenEmbedding(vocab_size, config.d_model, scaled=config.scale_embeddings, generator=generator)
