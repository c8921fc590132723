"""Numbers on position schemes, in numpy: tables, rotations and biases as the model's own code computes them."""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from transformer.core.attention import scaled_dot_product_attention
from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.core.embeddings import TokenEmbedding
from transformer.core.model import DecoderModel, EncoderModel
from transformer.core.positions import (
    AlibiPositions,
    LearnedPositions,
    RelativePositions,
    RotaryPositions,
    alibi_slopes,
    make_positions,
    relative_buckets,
    sinusoids,
    wavelengths,
)
from transformer.core.taps import Recorder
from transformer.inspection.moving import one_word_model
from transformer.inspection.run import Text, ids_of

# Sines and cosines


@dataclass(frozen=True, eq=False)
class Waves:
    """The sinusoidal table and its pairs.

    table        (length, d_model) float64
    wavelengths  (ceil(d_model / 2),) positions that pair i needs for a full turn
    limit        2 pi base, which the longest wavelength approaches as d_model grows
    """

    table: np.ndarray
    wavelengths: np.ndarray
    limit: float


def waves(length: int, d_model: int, base: float) -> Waves:
    """The table of the paper for positions 0 .. length - 1, and the wavelength of every pair of columns."""
    return Waves(sinusoids(length, d_model, base).numpy(), wavelengths(d_model, base).numpy(), 2 * math.pi * base)


def div_term(d_model: int, base: float) -> Tensor:
    """The angle per position of every pair, base^(-2i/d_model), as most code writes it. (ceil(d_model / 2),)"""
    two_i = torch.arange(0, d_model, 2, dtype=torch.float32)
    return torch.exp(two_i * (-math.log(base) / d_model))


def powers(d_model: int, base: float) -> Tensor:
    """The same angles, written as in the formula. (ceil(d_model / 2),)"""
    two_i = torch.arange(0, d_model, 2, dtype=torch.float32)
    return 1 / base ** (two_i / d_model)


def rounding_difference(d_model: int, base: float) -> float:
    """The largest relative difference between `div_term` and `powers` in float32."""
    one, other = div_term(d_model, base).double(), powers(d_model, base).double()
    return float(((one - other).abs() / other).max())


def rotation(k: int, d_model: int, base: float) -> np.ndarray:
    """M_k with M_k PE(pos) = PE(pos + k) for every pos: a 2x2 rotation by k / base^(2i/d_model) for each pair i.

    (2n, 2n) float64 with n = d_model // 2. An odd d_model ends with a sine that has no cosine, which no such matrix
    can rotate; it is left out. k may be negative.
    """
    n = d_model // 2
    angle = k * 2 * math.pi / wavelengths(d_model, base)[:n].numpy()
    M = np.zeros((2 * n, 2 * n))
    even, odd = np.arange(0, 2 * n, 2), np.arange(1, 2 * n, 2)
    M[even, even] = M[odd, odd] = np.cos(angle)
    M[even, odd], M[odd, even] = np.sin(angle), -np.sin(angle)
    return M


@dataclass(frozen=True, eq=False)
class Similarity:
    """The dot products of the codes of two positions.

    matrix     (length, length): PE(a) . PE(b)
    by_offset  (length,): PE(0) . PE(k), k = 0 .. length - 1
    rises_at   offsets k at which the product is larger than at k - 1, although the positions are further apart
    """

    matrix: np.ndarray
    by_offset: np.ndarray
    rises_at: np.ndarray


def similarity(length: int, d_model: int, base: float) -> Similarity:
    """PE(a) . PE(b) = sum over pairs of cos((a - b) / base^(2i/d_model)), which depends on the distance only.

    That is exact for even d_model; an odd one adds the product of two sines without cosines.
    """
    table = sinusoids(length, d_model, base).numpy()
    matrix = table @ table.T
    full = table[:, : d_model // 2 * 2]  # pairs of a sine and a cosine: their products depend on the distance only
    by_offset = full @ full[0]
    return Similarity(matrix, by_offset, 1 + np.flatnonzero(np.diff(by_offset) > 1e-12))


# Hands: pairs of features as arrows


@dataclass(frozen=True, eq=False)
class Hands:
    """Two sets of arrows whose dot products are compared; each arrow is a pair of features.

    first   (length, n, 2)  a query, rotated to each position
    second  (length, n, 2)  a key, rotated to each position

    Both are float64; first[a] . second[b], summed over pairs, is the score.
    """

    first: np.ndarray
    second: np.ndarray


def rotary_hands(length: int, d_k: int, base: float, seed: int) -> Hands:
    """One random query and one random key, rotated to every position by the model's own code.

    The pairs are interleaved: pair i is features 2i and 2i + 1.
    """
    generator = torch.Generator().manual_seed(seed)
    q, k = torch.randn(2, 1, 1, 1, d_k, generator=generator, dtype=torch.float64)
    rotary = RotaryPositions(d_k, base).double()
    rotated = rotary.rotate(q.expand(1, 1, length, d_k), k.expand(1, 1, length, d_k))
    first, second = (x[0, 0, :, : d_k // 2 * 2].reshape(length, d_k // 2, 2).numpy() for x in rotated)
    return Hands(first, second)


# Shuffling


@dataclass(frozen=True, eq=False)
class Shuffled:
    """The outputs of one text in two orders.

    before   (T, D)  outputs in the order as typed
    after    (T, D)  outputs in the new order
    order    order[place] is the word, by its place as typed, that stands there in the new order
    moved    (T,)    by word as typed: the largest difference between its two outputs
    pooled   the largest difference between the means over all words, before and after
    """

    before: np.ndarray
    after: np.ndarray
    order: tuple[int, ...]
    moved: np.ndarray
    pooled: float


def shuffle(model: EncoderModel | DecoderModel, ids: Text, order: tuple[int, ...]) -> Shuffled:
    """The outputs of a text and of the same words in another order, each word compared with itself.

    Raises InputError if order is no permutation of the words.
    """
    ids = ids_of(ids)
    if sorted(order) != list(range(len(ids))):
        raise InputError(f"{order} is not an order of {len(ids)} words")
    outputs = []
    with torch.inference_mode():
        for text in (ids, [ids[i] for i in order]):
            recorder = Recorder("out")
            model(torch.tensor([text], dtype=torch.long), tap=recorder)
            outputs.append(recorder[f"{model.kind}.out"][0].numpy())
    before, after = outputs
    places = np.argsort(order)  # of each word as typed, in the new order
    return Shuffled(
        before,
        after,
        tuple(order),
        np.abs(after[places] - before).max(-1),
        float(np.abs(after.mean(0) - before.mean(0)).max()),
    )


# Adding


@dataclass(frozen=True, eq=False)
class Summands:
    """What an encoder reads: token vectors, position codes, the codes times an amount, and the sum, each (T, D).

    rms      the root mean square of the token vectors and of the codes
    shapes   the shapes of the token vectors, the table and the sum, for a batch
    shared   whether every text of the batch got the same codes, bit for bit
    """

    tokens: np.ndarray
    positions: np.ndarray
    added: np.ndarray
    sum: np.ndarray
    rms: tuple[float, float]
    shapes: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    shared: bool


def summands(ids: Text, config: TransformerConfig, *, amount: float = 1.0, batch: int = 1, seed: int = 0) -> Summands:
    """token + amount x position, with the model's own embedding and scheme ("sinusoidal" or "learned").

    The other texts of the batch are the same words rotated by one place each, since codes must not depend on words.
    The codes are measured by adding them to zeros.
    """
    ids = ids_of(ids)
    generator = torch.Generator().manual_seed(seed)
    embedding = TokenEmbedding(config.vocab_size, config.d_model, scaled=config.scale_embeddings, generator=generator)
    scheme = make_positions(config, generator=generator)
    with torch.inference_mode():
        texts = torch.tensor([ids[i:] + ids[:i] for i in (b % max(len(ids), 1) for b in range(batch))])
        x = embedding(texts)  # (B, T, D)
        codes = scheme.add(torch.zeros_like(x))  # (B, T, D), the same in every text
        added = amount * codes
        total = x + added
        rms = [float(part[0].square().mean().sqrt()) for part in (x, codes)]
    return Summands(
        x[0].numpy(),
        codes[0].numpy(),
        added[0].numpy(),
        total[0].numpy(),
        (rms[0], rms[1]),
        (tuple(x.shape), (1, *codes.shape[1:]), tuple(total.shape)),
        all(torch.equal(code, codes[0]) for code in codes),
    )


# One word everywhere


def same_word(scheme: str, T: int, *, d_model: int, n_heads: int, seed: int) -> np.ndarray:
    """The attention weights (H, T, T) of an untrained one-layer encoder that reads one word T times.

    All queries come from the same word, and so do all keys, so what is not uniform comes from the positions. All
    schemes get the same word and the same matrices w_q and w_k.
    """
    model = one_word_model(scheme, T, d_model=d_model, n_heads=n_heads, seed=seed)
    with torch.inference_mode():
        return model(torch.zeros(1, T, dtype=torch.long)).attention.encoder[0][0].numpy()


@dataclass(frozen=True, eq=False)
class ScoreBias:
    """The bias that T5 or ALiBi adds to the scores.

    maps       (H, T, T)  by query and key
    by_offset  (H, 2 reach + 1)  the bias at key - query = -reach .. reach
    slopes     (H,) of ALiBi, or None
    n_shared   how many distances behind, up to reach, share T5's last bucket; 0 for ALiBi
    """

    maps: np.ndarray
    by_offset: np.ndarray
    reach: int
    slopes: np.ndarray | None = None
    n_shared: int = 0


def score_bias(scheme: str, T: int, reach: int, *, n_heads: int, max_distance: int = 128, seed: int = 0) -> ScoreBias:
    """The bias of "relative" (T5, random as before training) or "alibi", as maps and by distance.

    It depends on the distance only, so the row of the query in the middle of 2 reach + 1 places has every value.
    """
    generator = torch.Generator().manual_seed(seed)
    if scheme == "alibi":
        positions = AlibiPositions(n_heads)
    else:
        positions = RelativePositions(n_heads, max_distance=max_distance, generator=generator)
    with torch.inference_mode():
        near = positions.bias(T, T).numpy()
        far = positions.bias(2 * reach + 1, 2 * reach + 1)[:, reach].numpy()
    if isinstance(positions, AlibiPositions):
        return ScoreBias(near, far, reach, alibi_slopes(n_heads).numpy())
    buckets = relative_buckets(-torch.arange(reach + 1), positions.n_buckets, max_distance, True)
    return ScoreBias(near, far, reach, n_shared=int((buckets == positions.n_buckets // 2 - 1).sum()))


@dataclass(frozen=True, eq=False)
class LearnedTable:
    """A learned table before training, and the rows that one text would train.

    table     (offset + max_len, d_model)
    gradient  (offset + max_len,) the norm of each row's gradient for one text
    message   the error for a text that is one token too long
    """

    table: np.ndarray
    gradient: np.ndarray
    message: str


def learned_table(max_len: int, d_model: int, used: int, seed: int, offset: int = 0) -> LearnedTable:
    """A random table, and the gradient of a squared error on a text of `used` tokens. used <= max_len.

    offset  rows before that of the first token, which belong to no position
    """
    generator = torch.Generator().manual_seed(seed)
    scheme = LearnedPositions(max_len, d_model, generator, offset=offset)
    x, target = torch.randn(2, 1, used, d_model, generator=generator)
    with torch.enable_grad():
        loss = (scheme.add(x) - target).square().sum()
        (gradient,) = torch.autograd.grad(loss, scheme.weight)
    return LearnedTable(scheme.weight.detach().numpy(), gradient.norm(dim=-1).numpy(), refusal(scheme, max_len + 1))


def refusal(scheme: LearnedPositions, length: int) -> str:
    """The error of a learned table for a text of this length; "" if it fits."""
    try:
        scheme.add(torch.zeros(1, length, scheme.weight.shape[1]))
    except InputError as error:
        return str(error)
    return ""


# A head that looks back


def look_back(scheme: str, k: int, T: int, d: int, *, base: float = 10_000.0, sharpness: float = 1.0) -> np.ndarray:
    """The weights (T, T) of a head built by hand to look exactly k places back, without any words. d is even.

    sinusoidal   k_j = PE(j) and q_i = sharpness M_-k PE(i) = sharpness PE(i - k): the score is largest at j = i - k
    rotary       the same key c everywhere, and as query c rotated back by k; the model's own rotation does the rest.
                 c has the length of a code, sqrt(d / 2), with all pairs equal, so both schemes have equal scores.
    none         the same query and key everywhere, so all places are equal
    """
    shape = (1, 1, T, d)
    if scheme == "sinusoidal":
        keys = sinusoids(T, d, base)
        queries = keys @ torch.from_numpy(rotation(-k, d, base)).T
        q, keys = queries.expand(shape), keys.expand(shape)
    else:
        c = sinusoids(1, d, base)  # (0, 1) for every pair
        query = c
        if scheme == "rotary":
            query = c @ torch.from_numpy(rotation(k, d, base)).T  # (sin, cos) rotates the other way round than (x, y)
        q, keys = query.expand(shape), c.expand(shape)
        if scheme == "rotary":
            q, keys = RotaryPositions(d, base).double().rotate(q, keys)
    _, weights = scaled_dot_product_attention(sharpness * q, keys, keys)
    return weights[0, 0].numpy()


def diagonal_weight(weights: np.ndarray, k: int) -> tuple[float, float]:
    """(mean weight on the key k places back, over the queries that have one; uniform weight 1 / T)."""
    T = len(weights)
    return float(np.diagonal(weights, -k).mean()), 1 / T


# Past the training length
