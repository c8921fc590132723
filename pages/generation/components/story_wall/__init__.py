"""A hundred texts as a wall of lines, a cell for each word: how far each is right, and its first wrong word."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lab.kit.components import component

_mount = component("story_wall", Path(__file__).parent)


class Line(NamedTuple):
    """One text: what of it is right, and the rest, which begins with the first wrong word; and what became of it."""

    right: str
    rest: str
    fate: str


def payload(lines: Sequence[Line], temperature: float, said: str, *, is_graded: bool) -> dict[str, Any]:
    """What the browser draws.

    said       how many texts have which fate, in words
    is_graded  whether somebody can tell which texts are right
    """
    return {"lines": [line._asdict() for line in lines], "temperature": temperature, "said": said, "graded": is_graded}


def story_wall(data: dict[str, Any], *, key: str) -> None:
    """Put the wall on the page."""
    _mount(data=data, key=key)
