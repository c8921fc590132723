"""Whole models: the encoder-decoder of the paper, an encoder alone (as BERT), a decoder alone (as GPT)."""

from typing import NamedTuple

from torch import Generator, Tensor, nn

from transformer.cache import Cache
from transformer.config import TransformerConfig
from transformer.embeddings import TokenEmbedding
from transformer.layers import DecoderLayer, EncoderLayer
from transformer.masks import both, causal
from transformer.positions import make_positions
from transformer.random import dropout, linear
from transformer.taps import Tap, no_tap, under


class Attention(NamedTuple):
    """The weights of every layer, before dropout; lists with one (B, H, T, S) tensor a layer."""

    encoder: list[Tensor]
    decoder: list[Tensor]
    cross: list[Tensor]


class Output(NamedTuple):
    """What a model returns: logits (B, T, V), and the attention weights of all its layers."""

    logits: Tensor
    attention: Attention


class _Stack(nn.Module):
    """What encoder and decoder share: token vectors, positions, layers, and the last norm of a pre-norm stack."""

    def __init__(self, config, embedding, layers, *, bidirectional, generator):
        super().__init__()
        self.embedding = embedding
        self.positions = make_positions(config, bidirectional=bidirectional, generator=generator)
        self.layers = nn.ModuleList(layers)
        # A pre-norm stack ends on an unnormalised stream, so one norm closes it; a post-norm stack needs none.
        self.final_norm = nn.LayerNorm(config.d_model, eps=config.norm_eps) if config.norm == "pre" else nn.Identity()
        self.dropout = config.dropout

    def embed(
        self, ids: Tensor, *, cache: Cache | None = None, tap: Tap = no_tap, generator: Generator | None = None
    ) -> Tensor:
        """ids (B, T) -> token vectors + positions (B, T, D). Taps: embedded, positioned."""
        x = tap("embedded", self.embedding(ids))
        x = tap("positioned", self.positions.add(x, cache.length if cache else 0))
        if cache:
            cache.length += ids.shape[1]
        return dropout(x, self.dropout if self.training else 0.0, generator)


class Encoder(_Stack):
    """A stack of encoder layers; every layer has parameters of its own."""

    def __init__(self, config: TransformerConfig, embedding: TokenEmbedding, generator: Generator | None = None):
        layers = [EncoderLayer(config, generator) for _ in range(config.n_encoder_layers)]
        super().__init__(config, embedding, layers, bidirectional=True, generator=generator)

    def forward(
        self,
        ids: Tensor,
        mask: Tensor | None = None,
        *,
        cache: Cache | None = None,
        tap: Tap = no_tap,
        generator: Generator | None = None,
    ) -> tuple[Tensor, list[Tensor]]:
        """ids (B, T) -> contextual vectors (B, T, D), a weight tensor (B, H, T, T) a layer.

        A cache is for stacks that read from left to right: a new token changes nothing for those before it.
        """
        x = self.embed(ids, cache=cache, tap=tap, generator=generator)
        attention = []
        for i, layer in enumerate(self.layers):
            x, weights = layer(
                x,
                mask,
                positions=self.positions,
                cache=cache and cache.layers[i],
                tap=under(str(i), tap),
                generator=generator,
            )
            attention.append(weights)
        return tap("out", self.final_norm(x)), attention


class Decoder(_Stack):
    """A stack of decoder layers that read `memory`, what the encoder made of the source."""

    def __init__(self, config: TransformerConfig, embedding: TokenEmbedding, generator: Generator | None = None):
        layers = [DecoderLayer(config, generator) for _ in range(config.n_decoder_layers)]
        super().__init__(config, embedding, layers, bidirectional=False, generator=generator)

    def forward(
        self,
        ids: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        *,
        cache: Cache | None = None,
        tap: Tap = no_tap,
        generator: Generator | None = None,
    ) -> tuple[Tensor, list[Tensor], list[Tensor]]:
        """ids (B, T), memory (B, S, D) -> vectors (B, T, D), self weights and cross weights a layer."""
        x = self.embed(ids, cache=cache, tap=tap, generator=generator)
        attention, cross = [], []
        for i, layer in enumerate(self.layers):
            x, self_weights, cross_weights = layer(
                x,
                memory,
                tgt_mask,
                memory_mask,
                positions=self.positions,
                cache=cache and cache.layers[i],
                tap=under(str(i), tap),
                generator=generator,
            )
            attention.append(self_weights)
            cross.append(cross_weights)
        return tap("out", self.final_norm(x)), attention, cross


class _CausalStack(_Stack):
    """A decoder without an encoder: layers with self-attention only, read from left to right."""

    def __init__(self, config: TransformerConfig, embedding: TokenEmbedding, generator: Generator | None = None):
        layers = [EncoderLayer(config, generator) for _ in range(config.n_decoder_layers)]
        super().__init__(config, embedding, layers, bidirectional=False, generator=generator)

    forward = Encoder.forward


class _OutputMap(nn.Module):
    """From the stream to logits over the vocabulary: a linear map of its own, or W_e^T when tied (section 3.4)."""

    def __init__(self, config: TransformerConfig, embedding: TokenEmbedding, generator: Generator | None):
        super().__init__()
        self.linear = None
        if not config.tie_output:
            self.linear = linear(config.d_model, len(embedding.weight), bias=config.bias, generator=generator)

    def forward(self, x: Tensor, embedding: TokenEmbedding) -> Tensor:
        return embedding.logits(x) if self.linear is None else self.linear(x)  # (B, T, V)


class Transformer(nn.Module):
    """The encoder-decoder of "Attention Is All You Need"."""

    def __init__(self, config: TransformerConfig, generator: Generator | None = None):
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
        """src (B, S) -> memory (B, S, D), a weight tensor (B, H, S, S) a layer."""
        return self.encoder(src, src_mask, tap=under("encoder", tap), generator=generator)

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
        """tgt (B, T), memory (B, S, D) -> logits (B, T, V), self weights and cross weights a layer.

        With a cache, tgt is only what is new, and masks are as wide as all that has been read.
        """
        if is_causal:
            tgt_mask = both(_causal(tgt, cache), tgt_mask)
        x, attention, cross = self.decoder(
            tgt, memory, tgt_mask, memory_mask, cache=cache, tap=under("decoder", tap), generator=generator
        )
        return tap("logits", self.output(x, self.decoder.embedding)), attention, cross

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

    def __init__(self, config: TransformerConfig, generator: Generator | None = None):
        super().__init__()
        self.config = config
        self.encoder = Encoder(config, _embedding(config, config.vocab_size, generator), generator)
        self.output = _OutputMap(config, self.encoder.embedding, generator)

    def forward(
        self, ids: Tensor, mask: Tensor | None = None, *, tap: Tap = no_tap, generator: Generator | None = None
    ) -> Output:
        """ids (B, T) -> Output, its weights under `attention.encoder`."""
        x, attention = self.encoder(ids, mask, tap=under("encoder", tap), generator=generator)
        return Output(tap("logits", self.output(x, self.encoder.embedding)), Attention(attention, [], []))


class DecoderModel(nn.Module):
    """A decoder alone, as GPT: every token sees itself and what came before it, and predicts the next."""

    def __init__(self, config: TransformerConfig, generator: Generator | None = None):
        super().__init__()
        self.config = config
        self.decoder = _CausalStack(config, _embedding(config, config.vocab_size, generator), generator)
        self.output = _OutputMap(config, self.decoder.embedding, generator)

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
        if is_causal:
            mask = both(_causal(ids, cache), mask)
        x, attention = self.decoder(ids, mask, cache=cache, tap=under("decoder", tap), generator=generator)
        return Output(tap("logits", self.output(x, self.decoder.embedding)), Attention([], attention, []))


def _causal(ids: Tensor, cache: Cache | None) -> Tensor | None:
    """The causal mask of the new tokens, (T, S). A single one stands last and may look at everything: no mask."""
    T = ids.shape[1]
    return None if T == 1 else causal(T, T + (cache.length if cache else 0), device=ids.device)


def _embedding(config: TransformerConfig, vocab_size: int, generator: Generator | None) -> TokenEmbedding:
    return TokenEmbedding(vocab_size, config.d_model, scaled=config.scale_embeddings, generator=generator)
