"""What a trained model answers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lab.kit.models.source import Source

if TYPE_CHECKING:
    import numpy as np


class Answer(NamedTuple):
    """What a trained model ranks first at its answer position, and with which probability; and for how many of n next
    words of the text it ranks the right one first (n is 0 for an encoder)."""

    word: str
    probability: float
    right: int
    n: int


def answer(source: Source, tokens: Sequence[str], logits: "np.ndarray") -> Answer:
    """What these logits (T, V) of a trained model say."""
    import numpy as np

    logits = logits.astype("f8")
    at = source.answer_position(tokens)
    odds = np.exp(logits[at] - logits[at].max())
    best = int(odds.argmax())
    n = len(tokens) - 1 if source.kind == "decoder" else 0
    right = int((logits[:n].argmax(1) == source.ids(tokens)[1 : n + 1]).sum()) if n else 0
    return Answer(source.label(best), float(odds[best] / odds.sum()), right, n)
