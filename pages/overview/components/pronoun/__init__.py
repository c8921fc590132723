"""Where one head looks from one word of a sentence: coloured words with ribbons, and a switch between sentences."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lab.kit.components import component

_mount = component("pronoun", Path(__file__).parent)


class Sentence(NamedTuple):
    """A sentence as a model reads it, and one row of its attention.

    query    the number of the token that looks
    weights  one attention weight per token
    """

    tokens: Sequence[str]
    query: int
    weights: Sequence[float]


def pronoun(sentences: Mapping[str, Sentence], *, head: str, key: str) -> None:
    """Put sentences on the page, by the names on the switch between them; the first is shown. `head` names the head."""
    shown = [{"name": name, **sentence._asdict()} for name, sentence in sentences.items()]
    _mount(data={"sentences": shown, "head": head}, key=key)
