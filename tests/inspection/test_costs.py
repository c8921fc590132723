"""Costs by formula are those that torch counts, and both ways to compute heads give the same."""

from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from transformer import MultiHeadAttention
from transformer.core.masks import sliding_window
from transformer.inspection import costs, timing


def counted(run: Callable[[], object]) -> int:
    """Multiplications, as torch counts them: half its floating point operations."""
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        run()
    return counter.get_total_flops() // 2


@pytest.mark.parametrize(("n", "d", "n_heads", "k"), [(6, 8, 2, 3), (20, 8, 4, 2), (5, 16, 1, 5)])
def test_multiplications_are_those_that_torch_counts(n: int, d: int, n_heads: int, k: int) -> None:
    x = torch.zeros(1, n, d)
    attention = MultiHeadAttention(d, n_heads)
    cell, convolution = nn.RNNCell(d, d), nn.Conv1d(d, d, k, padding=k - 1)
    assert counted(lambda: attention(x)) == costs.multiplications("attention", n, d, k)
    assert counted(lambda: [cell(x[:, t]) for t in range(n)]) == costs.multiplications("recurrent", n, d, k)
    # torch also counts the k - 1 outputs past the end that our padding asks for
    assert counted(lambda: convolution(x.transpose(1, 2))) * n // (n + k - 1) == costs.multiplications(
        "convolution", n, d, k
    )


def test_the_paper_table_1() -> None:
    n, d, k = 10, 6, 3
    lines = {network: costs.cost(network, n, d, k) for network in costs.NETWORKS}
    assert {name: line.operations for name, line in lines.items()} == {
        "attention": 600,
        "recurrent": 360,
        "convolution": 1080,
        "window": 300,
    }
    assert {name: line.sequential for name, line in lines.items()} == {
        "attention": 1,
        "recurrent": 10,
        "convolution": 1,
        "window": 1,
    }
    assert lines["recurrent"].path_length == 10
    assert lines["attention"].path_length == 1
    assert costs.cost("attention", d, d, k).operations == costs.cost("recurrent", d, d, k).operations


@pytest.mark.parametrize(("n", "k"), [(400, 2), (400, 7), (20, 4), (4, 9)])
def test_a_window_costs_what_its_mask_lets_through(n: int, k: int) -> None:
    """All pairs of the mask, and what the words at both ends see less: k (k - 1) pairs. A wider one costs more."""
    pairs = int(sliding_window(n, k).sum())
    operations = costs.cost("window", n, 1, k).operations
    if n >= 2 * k - 1:
        assert operations == pairs + k * (k - 1)
        assert costs.cost("window", n, 1, k + 1).operations > operations
        assert costs.cost("window", 2 * n, 1, k).operations == 2 * operations, "a longer text costs as much per word"
    else:
        assert operations == pairs == costs.cost("attention", n, 1, k).operations


def test_bytes_are_those_of_the_tensors() -> None:
    n_heads, n, d = 4, 7, 8
    _, weights = MultiHeadAttention(d, n_heads)(torch.zeros(1, n, d))
    assert costs.weights_bytes(n_heads, n) == weights.nbytes
    assert costs.states_bytes(n, d) == nn.RNN(d, d, batch_first=True)(torch.zeros(1, n, d))[0].nbytes


@pytest.mark.parametrize("n_heads", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("d", [32, 64, 256])
def test_a_loop_over_heads_gives_the_same(d: int, n_heads: int) -> None:
    assert timing.largest_difference(d, n_heads) < 1e-6


def test_a_loop_over_heads_is_torchs_own_attention() -> None:
    d, n_heads, x = 12, 3, torch.randn(2, 5, 12, generator=torch.Generator().manual_seed(0))
    ours = MultiHeadAttention(d, n_heads, generator=torch.Generator().manual_seed(0))
    theirs = nn.MultiheadAttention(d, n_heads, batch_first=True)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([ours.w_q.weight, ours.w_k.weight, ours.w_v.weight]))
        theirs.in_proj_bias.copy_(torch.cat([ours.w_q.bias, ours.w_k.bias, ours.w_v.bias]))
        theirs.out_proj.weight.copy_(ours.w_o.weight)
        theirs.out_proj.bias.copy_(ours.w_o.bias)
        torch.testing.assert_close(timing.head_by_head(ours, x), theirs(x, x, x)[0], rtol=0, atol=1e-5)


def test_measuring_is_bounded_and_leaves_the_shared_generator_alone() -> None:
    state = torch.get_rng_state()
    lengths = timing.time_lengths(16, 2, (4, 8), seconds=0.05)
    heads = timing.time_heads(16, (1, 2), T=8, seconds=0.05)
    assert torch.equal(torch.get_rng_state(), state)
    for timings in (lengths, heads):
        assert len(timings.first) == len(timings.second) == len(timings.rounds) == 2
        assert all(ms > 0 for ms in (*timings.first, *timings.second))
        assert all(1 <= n <= timing.MAX_ROUNDS for n in timings.rounds)


@pytest.mark.parametrize(
    ("first", "second", "crossing"),
    [
        ((1, 2, 9), (3, 3, 3), 30),
        ((1, 9, 9), (3, 3, 3), 20),
        ((9, 1, 9), (3, 3, 3), 30),
        ((9, 9, 9), (3, 3, 3), 10),
        ((1, 1, 1), (3, 3, 3), None),
        ((9, 9, 1), (3, 3, 3), None),
    ],
)
def test_where_the_curves_cross(first: tuple[float, ...], second: tuple[float, ...], crossing: int | None) -> None:
    assert timing.Timings((10, 20, 30), first, second, (1, 1, 1)).crossing() == crossing
