"""Parts of a Transformer, each with a method for the line that people get wrong; below it the subclass that does.

The right ones compute what the model computes. A fault changes one method and nothing else, least of all a parameter.
"""

import copy
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from transformer.core.attention import MultiHeadAttention, merge_heads
from transformer.core.context import PLAIN, Context
from transformer.core.layers import AddNorm, DecoderLayer, FeedForward
from transformer.core.masks import causal, padding_of
from transformer.core.model import CausalStack, DecoderModel, Encoder, EncoderModel, Output, Stack
from transformer.core.positions import Positions, sinusoids
from transformer.core.taps import Tap, no_tap
from transformer.training.text import PAD

M = TypeVar("M", bound=nn.Module)


def installed(model: M, *parts: type[nn.Module]) -> M:
    """A copy of the model in which every module that has a part among these is that part, with its own parameters."""
    twin = copy.deepcopy(model)
    for module in twin.modules():
        for part in parts:
            if type(module) in part.__mro__:
                module.__class__ = part
    return twin


# ---- attention -----------------------------------------------------------------------------------------------------


class Attention(MultiHeadAttention):
    """Self-attention with a method per step; for position schemes that add nothing to the scores."""

    def forward(
        self,
        x: Tensor,
        memory: Tensor | None = None,
        mask: Tensor | None = None,
        *,
        positions: Positions | None = None,
        ctx: Context | None = None,
        tap: Tap = no_tap,
        generator: torch.Generator | None = None,
    ) -> tuple[Tensor, Tensor]:
        """x (B, T, D) -> output (B, T, D), weights (B, H, T, T)."""
        tap = tap if ctx is None else ctx.tap
        q, k, v = self.split(self.w_q(x)), self.split(self.w_k(x)), self.split(self.w_v(x))  # (B, H, T, d_k)
        if positions is not None:
            q, k = positions.rotate(q, k)
        q, k, v = tap("q", q), tap("k", k), tap("v", v)
        T = x.shape[1]
        allowed = torch.ones(T, T, dtype=torch.bool) if mask is None else mask
        scores = tap("scaled", self.score(q, k))  # (B, H, T, T)
        weights = tap("weights", self.weigh(scores, allowed))
        heads = tap("heads", weights @ v)  # (B, H, T, d_k)
        return tap("out", self.w_o(merge_heads(heads))), weights

    def split(self, x: Tensor) -> Tensor:
        B, T, _ = x.shape
        return x.view(B, T, self.n_heads, self.d_k).transpose(1, 2)

    def score(self, q: Tensor, k: Tensor) -> Tensor:
        return q @ k.transpose(-2, -1) / math.sqrt(self.d_k)

    def weigh(self, scores: Tensor, mask: Tensor) -> Tensor:
        return scores.masked_fill(~mask, -math.inf).softmax(dim=-1)


class SoftmaxOverQueries(Attention):
    """Divides each column by its sum instead of each row."""

    def weigh(self, scores: Tensor, mask: Tensor) -> Tensor:
        return scores.masked_fill(~mask, -math.inf).softmax(dim=-2)


class Unscaled(Attention):
    """Forgets to divide by the root of d_k."""

    def score(self, q: Tensor, k: Tensor) -> Tensor:
        return q @ k.transpose(-2, -1)


class MaskAfterSoftmax(Attention):
    """Blocks keys when their share has been given out already."""

    def weigh(self, scores: Tensor, mask: Tensor) -> Tensor:
        return scores.softmax(dim=-1) * mask


class InvertedMask(Attention):
    """Reads True as "blocked", which is what nn.MultiheadAttention means by it."""

    def weigh(self, scores: Tensor, mask: Tensor) -> Tensor:
        return scores.masked_fill(mask, -math.inf).softmax(dim=-1)


class MixedHeads(Attention):
    """Cuts the block of numbers into heads without regard to which token a number belongs to."""

    def split(self, x: Tensor) -> Tensor:
        B, T, _ = x.shape
        return x.view(B, self.n_heads, T, self.d_k)


class EmptyRowsAreZero(Attention):
    """A row with nothing to look at is all zeros."""

    def weigh(self, scores: Tensor, mask: Tensor) -> Tensor:
        weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
        return weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)


class EmptyRowsAreNaN(EmptyRowsAreZero):
    """In a row with nothing to look at, 0 is divided by 0."""

    def weigh(self, scores: Tensor, mask: Tensor) -> Tensor:
        return scores.masked_fill(~mask, -math.inf).softmax(dim=-1)


# ---- masks ---------------------------------------------------------------------------------------------------------


class MaskedDecoder(DecoderModel):
    """A decoder that makes its causal mask here."""

    def forward(self, ids: Tensor, mask: Tensor | None = None, *, is_causal: bool = True, **more: Any) -> Output:
        """ids (B, T) -> Output"""
        return super().forward(ids, self.mask(ids.shape[1]), is_causal=False, **more)

    def mask(self, T: int) -> Tensor:
        return torch.ones(T, T).tril().bool()


class OneTooFar(MaskedDecoder):
    """A triangle with one diagonal too many."""

    def mask(self, T: int) -> Tensor:
        return torch.ones(T, T).tril(diagonal=1).bool()


class LeftPadded(DecoderModel):
    """A decoder whose texts are padded on the left, as they are where it writes several at once."""

    def forward(self, ids: Tensor, mask: Tensor | None = None, *, is_causal: bool = True, **more: Any) -> Output:
        """ids (B, T) -> Output"""
        return super().forward(ids, causal(ids.shape[1]) & padding_of(ids, PAD), is_causal=False, **more)


class PaddedEncoder(EncoderModel):
    """An encoder that makes its padding mask here."""

    def forward(self, ids: Tensor, mask: Tensor | None = None, **more: Any) -> Output:
        """ids (B, T) -> Output"""
        return super().forward(ids, self.mask(ids), **more)

    def mask(self, ids: Tensor) -> Tensor | None:
        return (ids != PAD)[:, None, None, :]


class OpenPadding(PaddedEncoder):
    """Lets everybody look at padding."""

    def mask(self, ids: Tensor) -> Tensor | None:
        return None


# ---- positions -----------------------------------------------------------------------------------------------------


class PlacedEncoder(Encoder):
    """An encoder that adds its positions here."""

    def embed(self, ids: Tensor, ctx: Context = PLAIN, segments: Tensor | None = None) -> Tensor:
        """ids (B, T) -> (B, T, D)"""
        return ctx.tap("positioned", self.place(self.embedding(ids)))

    def place(self, x: Tensor) -> Tensor:
        return x + _table(self)[: x.shape[1]]


class NoPositions(PlacedEncoder):
    """Forgets the positions."""

    def place(self, x: Tensor) -> Tensor:
        return x


class PositionOfTheText(PlacedEncoder):
    """Counts the texts of the batch instead of the tokens of a text: code for (T, B, D), run on (B, T, D)."""

    def place(self, x: Tensor) -> Tensor:
        return x + _table(self)[: x.shape[0], None]


def _table(stack: Stack) -> Tensor:
    return stack.positions.rows(0, 64)  # type: ignore[operator]  # sinusoidal, in both


class CachedDecoder(CausalStack):
    """A decoder that adds the positions of new tokens here."""

    def embed(self, ids: Tensor, ctx: Context = PLAIN, segments: Tensor | None = None) -> Tensor:
        """ids (B, T), only what is new -> (B, T, D)"""
        x = self.place(self.embedding(ids), ctx.cache.length if ctx.cache else 0)
        if ctx.cache:
            ctx.cache.length += ids.shape[1]
        return ctx.tap("positioned", x)

    def place(self, x: Tensor, n_read: int) -> Tensor:
        return self.positions.add(x, start=n_read)


class EveryTokenIsTheFirst(CachedDecoder):
    """Counts the new tokens from 0, however many have been read."""

    def place(self, x: Tensor, n_read: int) -> Tensor:
        return self.positions.add(x)


class WithBuffer(nn.Module):
    """A table of positions that moves with its model."""

    def __init__(self, length: int, d_model: int) -> None:
        super().__init__()
        self.register_buffer("table", sinusoids(length, d_model).float(), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """x (B, T, D) -> (B, T, D)"""
        return x + self.table[: x.shape[1]]


class WithAttribute(WithBuffer):
    """The same table as a plain attribute, of which its module knows nothing."""

    def __init__(self, length: int, d_model: int) -> None:
        nn.Module.__init__(self)
        self.table = sinusoids(length, d_model).float()


# ---- sublayers -----------------------------------------------------------------------------------------------------


class DroppingFeedForward(FeedForward):
    """A feed-forward part that drops a tenth of its hidden numbers while it is trained."""

    def forward(self, x: Tensor, ctx: Context = PLAIN) -> Tensor:
        """x (B, T, D) -> (B, T, D)"""
        return ctx.tap("out", self.w_2(self.drop(self.activation(self.w_1(x)))))

    def drop(self, hidden: Tensor) -> Tensor:
        return F.dropout(hidden, 0.1, training=self.training)


class AlwaysDropping(DroppingFeedForward):
    """Drops them whenever it is used: `training` is True unless somebody says otherwise."""

    def drop(self, hidden: Tensor) -> Tensor:
        return F.dropout(hidden, 0.1)


class Residual(AddNorm):
    """What a sublayer finds is added to the stream."""

    def after(self, x: Tensor, update: Tensor, ctx: Context = PLAIN) -> Tensor:
        return x + update


class NoResidual(Residual):
    """What a sublayer finds takes the place of the stream."""

    def after(self, x: Tensor, update: Tensor, ctx: Context = PLAIN) -> Tensor:
        return update


class NormOfEachToken(AddNorm):
    """Layer norm written out: mean 0 and spread 1 over the features of each token."""

    def forward(self, input: Tensor) -> Tensor:
        """(B, T, D) -> (B, T, D)"""
        return self.normal(input) * self.weight + self.bias

    def normal(self, x: Tensor) -> Tensor:
        variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps)


class NormOverTokens(NormOfEachToken):
    """Mean 0 and spread 1 over the tokens, feature by feature."""

    def normal(self, x: Tensor) -> Tensor:
        variance, mean = torch.var_mean(x, dim=1, correction=0, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps)


class WiredLayer(DecoderLayer):
    """A decoder layer whose cross-attention is called here."""

    def look(self, x: Tensor, memory: Tensor, tap: Tap = no_tap) -> tuple[Tensor, Tensor]:
        return self.cross_attn(x, memory, tap=tap)


class WiredBackwards(WiredLayer):
    """Asks from the source and looks at the target."""

    def look(self, x: Tensor, memory: Tensor, tap: Tap = no_tap) -> tuple[Tensor, Tensor]:
        return self.cross_attn(memory, x, tap=tap)


# ---- layers --------------------------------------------------------------------------------------------------------


def layers_of_their_own(make: Callable[[], nn.Module], n: int) -> list[nn.Module]:
    return [make() for _ in range(n)]


def one_layer_many_times(make: Callable[[], nn.Module], n: int) -> list[nn.Module]:
    return [make()] * n


class ReadsTheLayerBelow(CausalStack):
    """A stack in which each layer reads what the one below it wrote."""

    def each_layer(
        self, x: Tensor, mask: Tensor | None = None, *, ctx: Context = PLAIN
    ) -> Iterator[tuple[Tensor, Tensor]]:
        for n, layer in enumerate(self.layers):
            x, weights = layer(x, mask, positions=self.positions, ctx=ctx.at(str(n)))
            yield x, weights


class ReadsTheEmbeddings(ReadsTheLayerBelow):
    """Every layer reads the embeddings, and only the last one is heard."""

    def each_layer(
        self, x: Tensor, mask: Tensor | None = None, *, ctx: Context = PLAIN
    ) -> Iterator[tuple[Tensor, Tensor]]:
        for n, layer in enumerate(self.layers):
            out, weights = layer(x, mask, positions=self.positions, ctx=ctx.at(str(n)))
            yield out, weights


class KeptInModuleList(CausalStack):
    """A stack that keeps its layers here."""

    layers: Any

    def keep(self, layers: Sequence[nn.Module]) -> None:
        self.layers = nn.ModuleList(layers)


class KeptInPlainList(KeptInModuleList):
    """Keeps them in a list of Python, of which torch knows nothing."""

    def keep(self, layers: Sequence[nn.Module]) -> None:
        self.layers = list(layers)


# ---- training ------------------------------------------------------------------------------------------------------


def loss_of_the_next_token(logits: Tensor, ids: Tensor) -> Tensor:
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(), ignore_index=PAD)


def loss_of_the_same_token(logits: Tensor, ids: Tensor) -> Tensor:
    return F.cross_entropy(logits.flatten(0, 1), ids.flatten(), ignore_index=PAD)


def loss_with_padding(logits: Tensor, ids: Tensor) -> Tensor:
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())


def rate_with_warm_up(step: int, highest: float, warm_up: int) -> float:
    return highest * min(1.0, step / warm_up)


def rate_from_the_start(step: int, highest: float, warm_up: int) -> float:
    return highest


# ---- vocabulary ----------------------------------------------------------------------------------------------------


def numbered_from_0(words: Sequence[str]) -> dict[str, int]:
    return {word: n for n, word in enumerate(words)}


def numbered_from_1(words: Sequence[str]) -> dict[str, int]:
    return {word: n for n, word in enumerate(words, start=1)}
