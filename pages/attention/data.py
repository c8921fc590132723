"""What the attention page computes. torch is imported inside the functions: the page is on screen before it loads."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pages.attention.matrices import Matrices
from pages.shared.caching import cached
from pages.shared.source import ModelRef

if TYPE_CHECKING:
    from transformer.inspection.guess_row import Puzzle, Verdict
    from transformer.inspection.projections import Projected, Projection
    from transformer.inspection.saturation import Saturation
    from transformer.inspection.steps import Axis, Steps


@cached()
def random_matrices(seed: int) -> Matrices:
    """Q, K and V of random numbers."""
    from transformer.inspection import steps

    return steps.random_matrices(seed)


@cached()
def steps_of_matrices(matrices: Matrices, is_causal: bool) -> "Steps":
    """Attention on Q, K and V, stage by stage."""
    from transformer.inspection import steps
    from transformer.masks import causal

    return steps.steps(*matrices, causal(len(matrices[0])).numpy() if is_causal else None)


@cached()
def steps_of_head(ref: ModelRef, tokens: tuple[str, ...], layer: int, head: int, is_causal: bool) -> "Steps":
    """One head of an encoder or a decoder that reads these tokens, stage by stage."""
    from transformer.inspection import steps
    from transformer.masks import causal

    source = ref.resolve()
    mask = causal(len(tokens)) if is_causal else None
    return steps.head_steps(source.single_stack, source.ids(tokens), head, layer, mask)


@cached()
def projection(ref: ModelRef, tokens: tuple[str, ...], layer: int, head: int, which: "Projected") -> "Projection":
    """How one head makes its queries, keys or values of these tokens."""
    from transformer.inspection import projections

    source = ref.resolve()
    return projections.project(source.single_stack, source.ids(tokens), layer, head, which)


@cached()
def sharpest_head(ref: ModelRef, tokens: tuple[str, ...]) -> tuple[int, int]:
    """(layer, head) whose queries look most at one key each; resting on the first token, as idle heads do, is no
    looking."""
    from transformer.inspection.run import maps_by_layer

    source = ref.resolve()
    layers = maps_by_layer(source.single_stack, source.ids(tokens), None, is_causal=source.kind == "decoder")
    rows = np.stack([layer.weights for layer in layers])[:, :, 1:, 1:]  # (L, H, T - 1, T - 1)
    if not rows.size:
        return 0, 0
    largest = rows.max(-1).mean(-1)  # (L, H)
    layer, head = np.unravel_index(int(largest.argmax()), largest.shape)
    return int(layer), int(head)


@cached()
def saturation_sweep(seed: int) -> "dict[bool, list[Saturation]]":
    """Softmax at every width, with the division by sqrt(d_k) (True) and without it (False)."""
    from transformer.inspection import saturation

    return saturation.sweep(seed)


class Softmax(NamedTuple):
    """Softmax of one head's scores.

    weights, plain  (T, S) with the settings asked for, and at temperature 1 along the keys
    row_sums        (T,) of the weights
    allowed         (T, S) boolean, True = may attend
    """

    weights: np.ndarray
    plain: np.ndarray
    row_sums: list[float]
    allowed: np.ndarray


def softmax_of(steps: "Steps", temperature: float, add: float, along: "Axis") -> Softmax:
    """The softmax of the scores of these steps. Not cached: it takes no time."""
    from transformer.inspection import steps as inspection

    scores = steps.stages.get("masked", steps.stages["scaled"])
    weights = inspection.softmax_of(scores, temperature=temperature, add=add, along=along)
    return Softmax(weights, inspection.softmax_of(scores), weights.sum(1).tolist(), scores > float("-inf"))


@cached()
def puzzle(number: int) -> "Puzzle":
    """A row to guess."""
    from transformer.inspection import guess_row

    return guess_row.puzzle(number)


def verdict(number: int, guess: tuple[float, ...]) -> "Verdict":
    """How far a guess is from the truth, and which step it leaves out."""
    from transformer.inspection import guess_row

    return guess_row.judge(puzzle(number), guess)
