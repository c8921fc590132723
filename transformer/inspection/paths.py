"""How many steps lie between two words: what each network reads, as a graph, and the shortest way through it."""

from collections import deque
from dataclasses import dataclass
from typing import Literal

import numpy as np

from transformer.checks import InputError
from transformer.masks import causal, sliding_window

Network = Literal["recurrent", "convolution", "dilated", "window", "causal", "attention"]
Node = tuple[int, int]  # (layer, position); layer 0 is what comes in
Reads = dict[Node, tuple[Node, ...]]

NETWORKS: tuple[Network, ...] = ("recurrent", "convolution", "dilated", "window", "causal", "attention")
MOST_WORDS = 64  # a stack of narrow convolutions has as many nodes as the square of it


def reads(network: Network, n: int, k: int, n_layers: int = 1) -> Reads:
    """What every node of a network on n words reads.

    recurrent    h_i reads x_i and h_(i-1): one layer, whatever n_layers says
    convolution  of width k: layer l at i reads layer l - 1 at i - k + 1, ..., i
    dilated      the same, but in layer l (from 0) the k words stand k^l apart
    window       attention that sees fewer than k words away, to either side (masks.sliding_window)
    causal       attention that sees itself and what came before (masks.causal)
    attention    every word reads every word
    """
    if network not in NETWORKS:
        raise InputError(f"there is no network {network!r}; try one of {', '.join(NETWORKS)}")
    if not 1 <= n <= MOST_WORDS:
        raise InputError(f"n={n} must be from 1 to {MOST_WORDS}")
    if k < 2:
        raise InputError(f"k={k} must be at least 2: a width of 1 sees only itself")
    if network == "recurrent":
        return {(1, i): ((0, i), (1, i - 1)) if i else ((0, 0),) for i in range(n)}
    masks = {"window": sliding_window(n, k), "causal": causal(n)}
    everything: Reads = {}
    for layer in range(1, n_layers + 1):
        step = k ** (layer - 1) if network == "dilated" else 1
        for i in range(n):
            if network in ("convolution", "dilated"):
                seen = [i - step * j for j in range(k - 1, -1, -1) if i >= step * j]
            elif network in masks:
                seen = masks[network][i].nonzero()[:, 0].tolist()
            else:
                seen = list(range(n))
            everything[layer, i] = tuple((layer - 1, j) for j in seen)
    return everything


def shortest(graph: Reads, start: Node, end: Node) -> list[Node] | None:
    """The fewest steps by which what stands at `start` gets to `end`: a breadth-first search; None if it never does."""
    came: dict[Node, Node | None] = {end: None}
    waiting = deque([end])
    while waiting:
        node = waiting.popleft()
        if node == start:
            way = [node]
            while (node := came[node]) is not None:
                way.append(node)
            return way
        for before in graph.get(node, ()):
            if before not in came:
                came[before] = node
                waiting.append(before)
    return None


@dataclass(frozen=True, eq=False)
class Way:
    """The way from the first word to the last output of a network with as many layers as it takes.

    path       its nodes, from the first word to the last output; one step fewer than nodes
    edges      everything that the last output has heard of, (read, reader)
    n_layers   how many layers it took
    connected  how many of the n^2 pairs (input, output) one layer connects
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


def way(network: Network, n: int, k: int) -> Way:
    """Add layers until the last output hears of the first word."""
    for n_layers in range(1, n + 1):
        graph = reads(network, n, k, n_layers)
        top = 1 if network == "recurrent" else n_layers
        path = shortest(graph, (0, 0), (top, n - 1))
        if path:
            break
    assert path is not None  # n layers reach across n words in every network
    heard, waiting = {(top, n - 1)}, [(top, n - 1)]
    edges = []
    while waiting:
        node = waiting.pop()
        for before in graph.get(node, ()):
            edges.append((before, node))
            if before not in heard:
                heard.add(before)
                waiting.append(before)
    one = reads(network, n, k)
    return Way(network, n, tuple(path), tuple(edges), n_layers, int(reached(one, n).sum()))


def reached(graph: Reads, n: int) -> np.ndarray:
    """(n, n): whether output i (row) of the graph's first layer has heard of input j (column), however many steps."""
    return np.array([[shortest(graph, (0, j), (1, i)) is not None for j in range(n)] for i in range(n)])


def n_steps(network: Network, n: int, k: int) -> int:
    """The length of that way by its formula, for any n: n, (n - 1) / (k - 1) rounded up, log_k n rounded up, or 1."""
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
