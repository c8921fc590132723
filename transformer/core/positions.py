"""How a model learns the order of its tokens. Positions enter by three doors, and each scheme opens one:

- add(x), onto the embeddings: sinusoidal, learned
- rotate(q, k), inside every dot product: rotary
- bias(T, S), onto the scaled scores: relative (T5), ALiBi
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Self

import torch
from torch import Generator, Tensor, nn

from transformer.core.checks import InputError, check_choice
from transformer.core.config import PAIRINGS, TransformerConfig
from transformer.core.masks import offsets
from transformer.core.random import normal


class Positions(nn.Module):
    """No positions: all three doors closed. Every scheme below opens one of them."""

    def add(self, x: Tensor, start: int = 0) -> Tensor:
        """Embeddings (B, T, D) of tokens at positions start, start + 1, ... -> the same with their positions added."""
        return x

    def rotate(self, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
        """q (B, H, T, d_k), k (B, Hkv, S, d_k) -> the same, rotated by their positions. Queries are the last T of S."""
        return q, k

    def bias(self, T: int, S: int) -> Tensor | None:
        """What is added to the scaled scores, (H, T, S), or None. Queries are the last T of S positions."""
        return None


class _Table(Positions):
    """A table with one row per position, computed by a formula in float64 and kept as a buffer.

    It is not saved with the parameters (a formula needs no saving, and the length must not fix the model's), follows
    the model to any device and dtype, and grows when a longer text comes.
    """

    table: Tensor

    def __init__(self, length: int = 64) -> None:
        super().__init__()
        table = self._made(length).to(torch.get_default_device(), torch.get_default_dtype())
        self.register_buffer("table", table, persistent=False)

    def _made(self, length: int) -> Tensor:
        """The formula on the processor: on the meta device torch would import its compiler for it (random.py)."""
        with torch.device("cpu"):
            return self._formula(length)

    def _formula(self, length: int) -> Tensor:
        raise NotImplementedError

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        # .double() on a float32 table would keep float32's rounding, so the formula is computed again.
        super()._apply(fn, recurse)
        self.table = self._made(len(self.table)).to(self.table)
        return self

    def rows(self, start: int, stop: int) -> Tensor:
        """The rows of positions start .. stop - 1, (stop - start, d); the table grows if it must."""
        table = self.table  # read once: another thread may be growing it
        if stop > len(table):
            with torch.inference_mode(False):  # or the longer table could never again be trained through
                self.table = table = self._made(max(stop, 2 * len(table))).to(table)
        return table[start:stop]


def wavelengths(d_model: int, base: float = 10_000.0) -> Tensor:
    """How many positions the sin/cos pair i needs for a full turn: 2 pi base^(2i / d_model), i = 0 .. ceil(d/2) - 1."""
    i = torch.arange(0, d_model, 2, dtype=torch.float64) / 2
    return 2 * math.pi * base ** (2 * i / d_model)


def sinusoids(length: int, d_model: int, base: float = 10_000.0) -> Tensor:
    """PE(pos, 2i) = sin(pos / base^(2i/d_model)), PE(pos, 2i+1) = cos(the same)  (Vaswani et al. 2017, section 3.5).

    (length, d_model) in float64. An odd d_model ends on a sine without its cosine.
    """
    angles = torch.arange(length, dtype=torch.float64)[:, None] * (2 * math.pi / wavelengths(d_model, base))
    table = torch.empty(length, d_model, dtype=torch.float64)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles[:, : d_model // 2].cos()
    return table


class SinusoidalPositions(_Table):
    """Adds the fixed sines and cosines of the paper; any length, any d_model."""

    def __init__(self, d_model: int, base: float = 10_000.0) -> None:
        self.d_model, self.base = d_model, base
        super().__init__()

    def _formula(self, length: int) -> Tensor:
        return sinusoids(length, self.d_model, self.base)

    def add(self, x: Tensor, start: int = 0) -> Tensor:
        return x + self.rows(start, start + x.shape[1]).to(x.dtype)  # (B, T, D)


class LearnedPositions(Positions):
    """Adds one learned vector per position (BERT, GPT-2). A text longer than the table raises InputError.

    The first token has row `offset` of the table (RoBERTa and BART: 2, for the rows before are those of padding).
    """

    def __init__(self, max_len: int, d_model: int, generator: Generator | None = None, *, offset: int = 0) -> None:
        super().__init__()
        self.max_len, self.offset = max_len, offset
        # The rms of the sinusoids, so that neither positions nor tokens drown the other.
        self.weight = normal(offset + max_len, d_model, std=0.5**0.5, generator=generator)

    def add(self, x: Tensor, start: int = 0) -> Tensor:
        stop = start + x.shape[1]
        if stop > self.max_len:
            raise InputError(
                f"the learned table has {self.max_len} positions, but the text needs {stop};"
                " shorten the text, or build the model with a larger max_len"
            )
        return x + self.weight[self.offset + start : self.offset + stop]  # (B, T, D)


def stretched(wavelengths: Tensor, factor: float) -> Tensor:
    """Wavelengths for texts `factor` times as long: positions are squeezed to those seen in training (position
    interpolation, Chen et al. 2023)."""
    return wavelengths * factor


def stretched_by_base(wavelengths: Tensor, factor: float) -> Tensor:
    """The shortest wavelength as it is, the longest stretched by the factor, and equal ratios between them: what a
    base times factor^(n / (n - 1)) makes of n pairs ("NTK-aware" scaling, as section 3.1 of Peng et al. 2023 has it).
    """
    n = len(wavelengths)
    return wavelengths * factor ** (torch.arange(n).to(wavelengths) / max(n - 1, 1))


def stretched_by_length(wavelengths: Tensor, factor: float, low: float, high: float, length: float) -> Tensor:
    """Long wavelengths stretched, short ones left alone, as in Llama 3.1 (Grattafiori et al. 2024).

    With u = length / wavelength, turns in the texts of the first training: below `low` turns the frequency is divided
    by the factor, above `high` it stays, and between them it goes evenly from the one to the other.
    """
    share = ((length / wavelengths - low) / (high - low)).clamp(0, 1)  # of the frequency that stays
    return wavelengths / (share + (1 - share) / factor)


def stretched_by_pair(
    wavelengths: Tensor, factor: float, low: float, high: float, length: float, base: float
) -> Tensor:
    """Long wavelengths stretched, short ones left alone, as in YaRN (Peng et al. 2023).

    As `stretched_by_length`, but from pair to pair: the frequency stays up to the last pair of features that turns
    `high` times in `length` positions, is divided by the factor from the first on that turns `low` times, and goes
    evenly between these two.
    """
    n = len(wavelengths)
    first, last = (n * math.log(length / (turns * 2 * math.pi)) / math.log(base) for turns in (high, low))
    first, last = max(math.floor(first), 0), min(math.ceil(last), 2 * n - 1)
    share = 1 - ((torch.arange(n).to(wavelengths) - first) / (last - first or 1e-3)).clamp(0, 1)
    return wavelengths / (share + (1 - share) / factor)


class RotaryPositions(_Table):
    """Rotates each pair of features of q and k by position x frequency, so that q.k depends on the distance only
    (RoPE, Su et al. 2021).

    pairing "interleaved" turns features (0, 1), (2, 3), ...; "half" turns (0, d/2), (1, d/2 + 1), ... as Llama does.
    The two differ by a fixed reordering of features. With an odd d_k the last feature is left as it is, so that d_k = 1
    has nothing to rotate; `share` leaves more of each head alone (GPT-NeoX turns a quarter of it).
    `stretch` makes other wavelengths of the usual ones; `gain` multiplies what is turned.
    """

    def __init__(
        self,
        d_k: int,
        base: float = 10_000.0,
        pairing: str = "interleaved",
        *,
        share: float = 1.0,
        stretch: Callable[[Tensor], Tensor] | None = None,
        gain: float = 1.0,
    ) -> None:
        check_choice("pairing", pairing, PAIRINGS)
        self.d_k, self.base, self.pairing = d_k, base, pairing
        self.n_pairs, self.stretch, self.gain = int(d_k * share) // 2, stretch, gain
        super().__init__()

    def _formula(self, length: int) -> Tensor:
        # Cosines and sines, not angles: in half precision an angle of 1000 is off by whole radians.
        waves = wavelengths(2 * self.n_pairs, self.base)
        waves = waves if self.stretch is None else self.stretch(waves)
        angles = torch.arange(length, dtype=torch.float64)[:, None] * (2 * math.pi / waves)
        return self.gain * torch.cat([angles.cos(), angles.sin()], dim=-1)

    def rotate(self, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
        T, S = q.shape[-2], k.shape[-2]
        turns = self.rows(0, max(S, T))
        return self._turn(q, turns[max(S - T, 0) :][:T]), self._turn(k, turns[:S])

    def _turn(self, x: Tensor, turns: Tensor) -> Tensor:
        """x (..., T, d_k), turns (T, 2 n_pairs): the cosines of the pairs, then their sines."""
        n = self.n_pairs
        cos, sin = turns[:, :n].to(x.dtype), turns[:, n:].to(x.dtype)
        if self.pairing == "half":
            a, b = x[..., :n], x[..., n : 2 * n]
            turned = torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)
        else:
            a, b = x[..., 0 : 2 * n : 2], x[..., 1 : 2 * n : 2]
            turned = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)
        return torch.cat([turned, x[..., 2 * n :]], dim=-1)


def relative_buckets(offset: Tensor, n_buckets: int, max_distance: int, bidirectional: bool) -> Tensor:
    """Which bucket a distance falls into: near distances have one each, far ones share, in logarithmic steps
    (T5, Raffel et al. 2020).

    offset = key position - query position, any shape -> bucket numbers of the same shape. In a decoder
    (bidirectional=False) everything ahead shares bucket 0.
    """
    bucket = torch.zeros_like(offset)
    if bidirectional:
        n_buckets //= 2
        bucket = (offset > 0) * n_buckets
        distance = offset.abs()
    else:
        distance = (-offset).clamp(min=0)
    n_exact = n_buckets // 2
    steps = torch.log(distance.clamp(min=1).float() / n_exact) / math.log(max_distance / n_exact)
    far = (n_exact + (steps * (n_buckets - n_exact)).long()).clamp(max=n_buckets - 1)
    return bucket + torch.where(distance < n_exact, distance, far)


class RelativePositions(Positions):
    """Adds a learned number per head and bucket of distance to the scores (T5)."""

    def __init__(
        self,
        n_heads: int,
        n_buckets: int = 32,
        max_distance: int = 128,
        *,
        bidirectional: bool = True,
        generator: Generator | None = None,
    ) -> None:
        super().__init__()
        self.n_buckets, self.max_distance, self.bidirectional = n_buckets, max_distance, bidirectional
        # As large as the scaled scores of an untrained model, so that neither drowns the other.
        self.weight = normal(n_buckets, n_heads, std=1.0, generator=generator)

    def bias(self, T: int, S: int) -> Tensor:
        buckets = relative_buckets(
            offsets(T, S, device=self.weight.device), self.n_buckets, self.max_distance, self.bidirectional
        )
        return self.weight[buckets].permute(2, 0, 1)  # (H, T, S)


def alibi_slopes(n_heads: int) -> Tensor:
    """2^(-8i/H), i = 1 .. H, for H a power of two; otherwise those of the power below, then every other one of the
    power above (Press et al. 2022, and its published code). (H,) in float64."""

    def powers(n: int) -> list[float]:
        return [2 ** (-8 * i / n) for i in range(1, n + 1)]

    below = 2 ** int(math.log2(n_heads))
    return torch.tensor(powers(below) + powers(2 * below)[0::2][: n_heads - below], dtype=torch.float64)


class AlibiPositions(Positions):
    """Subtracts slope x distance from the scores, with one slope per head: farther keys count for less (ALiBi)."""

    slopes: Tensor

    def __init__(self, n_heads: int) -> None:
        super().__init__()
        self.register_buffer("slopes", alibi_slopes(n_heads).to(torch.get_default_dtype()), persistent=False)

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        super()._apply(fn, recurse)
        self.slopes = alibi_slopes(len(self.slopes)).to(self.slopes)
        return self

    def bias(self, T: int, S: int) -> Tensor:
        return -self.slopes[:, None, None] * offsets(T, S, device=self.slopes.device).abs()  # (H, T, S)


def make_positions(
    config: TransformerConfig, *, bidirectional: bool = True, generator: Generator | None = None
) -> Positions:
    """The scheme that the config names. `bidirectional` is for T5's buckets: True in an encoder, False in a decoder."""
    match config.positions:
        case "sinusoidal":
            return SinusoidalPositions(config.d_model, config.base)
        case "learned":
            return LearnedPositions(config.max_len, config.d_model, generator, offset=config.position_offset)
        case "rotary":
            return RotaryPositions(
                config.d_k,
                config.base,
                config.pairing,
                share=config.rotary_share,
                stretch=_stretch(config),
                gain=config.rotary_gain,
            )
        case "relative":
            return RelativePositions(
                config.n_heads, config.n_buckets, config.max_distance, bidirectional=bidirectional, generator=generator
            )
        case "alibi":
            return AlibiPositions(config.n_heads)
        case _:
            return Positions()


def _stretch(config: TransformerConfig) -> Callable[[Tensor], Tensor] | None:
    between = {"low": config.rotary_low, "high": config.rotary_high, "length": config.rotary_len}
    match config.rotary_scaling:
        case "linear":
            return partial(stretched, factor=config.rotary_factor)
        case "ntk":
            return partial(stretched_by_base, factor=config.rotary_factor)
        case "llama3":
            return partial(stretched_by_length, factor=config.rotary_factor, **between)
        case "yarn":
            return partial(stretched_by_pair, factor=config.rotary_factor, base=config.base, **between)
        case _:
            return None
