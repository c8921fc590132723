"""What the attention page computes. torch is imported inside the functions: the page is on screen before it loads."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lab.kit.models.source import ModelRef
from lab.server.caching import cached
from pages.attention.matrices import Matrices

if TYPE_CHECKING:
    from transformer.inspection.guess_row import Puzzle, Verdict
    from transformer.inspection.projections import Projected, Projection
    from transformer.inspection.saturation import Saturation
    from transformer.inspection.steps import Steps
    from transformer.inspection.two_places import TwoPlaces


@cached()
def random_matrices(seed: int) -> Matrices:
    """Q, K and V of random numbers."""
    from transformer.inspection import steps

    return steps.random_matrices(seed)


@cached()
def steps_of_matrices(matrices: Matrices, is_causal: bool) -> "Steps":
    """Attention on Q, K and V, stage by stage."""
    from transformer.core.masks import causal
    from transformer.inspection import steps

    return steps.steps(*matrices, causal(len(matrices[0])).numpy() if is_causal else None)


@cached()
def steps_of_head(ref: ModelRef, tokens: tuple[str, ...], layer: int, head: int, is_causal: bool) -> "Steps":
    """One head of an encoder or a decoder that reads these tokens, stage by stage."""
    from transformer.core.masks import causal
    from transformer.inspection import steps

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


class TwoPlacesRead(NamedTuple):
    """One head and two that need what stands at two places, the sentences that they read, and the words in them.

    with_positions  how far apart even mixes of the two sentences are where values hold positions, too: added to the
                    words, and normalised after that
    """

    one_head: "TwoPlaces"
    two_heads: "TwoPlaces"
    sentences: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    with_positions: tuple[float, float]


@cached()
def two_places(share: float) -> TwoPlacesRead:
    """What these heads read; a single head gives `share` of its attention to the first word."""
    from transformer.inspection import two_places

    return TwoPlacesRead(
        two_places.two_places(1, share), two_places.two_places(2), two_places.SENTENCES, two_places.WORDS,
        (two_places.apart_with_positions(is_normed=False), two_places.apart_with_positions(is_normed=True)),
    )  # fmt: skip


@cached()
def puzzle(number: int) -> "Puzzle":
    """A row to guess."""
    from transformer.inspection import guess_row

    return guess_row.puzzle(number)


def verdict(number: int, guess: tuple[float, ...]) -> "Verdict":
    """How far a guess is from the truth, and which step it leaves out."""
    from transformer.inspection import guess_row

    return guess_row.judge(puzzle(number), guess)
