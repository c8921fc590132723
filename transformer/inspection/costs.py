"""What one layer costs by its formulas: operations, steps that must wait for each other, and memory."""

from typing import NamedTuple

from transformer.inspection.paths import Network, n_steps

KINDS: tuple[Network, ...] = ("attention", "recurrent", "convolution", "window")
BYTES = 4  # of a float32


class Cost(NamedTuple):
    """One layer of width d on n words, as "Attention Is All You Need" (2017), Table 1, has it.

    operations  n^2 d for attention, n d^2 recurrent, k n d^2 convolution, k n d attention with a window of k
    waiting     steps of the layer that have to wait for the one before: n if recurrent, else 1
    path        the longest way between two words, see paths.n_steps
    """

    operations: int
    waiting: int
    path: int


def cost(network: Network, n: int, d: int, k: int) -> Cost:
    """The line of Table 1, with the numbers put in."""
    operations = {
        "attention": n * n * d,
        "recurrent": n * d * d,
        "convolution": k * n * d * d,
        "window": k * n * d,
    }[network]
    return Cost(operations, n if network == "recurrent" else 1, n_steps(network, n, k))


def multiplications(network: Network, n: int, d: int, k: int) -> int:
    """What a layer really multiplies, with the linear maps that Table 1 leaves out.

    attention    4 n d^2 for the maps W_q, W_k, W_v, W_o, and 2 n^2 d for scores and mix
    recurrent    2 n d^2: one map of the word and one of the state
    convolution  k n d^2
    """
    return {
        "attention": 4 * n * d * d + 2 * n * n * d,
        "recurrent": 2 * n * d * d,
        "convolution": k * n * d * d,
    }[network]


def weights_bytes(n_heads: int, T: int, S: int | None = None) -> int:
    """Memory of the attention weights of one layer, for one text, in float32: H T S 4 bytes."""
    return n_heads * T * (T if S is None else S) * BYTES


def states_bytes(n: int, d: int) -> int:
    """Memory of the states of a recurrent layer, for one text, in float32: n d 4 bytes."""
    return n * d * BYTES
