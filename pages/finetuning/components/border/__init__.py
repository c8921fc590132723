"""New reviews where a pretrained model's vectors lie, and the border that a classifier of few labels draws there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from lab.kit.components import component, sent

_mount = component("border", Path(__file__).parent)


def border(data: dict[str, Any], *, key: str, on_take: Callable[[str], None]) -> None:
    """Puts a payload on the page; on_take is called with the review whose dot is pressed.

    stops   how many labelled reviews a classifier has learned from, half of them praise
    tests   new reviews, without a negation and with one: {reviews, places, shares}. reviews: [text, whether it is
            praise]; places: where each lies, [right, up] from -1 to 1; shares: its probability of praise, by stop
    rival   how many of the first kind are right for word counts with the last stop
    own     the review that is asked about: {text, place, shares}; None where there is no word
    note    what is to be said of it, "" for nothing
    """

    def took() -> None:
        text = sent(key, "take", str)
        if any(text == one for test in data["tests"] for one, _ in test["reviews"]):
            on_take(str(text))

    _mount(data=data, key=key, on_take_change=took)
