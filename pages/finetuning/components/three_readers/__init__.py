"""Readers judge one review, praise or criticism, and once more without the words that a visitor strikes out."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lab.kit.components import component, sent

_mount = component("three_readers", Path(__file__).parent)


class Reader(NamedTuple):
    """praise: its probability of praise, None where there is no review; pushes: how much of it goes with each word of
    the text, None where nobody knows; steady: whether that is more than noise."""

    name: str
    about: str
    praise: float | None
    pushes: tuple[float, ...] | None
    steady: tuple[bool, ...] | None


class Struck(NamedTuple):
    """words: those of the text that are struck out, by their number; praise: what each reader gives the rest."""

    words: tuple[int, ...]
    praise: tuple[float, ...]


def payload(
    text: str,
    readers: Sequence[Reader],
    known: Sequence[str],
    *,
    is_praise: bool | None = None,
    leads: str,
    struck: Struck | None = None,
    reads_all: bool = False,
    of: tuple[int, int] = (0, 0),
    caution: str = "",
) -> dict[str, Any]:
    """What the browser is sent.

    known      the words of the text that word counts have met, in small letters
    is_praise  whether the review is praise, None where nobody has said it; else the visitor says it first
    leads      what the button says that leads to another review
    struck     what was struck out, and what the readers make of the rest
    reads_all  whether they can read any rest, or only the text and what their pushes tell
    of         how many readers, of how many that learned from other reviews, agree on a word that is no noise
    caution    a sentence on how far readers like these are to be trusted
    """
    return {
        "text": text,
        "known": sorted(known),
        "readers": [reader._asdict() for reader in readers],
        "is_praise": is_praise,
        "leads": leads,
        "struck": struck and struck._asdict(),
        "reads_all": reads_all,
        "of": list(of),
        "caution": caution,
    }


def three_readers(
    data: dict[str, Any],
    *,
    key: str,
    on_next: Callable[[], None] = lambda: None,
    on_strike: Callable[[tuple[int, ...]], None] = lambda places: None,
) -> None:
    """Puts a payload on the page; on_next is called once the button is pressed that leads to another review, on_strike
    with the words of the text, by their number, that are struck out."""

    def pressed() -> None:
        if sent(key, "next", str) == data["text"]:
            on_next()

    def struck() -> None:
        match sent(key, "struck", list):
            case [text, *places] if text == data["text"] and all(type(place) is int for place in places):
                on_strike(tuple(places))

    _mount(data=data, key=key, on_next_change=pressed, on_struck_change=struck)
