"""Readers judge one review: praise or criticism, how sure each is, and which way each word pushes it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lab.kit.components import component, sent

_mount = component("three_readers", Path(__file__).parent)


class Reader(NamedTuple):
    """praise: its probability of praise, None where there is no review; pushes: how much of it goes with each word of
    the text, None where nobody knows; steady: whether that is more than noise; knows_all: whether it has met every
    word."""

    name: str
    about: str
    praise: float | None
    pushes: tuple[float, ...] | None
    steady: tuple[bool, ...] | None
    knows_all: bool


def payload(
    text: str,
    readers: Sequence[Reader],
    known: Sequence[str],
    *,
    is_praise: bool | None = None,
    leads: str,
    most: int = 0,
    of: tuple[int, int] = (0, 0),
    caution: str = "",
) -> dict[str, Any]:
    """What the browser is sent.

    known      the words of the text that word counts have met, in small letters
    is_praise  whether the review is praise, None where nobody has said it; else the visitor says it first
    leads      what the button says that leads to another review
    most       words of a review of which each is left out once
    of         how many readers, of how many that learned from other reviews, agree on a word that is no noise
    caution    a sentence on how far readers like these are to be trusted
    """
    return {
        "text": text,
        "known": sorted(known),
        "readers": [reader._asdict() for reader in readers],
        "is_praise": is_praise,
        "leads": leads,
        "most": most,
        "of": list(of),
        "caution": caution,
    }


def three_readers(data: dict[str, Any], *, key: str, on_next: Callable[[], None] = lambda: None) -> None:
    """Puts a payload on the page; on_next is called once the button is pressed that leads to another review."""

    def pressed() -> None:
        if sent(key, "next", str) == data["text"]:
            on_next()

    _mount(data=data, key=key, on_next_change=pressed)
