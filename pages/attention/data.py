"""What the attention page computes."""

from typing import NamedTuple

import numpy as np

from lab.kit.models import pictures
from lab.kit.models.references import BeforeTraining, Mask
from lab.kit.models.source import ModelRef
from lab.server.caching import cached
from pages.attention.matrices import Matrices
from transformer import core, inspection


@cached()
def random_matrices(seed: int) -> Matrices:
    """Q, K and V of random numbers."""
    return inspection.steps.random_matrices(seed)


@cached()
def steps_of_matrices(matrices: Matrices, is_causal: bool) -> "inspection.steps.Steps":
    """Attention on Q, K and V, stage by stage."""
    return inspection.steps.steps(*matrices, core.masks.causal(len(matrices[0])).numpy() if is_causal else None)


@cached()
def steps_of_head(
    ref: ModelRef, tokens: tuple[str, ...], layer: int, head: int, is_causal: bool
) -> "inspection.steps.Steps":
    """One head of an encoder or a decoder that reads these tokens, stage by stage."""
    source = ref.resolve()
    mask = core.masks.causal(len(tokens)) if is_causal else None
    return inspection.steps.head_steps(source.single_stack, source.ids(tokens), head, layer, mask)


@cached()
def projection(
    ref: ModelRef, tokens: tuple[str, ...], layer: int, head: int, which: "inspection.projections.Projected"
) -> "inspection.projections.Projection":
    """How one head makes its queries, keys or values of these tokens."""
    source = ref.resolve()
    return inspection.projections.project(source.single_stack, source.ids(tokens), layer, head, which)


@cached()
def fit(
    ref: ModelRef, tokens: tuple[str, ...], layer: int, head: int, at: int, is_causal: bool
) -> "inspection.projections.Fit":
    """How the query of one word fits the keys of all."""
    source = ref.resolve()
    mask = core.masks.causal(len(tokens)) if is_causal else None
    return inspection.projections.fit(source.single_stack, source.ids(tokens), layer, head, at, mask)


ALIKE = 0.35  # the least cosine of the rows of two words of which one may stand in the place of the other


def swapped(ref: ModelRef, tokens: tuple[str, ...], at: int) -> tuple[str, ...] | None:
    """The text with the word there replaced by the one of the text that is most similar; None where no other is."""
    others, cosines = similar_words(ref, tokens)
    other = others[at]
    return None if other is None or cosines[at] < ALIKE else (*tokens[:at], tokens[other], *tokens[at + 1 :])


@cached()
def similar_words(ref: ModelRef, tokens: tuple[str, ...]) -> tuple[list[int | None], np.ndarray]:
    """For each token that is a word, the different word of the text whose row in the trained table of embeddings is
    most similar, and that cosine, (T,): -inf where there is none."""
    source = (ref.of if isinstance(ref, BeforeTraining) else ref).resolve()
    rows = source.single_stack.stack.embedding.weight.detach()[list(source.ids(tokens))].numpy()
    names = np.array([token.lstrip("·") for token in tokens], dtype=object)  # some bring the space before them
    words = np.array([name.isalpha() for name in names])
    is_other = words[:, None] & words[None, :] & (names[:, None] != names[None, :])
    cosines = np.where(is_other, inspection.geometry.cosines(rows.astype(float)), -np.inf)
    others = [int(row.argmax()) if is_any else None for row, is_any in zip(cosines, is_other.any(1), strict=True)]
    return others, cosines.max(1)


def telling_head(ref: ModelRef, tokens: tuple[str, ...]) -> tuple[int, int]:
    """(layer, head) that has earned its name most on these tokens; the page on heads opens them with it. This page
    asks for that of the model's own first sentence, so that one and the same head reads whatever is typed."""
    return pictures.heads(ref, Mask(), tokens).opens if len(tokens) > 1 else (0, 0)


@cached()
def saturation_sweep(seed: int) -> "dict[bool, list[inspection.saturation.Saturation]]":
    """Softmax at every width, with the division by sqrt(d_k) (True) and without it (False)."""
    return inspection.saturation.sweep(seed)


class TwoPlacesRead(NamedTuple):
    """One head and two that need what stands at two places, the sentences that they read, and the words in them.

    with_positions  how far apart even mixes of the two sentences are where values hold positions, too: added to the
                    words, and normalised after that
    """

    one_head: "inspection.two_places.TwoPlaces"
    two_heads: "inspection.two_places.TwoPlaces"
    sentences: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    with_positions: tuple[float, float]


@cached()
def two_places(share: float) -> TwoPlacesRead:
    """What these heads read; a single head gives `share` of its attention to the first word."""
    return TwoPlacesRead(
        inspection.two_places.two_places(1, share),
        inspection.two_places.two_places(2),
        inspection.two_places.SENTENCES,
        inspection.two_places.WORDS,
        (
            inspection.two_places.apart_with_positions(is_normed=False),
            inspection.two_places.apart_with_positions(is_normed=True),
        ),
    )


@cached()
def puzzle(number: int) -> "inspection.guess_row.Puzzle":
    """A row to guess."""
    return inspection.guess_row.puzzle(number)


def verdict(number: int, guess: tuple[float, ...]) -> "inspection.guess_row.Verdict":
    """How far a guess is from the truth, and which step it leaves out."""
    return inspection.guess_row.judge(puzzle(number), guess)
