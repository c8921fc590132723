"""Whole models: the encoder-decoder of the paper, an encoder alone (as BERT), a decoder alone (as GPT)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import torch
from torch import Generator, Tensor, nn

from transformer.core.cache import Cache
from transformer.core.checks import InputError
from transformer.core.config import Kind, TransformerConfig
from transformer.core.context import PLAIN, Context, one_call
from transformer.core.embeddings import PatchEmbedding, SegmentEmbedding, TokenEmbedding
from transformer.core.layers import DecoderLayer, EncoderLayer, OutputTransform, make_norm
from transformer.core.masks import all_of, causal, check
from transformer.core.positions import make_positions
from transformer.core.random import linear
from transformer.core.taps import Tap, no_tap
from transformer.core.variants import pattern

Embedding = Any  # a TokenEmbedding, or in an encoder that reads images a PatchEmbedding


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
        embedding: Embedding,
        layers: Iterable[nn.Module],
        *,
        bidirectional: bool,
        generator: Generator | None,
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.positions = make_positions(config, bidirectional=bidirectional, generator=generator)
        self.segments = SegmentEmbedding(config.n_segments, config.d_model, generator) if config.n_segments else None
        self.embedding_norm = make_norm(config) if config.embedding_norm else None
        self.layers = nn.ModuleList(layers)
        # A pre-norm stack ends on an unnormalised stream, so one norm closes it; a post-norm stack needs none.
        self.final_norm = make_norm(config) if config.has_final_norm else nn.Identity()
        self.dropout = config.dropout
        self.windows = [config.window_of(layer) for layer in range(len(self.layers))]
        self.pattern = config.pattern

    def embed(self, ids: Tensor, ctx: Context = PLAIN, segments: Tensor | None = None) -> Tensor:
        """ids (B, T) -> token vectors + positions (B, T, D), with segments and a norm where the model has them.

        segments (B, T) says which text a token belongs to (None: all to the first). Taps: embedded, positioned (with
        the segments), normed (if there is a norm).
        """
        start = ctx.cache.length if ctx.cache else 0
        x = ctx.tap("embedded", self.embedding(ids))
        if self.segments is not None:
            x = self.segments(x, segments)
        elif segments is not None:
            raise InputError("this model has no segments: it cannot be told which text a token belongs to")
        x = ctx.tap("positioned", self.positions.add(x, start))
        if self.embedding_norm is not None:
            x = ctx.tap("normed", self.embedding_norm(x))
        if ctx.cache:
            ctx.cache.length += x.shape[1]
        return ctx.dropout(x, self.dropout, self.training)

    def each_mask(self, mask: Tensor | None, T: int, S: int) -> Iterator[Tensor | None]:
        """The mask of every layer's self-attention: the given one, and the window of the layer if it has one."""
        near = None  # the mask of all layers with a window, made once
        for window in self.windows:
            if window is not None and near is None:
                near = all_of(self.near(T, window, S), mask)
            yield mask if window is None else near

    def near(self, T: int, window: int, S: int | None = None) -> Tensor:
        """What a layer with this window leaves open, (T, S)."""
        return pattern(self.pattern, T, window, S).to(self.embedding.weight.device)


class SelfAttentionStack(Stack):
    """Layers of self-attention and feed-forward: an encoder, or a decoder without cross-attention."""

    layers: Sequence[EncoderLayer]

    def forward(
        self, ids: Tensor, mask: Tensor | None = None, *, ctx: Context = PLAIN, segments: Tensor | None = None
    ) -> tuple[Tensor, list[Tensor]]:
        """ids (B, T) -> contextual vectors (B, T, D), one weight tensor (B, H, T, S) per layer.

        S is T, and with a cache all that has been read. A cache is for causal masks only: a new token must change
        nothing for those before it.
        """
        x = embedded = self.embed(ids, ctx, segments)
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
        T = x.shape[1]
        S = ctx.cache.length if ctx.cache else T
        for i, (layer, own) in enumerate(zip(self.layers, self.each_mask(mask, T, S), strict=False)):
            x, weights = layer(x, own, positions=self.positions, ctx=ctx.at(str(i)))
            yield x, weights
            del weights  # before the next layer makes its own


class Encoder(SelfAttentionStack):
    """A stack of encoder layers; every layer has parameters of its own."""

    def __init__(self, config: TransformerConfig, embedding: Embedding, generator: Generator | None = None) -> None:
        layers = [EncoderLayer(config, generator) for _ in range(config.n_encoder_layers)]
        super().__init__(config, embedding, layers, bidirectional=True, generator=generator)


class CausalStack(SelfAttentionStack):
    """The stack of a decoder alone: encoder layers that are read from left to right."""

    def __init__(self, config: TransformerConfig, embedding: Embedding, generator: Generator | None = None) -> None:
        layers = [EncoderLayer(config, generator) for _ in range(config.n_decoder_layers)]
        super().__init__(config, embedding, layers, bidirectional=False, generator=generator)


class Decoder(Stack):
    """A stack of decoder layers, which read `memory`, the encoder's output."""

    layers: Sequence[DecoderLayer]

    def __init__(self, config: TransformerConfig, embedding: Embedding, generator: Generator | None = None) -> None:
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
        T = ids.shape[1]
        S = ctx.cache.length if ctx.cache else T
        attention, cross = [], []
        for i, (layer, own) in enumerate(zip(self.layers, self.each_mask(tgt_mask, T, S), strict=False)):
            x, self_weights, cross_weights = layer(
                x, memory, own, memory_mask, positions=self.positions, ctx=ctx.at(str(i))
            )
            attention.append(self_weights)
            cross.append(cross_weights)
        return ctx.tap("out", self.final_norm(x)), attention, cross


class OutputMap(nn.Module):
    """From the stream to logits over the vocabulary: a linear map of its own, or W_e^T when tied (section 3.4).

    Before it BERT has a transform and T5 a factor; a tied map may have a bias (BERT, BART).
    """

    def __init__(self, config: TransformerConfig, V: int, generator: Generator | None) -> None:
        super().__init__()
        has_bias = config.has_bias("output")
        self.scale = config.output_scale
        self.transform = OutputTransform(config, generator) if config.output_transform else None
        self.linear = None if config.tie_output else linear(config.d_model, V, bias=has_bias, generator=generator)
        self.bias = nn.Parameter(torch.zeros(V)) if config.tie_output and has_bias else None

    def read(self, x: Tensor) -> Tensor:
        """What the linear map reads: the stream (..., D), transformed and scaled where the model does so."""
        if self.transform is not None:
            x = self.transform(x)
        return x if self.scale == 1 else x * self.scale

    def rows(self, embedding: TokenEmbedding) -> tuple[Tensor, Tensor | None]:
        """The row of each token (V, D), and its bias (V,) if there is one: logit = read(x) . row + bias."""
        if self.linear is None:
            return embedding.weight, self.bias
        return self.linear.weight, self.linear.bias

    def forward(self, x: Tensor, embedding: TokenEmbedding) -> Tensor:
        x = self.read(x)
        if self.linear is not None:
            return self.linear(x)  # (B, T, V)
        return embedding.logits(x) if self.bias is None else embedding.logits(x) + self.bias


class Transformer(nn.Module):
    """The encoder-decoder of "Attention Is All You Need"."""

    __call__: Callable[..., Output]
    kind: ClassVar[Kind] = "encoder-decoder"

    def __init__(self, config: TransformerConfig, generator: Generator | None = None) -> None:
        super().__init__()
        self.config = config
        target = _embedding(config, config.tgt_vocab_size, generator)
        source = target if config.tie_source else _embedding(config, config.vocab_size, generator)
        self.encoder = Encoder(config, source, generator)
        self.decoder = Decoder(config, target, generator)
        self.output = OutputMap(config, config.tgt_vocab_size, generator)

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

    __call__: Callable[..., Output]
    kind: ClassVar[Kind] = "encoder"

    def __init__(self, config: TransformerConfig, generator: Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.encoder = Encoder(config, _source_embedding(config, generator), generator)
        self.output = OutputMap(config, config.vocab_size, generator)

    @property
    def stack(self) -> Encoder:
        """The encoder: what a model of a single stack has, whatever its kind."""
        return self.encoder

    def forward(
        self,
        ids: Tensor,
        mask: Tensor | None = None,
        *,
        segments: Tensor | None = None,
        tap: Tap = no_tap,
        generator: Generator | None = None,
    ) -> Output:
        """ids (B, T) -> Output, its weights under `attention.encoder`.

        segments (B, T) says which of two texts a token belongs to, for models that tell them apart. A model of images
        is given images (B, channels, side, side) as ids; its logits are those of the classes, in the row of the class
        token.
        """
        B, T = len(ids), self.encoder.embedding.length(ids)
        mask = check(mask, B, T, T, self.config.n_heads)
        with one_call(tap, generator=generator) as ctx:
            x, attention = self.encoder(ids, mask, ctx=ctx.at("encoder"), segments=segments)
            return Output(ctx.tap("logits", self.output(x, self.encoder.embedding)), Attention(attention, [], []))


class DecoderModel(nn.Module):
    """A decoder alone, as GPT: every token sees itself and what came before it, and predicts the next."""

    __call__: Callable[..., Output]
    kind: ClassVar[Kind] = "decoder"

    def __init__(self, config: TransformerConfig, generator: Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.decoder = CausalStack(config, _embedding(config, config.vocab_size, generator), generator)
        self.output = OutputMap(config, config.vocab_size, generator)

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


def _source_embedding(config: TransformerConfig, generator: Generator | None) -> Embedding:
    if config.image_size is None:
        return _embedding(config, config.vocab_size, generator)
    return PatchEmbedding(
        config.image_size,
        config.patch_size,
        config.d_model,
        config.n_channels,
        distilled=config.distilled,
        generator=generator,
    )
