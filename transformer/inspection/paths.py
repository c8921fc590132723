"""Maximum path lengths: what each network reads, as a graph, and the shortest path through it from word to output."""

from collections import deque
from dataclasses import dataclass
from typing import Literal

import numpy as np

from transformer.core.checks import InputError
from transformer.core.masks import causal, sliding_window

Network = Literal["recurrent", "convolution", "dilated", "window", "causal", "attention"]
Node = tuple[int, int]  # (layer, position); layer 0 is what comes in
Graph = dict[Node, tuple[Node, ...]]

NETWORKS: tuple[Network, ...] = ("recurrent", "convolution", "dilated", "window", "causal", "attention")
MAX_WORDS = 64  # a stack of narrow convolutions has as many nodes as the square of it


def graph_of(network: Network, n: int, k: int, n_layers: int = 1) -> Graph:
    """The nodes that every node of a network on n words reads.

    recurrent    h_i reads x_i and h_(i-1): one layer, whatever n_layers says
    convolution  of width k: layer l at i reads layer l - 1 at i - k + 1, ..., i
    dilated      the same, but in layer l (from 0) the k words stand k^l apart
    window       attention that sees fewer than k words away, to either side (masks.sliding_window)
    causal       attention that sees itself and what came before (masks.causal)
    attention    every word reads every word
    """
    if network not in NETWORKS:
        raise InputError(f"there is no network {network!r}; try one of {', '.join(NETWORKS)}")
    if not 1 <= n <= MAX_WORDS:
        raise InputError(f"n={n} must be from 1 to {MAX_WORDS}")
    if k < 2:
        raise InputError(f"k={k} must be at least 2: a width of 1 sees only itself")
    if network == "recurrent":
        return {(1, i): ((0, i), (1, i - 1)) if i else ((0, 0),) for i in range(n)}
    masks = {"window": sliding_window(n, k), "causal": causal(n)}
    graph: Graph = {}
    for layer in range(1, n_layers + 1):
        step = k ** (layer - 1) if network == "dilated" else 1
        for i in range(n):
            if network in ("convolution", "dilated"):
                inputs = [i - step * j for j in range(k - 1, -1, -1) if i >= step * j]
            elif network in masks:
                inputs = masks[network][i].nonzero()[:, 0].tolist()
            else:
                inputs = list(range(n))
            graph[layer, i] = tuple((layer - 1, j) for j in inputs)
    return graph


def shortest_path(graph: Graph, start: Node, end: Node) -> list[Node] | None:
    """The nodes on a shortest path from `start` to `end`, by breadth-first search; None if there is no path."""
    reader: dict[Node, Node | None] = {end: None}
    queue = deque([end])
    while queue:
        node = queue.popleft()
        if node == start:
            path = [node]
            while (node := reader[node]) is not None:
                path.append(node)
            return path
        for source in graph.get(node, ()):
            if source not in reader:
                reader[source] = node
                queue.append(source)
    return None


@dataclass(frozen=True, eq=False)
class MaximumPath:
    """The path from the first word to the last output of a network that has as many layers as this takes.

    path       its nodes, from the first word to the last output; one step fewer than nodes
    edges      (source, reader) of all nodes that the last output depends on
    n_layers   layers of the network
    connected  how many of the n^2 pairs (input, output) a single layer connects
    """

    network: Network
    n: int
    path: tuple[Node, ...]
    edges: tuple[tuple[Node, Node], ...]
    n_layers: int
    connected: int

    @property
    def n_steps(self) -> int:
        return len(self.path) - 1


def maximum_path(network: Network, n: int, k: int) -> MaximumPath:
    """The path in the network with the fewest layers in which the last output depends on the first word."""
    for n_layers in range(1, n + 1):
        graph = graph_of(network, n, k, n_layers)
        top = 1 if network == "recurrent" else n_layers
        path = shortest_path(graph, (0, 0), (top, n - 1))
        if path:
            break
    assert path is not None  # n layers reach across n words in every network
    visited, pending = {(top, n - 1)}, [(top, n - 1)]
    edges = []
    while pending:
        node = pending.pop()
        for source in graph.get(node, ()):
            edges.append((source, node))
            if source not in visited:
                visited.add(source)
                pending.append(source)
    single = graph_of(network, n, k)
    return MaximumPath(network, n, tuple(path), tuple(edges), n_layers, int(connections(single, n).sum()))


def connections(graph: Graph, n: int) -> np.ndarray:
    """(n, n): whether output i (row) of the graph's first layer depends on input j (column), by any path."""
    return np.array([[shortest_path(graph, (0, j), (1, i)) is not None for j in range(n)] for i in range(n)])


def maximum_path_length(network: Network, n: int, k: int) -> int:
    """The steps of that path by formula, for any n: n, (n - 1) / (k - 1) rounded up, log_k n rounded up, or 1."""
    if network == "recurrent":
        return n
    if network in ("convolution", "window"):
        return max(1, -(-(n - 1) // (k - 1)))
    if network == "dilated":
        layers = 1
        while k**layers < n:
            layers += 1
        return layers
    return 1
