"""Two models learn from piles of labelled reviews, one of them pretrained: how few does that one need?"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from lab.kit.components import component, sent

_mount = component("piles", Path(__file__).parent)


def piles(
    data: dict[str, Any], *, key: str, on_take: Callable[[str], None], on_strike: Callable[[tuple[int, ...]], None]
) -> None:
    """Puts a payload on the page; on_take is called with the review whose dot is pressed, on_strike with the words of
    the text, by their number, that are struck out.

    reviews   the tests: [text, whether it is praise]
    labels    whether each review of a whole pile is praise, in the order in which they are pulled in
    stops     how many reviews of the pile a pretrained model has learned from, the last a whole pile
    models    word counts, with the whole pile, and the pretrained one: {name, about, shares, own, rests}. shares: its
              probability of praise for each test, by stop; own: for the text, None where there is no review; rests: for
              the text without each of its words, None where nobody knows. Word counts have the last stop alone.
    unmet     for each word of the text, whether the pile says nothing of it
    struck    words that are struck out, with what both give the rest by stop; None where none is
    reads_all whether they can read any rest
    """

    def took() -> None:
        text = sent(key, "take", str)
        if any(text == one for one, _ in data["reviews"]):
            on_take(str(text))

    def struck() -> None:
        match sent(key, "struck", list):
            case [text, *places] if text == data["text"] and all(type(place) is int for place in places):
                on_strike(tuple(places))

    _mount(data=data, key=key, on_take_change=took, on_struck_change=struck)
