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


class Wall(NamedTuple):
    """A hundred texts at one temperature.

    said         how many have which fate, in words
    n_different  how many different texts there are
    is_graded    whether somebody can tell which texts are right
    """

    lines: Sequence[Line]
    temperature: float
    said: str
    n_different: int
    is_graded: bool


def payload(wall: Wall, of: str, temperatures: Sequence[float], opens: float) -> dict[str, Any]:
    """What the browser draws, and keeps beside the walls at other temperatures.

    of            names the beginning of all texts and their writer: walls of another one are forgotten
    temperatures  that the slider has; opens: the one that the page opens with
    """
    return {
        "of": of,
        "temperatures": list(temperatures),
        "opens": opens,
        "temperature": wall.temperature,
        "said": f"{wall.said}; {wall.n_different} different texts",
        "lines": [line._asdict() for line in wall.lines],
        "graded": wall.is_graded,
    }


def story_wall(data: dict[str, Any], *, key: str) -> None:
    """Put the wall on the page; the temperature is in the address as gen_left."""
    _mount(data=data, key=key, on_asked_change=lambda: None)
