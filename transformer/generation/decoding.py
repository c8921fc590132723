"""A text in the making. Every state is immutable, so that from any of them another token can be tried."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import torch
from torch import Generator, Tensor

from transformer.core.cache import Cache
from transformer.core.checks import InputError, check_whole
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel, Transformer
from transformer.core.positions import LearnedPositions
from transformer.core.taps import Tap, no_tap
from transformer.generation.sampling import GREEDY, Distribution, Sampling, distribution, draw

Model = DecoderModel | Transformer


class Source(NamedTuple):
    """The encoder's output for the text to be translated."""

    memory: Tensor  # (B, S, D)
    mask: Tensor | None  # (B, 1, 1, S)
    attention: list[Tensor]  # (B, H, S, S) per layer of the encoder

    def select(self, rows: Tensor) -> "Source":
        """The texts `rows` of the batch. A tensor with a single row serves every text and stays as it is."""
        mask = self.mask
        if mask is not None and mask.dim() == 4 and len(mask) > 1:
            mask = mask[rows]
        return Source(self.memory[rows] if len(self.memory) > 1 else self.memory, mask, [])


class Reading(NamedTuple):
    """The model's output for the tokens just read: logits of the next token (B, V), their attention weights
    (B, H, T, S) per layer, and the cache that now holds them."""

    logits: Tensor
    attention: list[Tensor]
    cross: list[Tensor]
    cache: Cache | None


@torch.inference_mode()
def read(model: Model, ids: Tensor, source: Source | None, cache: Cache | None, tap: Tap = no_tap) -> Reading:
    """ids (B, T): the tokens that the cache does not hold yet (all of them if there is none). The cache is extended."""
    if source is None or isinstance(model, DecoderModel):
        output = model(ids, cache=cache, tap=tap)
        return Reading(output.logits[:, -1], output.attention.decoder, [], cache)
    logits, attention, cross = model.decode(ids, source.memory, memory_mask=source.mask, cache=cache, tap=tap)
    return Reading(logits[:, -1], attention, cross, cache)


@dataclass(frozen=True, eq=False)
class Decoding:
    """A text so far. `next()` is the distribution of the next token, `take(token)` the text with one more token.

    Everything is computed on demand and only once, and no state changes another: each can be continued in any
    number of ways. A state keeps the keys and values of its whole text; to keep many, keep their ids.

    ids       the whole text, prompt first; `written` holds the tokens after the prompt
    cached    with a KV cache only the new tokens are read; without, the whole text anew at every step (the same
              numbers, later)
    """

    model: Model
    ids: tuple[int, ...]
    n_prompt: int
    source: Source | None = None
    tap: Tap = no_tap
    cached: bool = True
    past: Cache | None = None  # of a state before this one; it may hold anything from none to all but one of the ids

    @property
    def written(self) -> tuple[int, ...]:
        return self.ids[self.n_prompt :]

    def next(self, sampling: Sampling = GREEDY) -> Distribution:
        """The distribution of the next token, before and after sampling has filtered it."""
        return distribution(self.logits, self.ids, sampling)

    def take(self, token: int) -> "Decoding":
        """The text with one more token: any token of the vocabulary, likely or not."""
        _check_ids(self.model, [token])
        read_before = self.__dict__.get("reading")  # only if it has been worked out already
        past = read_before.cache if read_before is not None else self.past
        return replace(self, ids=(*self.ids, int(token)), past=past)

    @cached_property
    def reading(self) -> Reading:
        """The model's output for all tokens not yet read: at first the whole prompt, then one token at a time."""
        cache = None
        if self.cached:
            cache = Cache(len(self.model.decoder.layers)) if self.past is None else self.past.copy()
        new = self.ids[cache.length :] if cache else self.ids
        return read(self.model, _batch_of_one(self.model, new), self.source, cache, self.tap)

    @property
    def logits(self) -> Tensor:
        """Logits of the next token, (V,)."""
        return self.reading.logits[0]

    @property
    def self_attention(self) -> np.ndarray:
        """Attention weights of the last token over the text so far, (L, H, S)."""
        return self._rows(self.reading.attention, len(self.ids))

    @property
    def cross_attention(self) -> np.ndarray | None:
        """Attention weights of the last token over the source, (L, H, S); None without an encoder."""
        return None if self.source is None else self._rows(self.reading.cross, self.source.memory.shape[1])

    @property
    def n_bytes(self) -> int:
        """Bytes that the KV cache holds after reading this text; 0 without one."""
        return self.reading.cache.n_bytes if self.reading.cache else 0

    def _rows(self, weights: list[Tensor], S: int) -> np.ndarray:
        rows = [w[0, :, -1].float().cpu().numpy() for w in weights]
        return np.stack(rows) if rows else np.zeros((0, self.model.config.n_heads, S), np.float32)


def begin(
    model: Model, ids: Sequence[int], source: Sequence[int] | None = None, *, tap: Tap = no_tap, cached: bool = True
) -> Decoding:
    """The state before the first token is written.

    A DecoderModel continues the prompt `ids`. A Transformer reads `source` once, and its `ids` are the start token
    (and whatever of the target is given). The tap sees, and may change, everything that is computed from here on.
    """
    if isinstance(model, Transformer) != (source is not None):
        raise InputError("a Transformer needs a source, and a decoder alone has none")
    check_ready(model)
    _check_ids(model, ids)
    if source is None or isinstance(model, DecoderModel):
        return Decoding(model, tuple(ids), len(ids), tap=tap, cached=cached)
    if not source or not all(0 <= token < model.config.vocab_size for token in source):
        raise InputError(f"the source must be one or more ids from 0 to {model.config.vocab_size - 1}")
    with torch.inference_mode():
        memory, attention = model.encode(_batch_of_one(model, source), tap=tap)
    return Decoding(model, tuple(ids), len(ids), Source(memory, None, attention), tap, cached)


class Step(NamedTuple):
    """One token written: `id`, taken from `distribution`, when the text stood as `before`; it stands as `after` now.

    To see what another token would have led to: `before.take(other)`. The attention that led to the token is
    `before.self_attention` and `before.cross_attention`. `forced` where the caller, not the model, chose.
    """

    id: int
    distribution: Distribution
    before: Decoding
    after: Decoding
    forced: bool = False

    def fate(self, token: int) -> str:
        """Why `token` was or was not written: "chosen" or "forced"; a filter of REMOVED_BY that took it out;
        "overruled" where it could have come but the caller forced another; "not drawn" where chance chose another."""
        if token == self.id:
            return "forced" if self.forced else "chosen"
        return self.distribution.removed_by(token) or ("overruled" if self.forced else "not drawn")


def generate(
    start: Decoding,
    sampling: Sampling = GREEDY,
    *,
    max_new: int,
    eos: int | None = None,
    generator: Generator | None = None,
    picks: Mapping[int, int] | None = None,
) -> Iterator[Step]:
    """Write up to `max_new` tokens, one Step per token, ending on `eos` if it comes.

    `picks` forces tokens: {2: 17} writes 17 as the third new token, whatever the model thinks. A pick draws nothing
    from the generator.
    """
    check_whole("max_new", max_new)
    check_room(start.model, len(start.ids), max_new)
    return _steps(start, sampling, max_new, eos, generator, picks or {})


def _steps(
    state: Decoding,
    sampling: Sampling,
    max_new: int,
    eos: int | None,
    generator: Generator | None,
    picks: Mapping[int, int],
) -> Iterator[Step]:
    for i in range(max_new):
        expected = state.next(sampling)
        token = picks[i] if i in picks else draw(expected.final, generator)
        after = state.take(token)
        yield Step(token, expected, state, after, i in picks)
        if token == eos:
            return
        state = after


def cache_formula(config: TransformerConfig, T: int) -> int:
    """Bytes of the KV cache of T tokens, those of a memory counted with them, in float32: 2 L Hkv T d_k times 4."""
    return 2 * config.n_decoder_layers * config.n_kv_heads * T * config.d_k * 4


def check_ready(model: Model) -> None:
    """Raise InputError for a model in training mode: its dropout would change the text at random."""
    if model.training:
        raise InputError("the model is in training mode; call model.eval() before generating")


def check_room(model: Model, n_read: int, max_new: int) -> None:
    """Raise InputError if a learned position table is too short; the last new token needs no position."""
    positions = model.decoder.positions
    if isinstance(positions, LearnedPositions) and n_read + max_new - 1 > positions.max_len:
        room = max(0, positions.max_len - n_read + 1)
        raise InputError(
            f"the learned table has {positions.max_len} positions, {n_read} are taken: at most {room} tokens can be"
            " added; ask for fewer, or shorten the prompt"
        )


def _batch_of_one(model: Model, ids: Sequence[int]) -> Tensor:
    return torch.tensor([list(ids)], device=model.decoder.embedding.weight.device)


def _check_ids(model: Model, ids: Sequence[int]) -> None:
    V = len(model.decoder.embedding.weight)
    if not len(ids):
        raise InputError("there must be a token to begin with; give the start token if there is no text")
    for token in ids:
        if not 0 <= token < V:
            raise InputError(f"token {token} is not in the vocabulary, whose ids go from 0 to {V - 1}")
