"""The graphs of the page on why are those of real networks, and the paths through them are the shortest."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from transformer import MultiHeadAttention
from transformer.core.masks import causal, sliding_window
from transformer.inspection import paths

N, D = 9, 8


def dependencies(network: Callable[..., Tensor], n_layers: int, **options: object) -> np.ndarray:
    """(N, N): whether output i of a real network depends on input j at all, by autograd."""
    x = torch.randn(1, N, D, generator=torch.Generator().manual_seed(1), dtype=torch.float64, requires_grad=True)
    y = network(x, n_layers, **options)
    rows = [torch.autograd.grad(y[0, i].square().sum(), x, retain_graph=True)[0][0].abs().sum(-1) for i in range(N)]
    return (torch.stack(rows) > 0).numpy()


def recurrent(x: Tensor, n_layers: int) -> Tensor:
    torch.manual_seed(0)
    return nn.RNN(D, D, batch_first=True).double()(x)[0]


def convolution(x: Tensor, n_layers: int, k: int = 3, dilated: bool = False) -> Tensor:
    torch.manual_seed(0)
    y = x.transpose(1, 2)
    for layer in range(n_layers):
        step = k**layer if dilated else 1
        y = nn.Conv1d(D, D, k, dilation=step).double()(nn.functional.pad(y, ((k - 1) * step, 0))).tanh()
    return y.transpose(1, 2)


def attention(x: Tensor, n_layers: int, mask: Tensor | None = None) -> Tensor:
    for layer in range(n_layers):
        x = MultiHeadAttention(D, 2, generator=torch.Generator().manual_seed(layer)).double()(x, mask=mask)[0]
    return x


def reach(network: paths.Network, k: int, n_layers: int) -> np.ndarray:
    """The same by the graph: from the nodes of the last layer down to the words."""
    graph = paths.graph_of(network, N, k, n_layers)
    top = 1 if network == "recurrent" else n_layers
    return np.array([[paths.shortest_path(graph, (0, j), (top, i)) is not None for j in range(N)] for i in range(N)])


@pytest.mark.slow
@pytest.mark.parametrize("n_layers", [1, 2, 3])
@pytest.mark.parametrize("k", [2, 3])
def test_the_graphs_are_those_of_real_networks(k: int, n_layers: int) -> None:
    """Which output depends on which input, as the gradients of torch's own layers and of our attention say."""
    real: dict[paths.Network, np.ndarray] = {
        "recurrent": dependencies(recurrent, n_layers),
        "convolution": dependencies(convolution, n_layers, k=k),
        "dilated": dependencies(convolution, n_layers, k=k, dilated=True),
        "window": dependencies(attention, n_layers, mask=sliding_window(N, k)),
        "causal": dependencies(attention, n_layers, mask=causal(N)),
        "attention": dependencies(attention, n_layers),
    }
    assert set(real) == set(paths.NETWORKS)
    for network, depends in real.items():
        np.testing.assert_array_equal(reach(network, k, n_layers), depends, err_msg=network)


@pytest.mark.slow
@pytest.mark.few(8)
@pytest.mark.parametrize("network", paths.NETWORKS)
@pytest.mark.parametrize("k", [2, 3, 4, 7])
def test_the_formula_is_the_length_of_the_searched_path(network: paths.Network, k: int) -> None:
    for n in (1, 2, 3, 5, 8, 9, 10, 16, 17, 27, 28):
        assert paths.maximum_path(network, n, k).n_steps == paths.maximum_path_length(network, n, k), (n, k)


def test_the_paper_table_1() -> None:
    """Maximum path length: n recurrent, log_k n for dilated convolutions, about n / k otherwise, 1 for attention."""
    assert [paths.maximum_path_length("recurrent", n, 3) for n in (1, 10, 1000)] == [1, 10, 1000]
    assert [paths.maximum_path_length("dilated", 3**p, 3) for p in (1, 2, 5)] == [1, 2, 5]
    assert [paths.maximum_path_length("dilated", n, 2) for n in (2, 3, 1024, 1025)] == [1, 2, 10, 11]
    assert all(
        paths.maximum_path_length("convolution", n, k) == max(1, math.ceil((n - 1) / (k - 1)))
        for n in (2, 9, 100)
        for k in (2, 5)
    )
    assert all(paths.maximum_path_length("attention", n, 3) == 1 for n in (1, 10, 10**9))


def test_a_path_is_a_path() -> None:
    """It starts at the first word, ends at the last output, and each step is read by the next."""
    for network in paths.NETWORKS:
        result = paths.maximum_path(network, 12, 3)
        graph = paths.graph_of(network, 12, 3, result.n_layers)
        assert result.path[0] == (0, 0)
        assert result.path[-1] == ((1 if network == "recurrent" else result.n_layers), 11)
        assert all(a in graph[b] for a, b in zip(result.path, result.path[1:], strict=False))
        assert all(a in graph[b] for a, b in result.edges)
        assert set(zip(result.path, result.path[1:], strict=False)) <= set(result.edges)


def test_the_search_takes_the_short_cut() -> None:
    start, near, far, further, end = (0, 0), (1, 0), (1, 1), (1, 2), (2, 0)
    for order in ((near, far), (far, near)):
        graph: paths.Graph = {end: order, near: (start,), far: (further,), further: (start,)}
        assert paths.shortest_path(graph, start, end) == [start, near, end]
        assert paths.shortest_path(graph, (0, 1), end) is None


def test_every_output_is_connected_to_every_input_without_a_mask_only() -> None:
    assert paths.maximum_path("attention", 12, 3).connected == 144
    assert paths.maximum_path("causal", 12, 3).connected == 78
    assert paths.maximum_path("window", 12, 3).connected == int(sliding_window(12, 3).sum()) < 144


def test_impossible_settings_are_refused_in_a_sentence() -> None:
    impossible: list[tuple[Any, int, int]] = [
        ("nothing", 4, 3),
        ("attention", 0, 3),
        ("attention", 65, 3),
        ("convolution", 4, 1),
    ]
    for network, n, k in impossible:
        with pytest.raises(ValueError, match=r"try one of|must be"):
            paths.graph_of(network, n, k)
