"""Each variant against full attention where they must agree, and against its formula, in float64."""

import pytest
import torch

from tests.transformer.oracles import rng
from transformer.core import masks, variants
from transformer.core.attention import linear_attention, scaled_dot_product_attention
from transformer.core.checks import InputError

DOUBLE = {"dtype": torch.float64}


def qkv(n: int = 9, d: int = 5, H: int = 4, S: int | None = None):
    generator = rng()
    sides = ((n, d), (S or n, d), (S or n, d + 1))
    return tuple(2 * torch.randn(H, *side, generator=generator, **DOUBLE) for side in sides)


def close(ours, theirs):
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 7, 12])
def test_patterns_are_those_of_their_words(n):
    dilated, both, blocks = variants.dilated(n, 3, 2), variants.global_and_local(n, 2, 1), variants.block_sparse(n, 3)
    for t in range(n):
        for s in range(n):
            assert dilated[t, s] == (abs(s - t) in (0, 2, 4))
            assert both[t, s] == (abs(s - t) < 2 or 0 in (s, t))
            assert blocks[t, s] == (s // 3 == t // 3 or (s // 3 < t // 3 and s % 3 == 2))
    assert torch.equal(variants.dilated(n, 3, 1), masks.sliding_window(n, 3))


@pytest.mark.parametrize("window", [1, 2, 5, 30])
def test_a_window_without_the_cells_outside_is_the_masked_one(window):
    q, k, v = qkv()
    close(variants.local(q, k, v, window), scaled_dot_product_attention(q, k, v, masks.sliding_window(9, window))[0])


def test_linear_attention_may_sum_in_either_order():
    q, k, v = qkv(S=6)
    output, weights = linear_attention(q, k, v)
    close(weights @ v, output)
    close(variants.linear_output(q, k, v), output)
    close(weights.sum(-1), torch.ones(4, 9, **DOUBLE))
    phi = [torch.where(x > 0, x + 1, x.exp()) for x in (q, k)]  # elu(x) + 1
    for t in range(9):
        kernel = (phi[0][:, t, None] * phi[1]).sum(-1)  # (H, S)
        close(weights[:, t], kernel / kernel.sum(-1, keepdim=True))


def test_low_rank_keeps_means_of_neighbours_and_with_every_row_it_is_full_attention():
    q, k, v = qkv()
    close(variants.low_rank(q, k, v, 9)[0], scaled_dot_product_attention(q, k, v)[0])
    output, weights = variants.low_rank(q, k, v, 3)
    close(weights @ v, output)
    thirds = [x.unflatten(1, (3, 3)).mean(2) for x in (k, v)]
    close(output, scaled_dot_product_attention(q, *thirds)[0])
    assert torch.linalg.matrix_rank(weights).max() <= 3


def test_shared_keys_and_values():
    q, k, v = qkv()
    close(variants.grouped(q, k, v, 4)[0], scaled_dot_product_attention(q, k, v)[0])
    for n_groups in (1, 2):
        means = [x.unflatten(0, (n_groups, 4 // n_groups)).mean(1).repeat_interleave(4 // n_groups, 0) for x in (k, v)]
        output, weights = variants.grouped(q, k, v, n_groups)
        for ours, theirs in zip((output, weights), scaled_dot_product_attention(q, *means), strict=True):
            close(ours, theirs)


@pytest.mark.parametrize("block", [1, 2, 4, 9, 50])
def test_in_blocks_it_is_exactly_full_attention(block):
    q, k, v = qkv(S=7)
    q[0, 0] *= 100  # scores far apart: without the running maximum, exp would overflow
    k[0, -1] *= 100
    ours = variants.in_blocks(q, k, v, block)
    assert torch.isfinite(ours).all()
    close(ours, scaled_dot_product_attention(q, k, v)[0])
    close(ours, torch.nn.functional.scaled_dot_product_attention(q, k, v))


def test_what_cannot_be_meant_is_a_sentence():
    q, k, v = qkv()
    for wrong in (
        lambda: variants.dilated(4, 2, 0),
        lambda: variants.block_sparse(4, 0),
        lambda: variants.low_rank(q, k, v, 10),
        lambda: variants.grouped(q, k, v, 3),
        lambda: variants.in_blocks(q, k, v, 0),
    ):
        with pytest.raises(InputError):
            wrong()
