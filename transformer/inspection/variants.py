"""Cheaper attention beside full attention: what a model reads with it, and its memory and time."""

import statistics
from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention as torch_attention

from transformer.core import masks, variants
from transformer.core.attention import scaled_dot_product_attention
from transformer.core.model import SingleStack
from transformer.core.taps import Tap, no_tap
from transformer.inspection.costs import BYTES

FULL = "full"
WINDOW, DILATED, GLOBAL, BLOCKS = "window", "dilated", "global + local", "block-sparse"
LINEAR, LOW_RANK, GROUPED, IN_BLOCKS = "linear", "low rank", "shared k, v", "in blocks"
TORCH = "PyTorch's own"
WORK, CACHE, MEMORY = "work", "cache", "memory"
NAMES = (WINDOW, DILATED, GLOBAL, BLOCKS, LINEAR, LOW_RANK, GROUPED, IN_BLOCKS)
TIMED = (FULL, WINDOW, LINEAR, LOW_RANK, IN_BLOCKS, TORCH)  # those that compute less, or hold less, as written here
LENGTHS = (64, 128, 256, 512, 1024, 2048)
MAX_ROUNDS = 15


class Sizes(NamedTuple):
    """The knobs of the variants.

    size    of a window, of a block, and of the blocks in which the exact one reads; also the rows that low rank keeps
    n_kept  tokens that see and are seen by all, and gaps of the dilated window (every n_kept + 1-th key)
    """

    size: int
    n_kept: int


class Cost(NamedTuple):
    """What a variant saves, of WORK, CACHE and MEMORY, and the share of full attention's that it takes."""

    of: str
    share: float


@torch.inference_mode()
def logits_with(model: SingleStack, ids: Tensor, name: str, sizes: Sizes) -> Tensor:
    """What a model makes of texts (B, T) with a variant in every head of every layer, (B, T, V).

    It was not trained with the variant. For an encoder without a bias on its scores: variants know neither that nor an
    order in time.
    """
    return model(ids, tap=no_tap if name == FULL else _in_place(lambda q, k, v: _run(name, q, k, v, sizes))).logits


@torch.inference_mode()
def logits_under(model: SingleStack, ids: Tensor, mask: Tensor) -> Tensor:
    """The same where every head of every layer sees no more than this mask (T, T) lets it."""
    return model(ids, tap=_in_place(lambda q, k, v: scaled_dot_product_attention(q, k, v, mask)[0])).logits


def _in_place(run: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Tap:
    """A tap that puts the outputs of this in the place of the heads' own."""
    seen: dict[str, Tensor] = {}

    def tap(path: str, x: Tensor) -> Tensor:
        part = path.rpartition(".")[2]
        if part in ("q", "k", "v"):
            seen[part] = x
        return run(seen["q"], seen["k"], seen["v"]) if part == "heads" else x

    return tap


def mask_of(name: str, n: int, sizes: Sizes) -> Tensor | None:
    """What a variant lets each token look at, (n, n); None for those that leave no cell out."""
    size, n_kept = sizes
    if name == WINDOW:
        return masks.sliding_window(n, size)
    if name == DILATED:
        return variants.dilated(n, size, n_kept + 1)
    if name == GLOBAL:
        return variants.global_and_local(n, size, n_kept)
    return variants.block_sparse(n, size) if name == BLOCKS else None


def _run(name: str, q: Tensor, k: Tensor, v: Tensor, sizes: Sizes) -> Tensor:
    mask = mask_of(name, q.shape[-2], sizes)
    if mask is not None:
        return scaled_dot_product_attention(q, k, v, mask)[0]
    if name == LINEAR:
        return variants.linear_output(q, k, v)
    if name == LOW_RANK:
        return variants.low_rank(q, k, v, min(sizes.size, k.shape[-2]))[0]
    return variants.grouped(q, k, v, 1)[0] if name == GROUPED else variants.in_blocks(q, k, v, sizes.size)


def _low_rank_output(q: Tensor, k: Tensor, v: Tensor, rank: int) -> Tensor:
    means = variants.neighbours(k.shape[-2], min(rank, k.shape[-2])).to(k.dtype)
    return scaled_dot_product_attention(q, means @ k, means @ v)[0]


def numbers_held(name: str, n: int, d_k: int, sizes: Sizes) -> int:
    """Numbers that one head holds at once between q, k, v and its output, if it is written as its authors mean it.

    n^2 for full attention and shared keys and values, the open cells of a mask, d_k (d_k + 1) for linear (its summary
    and its sum), n r for low rank, and n b for exact attention in blocks of b keys.
    """
    open_cells = _open_cells(name, n, sizes)
    if open_cells is not None:
        return open_cells
    rank = min(sizes.size, n)
    return {FULL: n * n, GROUPED: n * n, LINEAR: d_k * (d_k + 1), LOW_RANK: n * rank, IN_BLOCKS: n * rank}[name]


def _open_cells(name: str, n: int, sizes: Sizes) -> int | None:
    """How many cells `mask_of` leaves open, worked out: of 4,096 words the mask itself would take hundreds of MB."""
    size, n_kept = sizes

    def near(n: int, step: int = 1) -> int:  # up to size - 1 steps away on either side
        return n + 2 * sum(max(0, n - step * k) for k in range(1, size))

    if name == WINDOW:
        return near(n)
    if name == DILATED:
        return near(n, n_kept + 1)
    if name == GLOBAL:
        rest = max(0, n - n_kept)
        return n * n - rest * rest + near(rest)
    if name == BLOCKS:
        n_whole, left = divmod(n, size)
        before = size * n_whole * (n_whole - 1) // 2 + left * n_whole  # the last of every block before
        return n_whole * size * size + left * left + before
    return None


def multiplications(name: str, n: int, d_k: int, sizes: Sizes) -> int:
    """Of one head, of queries with keys and of weights with values: 2 d_k in each cell that is computed.

    Linear attention multiplies keys with values and queries with that summary, d_k^2 per word each, and queries with
    the sum of the keys. Sums, the exponential, and rescaling from block to block are not counted.
    """
    if name == LINEAR:
        return 2 * n * d_k * d_k + n * d_k
    return 2 * d_k * (n * n if name == IN_BLOCKS else numbers_held(name, n, d_k, sizes))


def cost(name: str, n: int, d_k: int, n_heads: int, sizes: Sizes) -> Cost:
    """What a variant is for, as a share of what full attention takes on n words."""
    if name == GROUPED:
        return Cost(CACHE, 1 / n_heads)  # one set of keys and values instead of one per head
    count, of = (numbers_held, MEMORY) if name == IN_BLOCKS else (multiplications, WORK)
    return Cost(of, count(name, n, d_k, sizes) / count(FULL, n, d_k, sizes))


def bytes_held(name: str, n: int, d_k: int, sizes: Sizes) -> int:
    """The same in bytes of float32."""
    return BYTES * numbers_held(name, n, d_k, sizes)


@torch.inference_mode()
def time_lengths(
    d_k: int, n_heads: int, sizes: Sizes, lengths: tuple[int, ...] = LENGTHS, seconds: float = 2.0
) -> dict[str, list[float]]:
    """Milliseconds by length, medians of rounds in which all take turns, of outputs alone: no weights are drawn."""
    found: dict[str, list[float]] = {name: [] for name in TIMED}
    end = perf_counter() + seconds
    for n_done, n in enumerate(lengths):
        generator = torch.Generator().manual_seed(n)
        q, k, v = (torch.randn(n_heads, n, d_k, generator=generator) for _ in range(3))
        runs: dict[str, Callable[[], object]] = {
            FULL: lambda q=q, k=k, v=v: scaled_dot_product_attention(q, k, v),
            WINDOW: lambda q=q, k=k, v=v: variants.local(q, k, v, sizes.size),
            LINEAR: lambda q=q, k=k, v=v: variants.linear_output(q, k, v),
            LOW_RANK: lambda q=q, k=k, v=v: _low_rank_output(q, k, v, sizes.size),
            IN_BLOCKS: lambda q=q, k=k, v=v: variants.in_blocks(q, k, v, max(sizes.size, 64)),
            TORCH: lambda q=q, k=k, v=v: torch_attention(q[None], k[None], v[None]),
        }
        until = perf_counter() + (end - perf_counter()) / (len(lengths) - n_done)
        times: dict[str, list[float]] = {name: [] for name in runs}
        for run in runs.values():
            run()
        while not times[FULL] or (perf_counter() < until and len(times[FULL]) < MAX_ROUNDS):
            for name, run in runs.items():
                start = perf_counter()
                run()
                times[name].append(1000 * (perf_counter() - start))
        for name, milliseconds in times.items():
            found[name].append(statistics.median(milliseconds))
    return found
