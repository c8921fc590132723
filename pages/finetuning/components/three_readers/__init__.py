"""Readers judge one review: praise or blame, how sure each is, and which way each word pushes it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lab.kit.components import component

_mount = component("three_readers", Path(__file__).parent)


class Reader(NamedTuple):
    """praise: its probability of praise, None where there is no review; pushes: how much of it goes with each word of
    the text, None where nobody knows; knows_all: whether it has met every word."""

    name: str
    about: str
    praise: float | None
    pushes: tuple[float, ...] | None
    knows_all: bool


class Judged(NamedTuple):
    """Another review, whether it is praise, and the probability of praise that each reader gives it."""

    text: str
    is_praise: bool
    praise: tuple[float, ...]


def payload(
    text: str, readers: Sequence[Reader], known: Sequence[str], record: Sequence[Judged], *, asks: bool = False
) -> dict[str, Any]:
    """What the browser is sent.

    known   the words of the text that word counts have met, in small letters
    record  what the readers say of other reviews
    asks    whether the visitor says first what it is
    """
    return {
        "text": text,
        "known": sorted(known),
        "readers": [reader._asdict() for reader in readers],
        "record": [one._asdict() for one in record],
        "asks": asks,
    }


def three_readers(data: dict[str, Any], *, key: str) -> None:
    """Puts a payload on the page."""
    _mount(data=data, key=key)
