"""The costs of one layer by formula: operations, sequential operations and memory."""

from typing import NamedTuple

from transformer.inspection.paths import Network, maximum_path_length

NETWORKS: tuple[Network, ...] = ("attention", "recurrent", "convolution", "window")
BYTES = 4  # of a float32


class Cost(NamedTuple):
    """One layer of width d on n words, as in Table 1 of "Attention Is All You Need" (2017).

    operations   n^2 d for attention, n d^2 recurrent, k n d^2 convolution; (2k - 1) n d for attention with a window,
                 where each word sees itself and k - 1 words to either side, and never more than n^2 d. What a word at
                 an end sees less is not taken off
    sequential   operations that must wait for one another: n if recurrent, else 1
    path_length  the maximum path length between two words, see paths.maximum_path_length
    """

    operations: int
    sequential: int
    path_length: int


def cost(network: Network, n: int, d: int, k: int) -> Cost:
    """A row of Table 1, for these sizes."""
    operations = {
        "attention": n * n * d,
        "recurrent": n * d * d,
        "convolution": k * n * d * d,
        "window": min(2 * k - 1, n) * n * d,
    }[network]
    return Cost(operations, n if network == "recurrent" else 1, maximum_path_length(network, n, k))


def multiplications(network: Network, n: int, d: int, k: int) -> int:
    """All multiplications of a layer, with those of the linear maps, which Table 1 leaves out.

    attention    4 n d^2 for the maps W_q, W_k, W_v, W_o, and 2 n^2 d for scores and weighted sums
    recurrent    2 n d^2: one map for the word and one for the state
    convolution  k n d^2
    """
    return {"attention": 4 * n * d * d + 2 * n * n * d, "recurrent": 2 * n * d * d, "convolution": k * n * d * d}[
        network
    ]


def weights_bytes(n_heads: int, n: int) -> int:
    """Bytes of the attention weights of one layer for one text of n tokens, in float32: 4 H n^2."""
    return n_heads * n * n * BYTES


def states_bytes(n: int, d: int) -> int:
    """Bytes of the states of a recurrent layer for one text, in float32: 4 n d."""
    return n * d * BYTES
