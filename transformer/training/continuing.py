"""What a model goes on with after a beginning, and which of its words keep to what was told."""

from collections.abc import Sequence
from typing import NamedTuple

from transformer.core.model import DecoderModel
from transformer.training.tasks.storytelling.tokens import cut, tokeniser
from transformer.training.tasks.talks import judged
from transformer.training.writing import Question, write


class Word(NamedTuple):
    """A word that a model wrote. keeps: True for a fact that is what was told, False for one that is not, None for
    words that tell nothing."""

    word: str
    keeps: bool | None


def continued(model: DecoderModel, beginnings: Sequence[str], most: int) -> tuple[str, ...]:
    """What the model, in evaluation mode, goes on with after each text, always its likeliest token: at most so many."""
    tokens = tokeniser()
    asked = [Question(tuple(tokens.encode(text)), (), most) for text in beginnings]
    return tuple(tokens.decode(written.ids.tolist()) for written in write(model, "decoder", asked))


def in_talk(beginning: str, goes_on: str) -> list[Word]:
    """The words of a talk's continuation, each judged by what was told: see talks.judged."""
    before, words = cut(beginning), cut(goes_on)
    return [Word(*pair) for pair in zip(words, judged([*before, *words])[len(before) :], strict=True)]
