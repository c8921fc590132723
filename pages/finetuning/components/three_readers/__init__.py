"""Readers judge one review: praise or blame, how sure each is, and how often each is right on tests."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lab.kit.components import component

_mount = component("three_readers", Path(__file__).parent)


class Reader(NamedTuple):
    """praise: its probability of praise, None where there is no review; plain, negated: shares of tests right."""

    name: str
    about: str
    praise: float | None
    plain: float
    negated: float


def payload(text: str, readers: Sequence[Reader], known: Sequence[str]) -> dict[str, Any]:
    """What the browser is sent. known: the words of the text that word counts have met, in small letters."""
    return {"text": text, "known": sorted(known), "readers": [reader._asdict() for reader in readers]}


def three_readers(data: dict[str, Any], *, key: str) -> None:
    """Puts a payload on the page."""
    _mount(data=data, key=key)
