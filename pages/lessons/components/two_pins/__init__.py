"""The first stop, where it stands: one beginning given twice, and a pin for each among the words that may come next."""

from collections.abc import Sequence
from pathlib import Path

from lab.kit.components import component
from lab.kit.texts.inline import plain
from lab.kit.texts.questions import Question

_mount = component("two_pins", Path(__file__).parent)


def two_pins(
    text: str, words: Sequence[tuple[str, float]], question: Question, ways: Sequence[str], onward: str, *, key: str
) -> None:
    """Put it on the page.

    words   the words that may come next, each with its chance, the likeliest first
    ways    the links on from here: the first for no idea, then one for each option of the question
    onward  what they are called
    """
    options = [[plain(option.text), option == question.answer] for option in question.shuffled]
    data = {"text": text, "words": words, "asked": plain(question.text), "options": options, "ways": ways}
    _mount(data=data | {"onward": onward}, key=key)
