"""What the pictures of words are made of: shapes of SVG as plain data, in the house's palette.

A picture is WIDTH x HEIGHT. Colours are names of the palette ("query"), or a shade of one: `shade("weight", 0.4)`.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lab.kit.figures.strength import strength

WIDTH, HEIGHT = 220, 96
LETTER = 7.2  # pixels of a letter of 13, at most


class Shape(NamedTuple):
    """An element of SVG: its tag, its attributes, and the text in it."""

    tag: str
    attributes: dict[str, str | float]
    text: str = ""


Picture = tuple[Shape, ...]


def colour(name: str) -> str:
    """A colour of the palette, which the theme settles."""
    return f"var(--{name})"


def shade(name: str, share: float) -> str:
    """A colour for a share of the largest value: the panel for 0, and as strong as in all our figures in between."""
    percent = round(100 * strength(share))
    return f"color-mix(in srgb, var(--{name}) {percent}%, var(--panel))"


def tint(x: float, largest: float = 1.0) -> str:
    """The colour of a signed number: amber below zero, slate above."""
    return shade("negative" if x < 0 else "positive", abs(x) / largest)


def text(x: float, y: float, words: str, name: str = "quiet", anchor: str = "middle") -> Shape:
    """Words at a point of their base line."""
    return Shape("text", {"x": _round(x), "y": _round(y), "fill": colour(name), "text-anchor": anchor}, words)


def box(x: float, y: float, width: float, height: float, fill: str, line: str = "line", radius: float = 2) -> Shape:
    """A rectangle; `fill` is a colour as `colour` and `shade` write it."""
    size = {"x": _round(x), "y": _round(y), "width": _round(width), "height": _round(height), "rx": radius}
    return Shape("rect", {**size, "fill": fill, "stroke": colour(line)})


def chip(x: float, y: float, word: str, name: str = "ink", fill: str = "chip") -> Picture:
    """A token around its middle, 22 high."""
    width = chip_width(word)
    return box(x - width / 2, y - 11, width, 22, colour(fill), radius=6), text(x, y + 4.5, word, name)


def chip_width(word: str) -> float:
    """How wide the chip of this word is."""
    return LETTER * len(word) + 12


def chips(x: float, y: float, words: Iterable[str], name: str = "ink", gap: float = 5) -> Picture:
    """Tokens side by side around a middle."""
    words = tuple(words)
    at = x - (sum(map(chip_width, words)) + gap * (len(words) - 1)) / 2
    shapes: list[Shape] = []
    for word in words:
        shapes += chip(at + chip_width(word) / 2, y, word, name)
        at += chip_width(word) + gap
    return tuple(shapes)


def middles(x: float, words: Sequence[str], gap: float = 5) -> list[float]:
    """The middle of each of these chips."""
    at = x - (sum(map(chip_width, words)) + gap * (len(words) - 1)) / 2
    result = []
    for word in words:
        result.append(at + chip_width(word) / 2)
        at += chip_width(word) + gap
    return result


def line(x1: float, y1: float, x2: float, y2: float, name: str = "quiet", width: float = 1.5, dash: str = "") -> Shape:
    """A straight line."""
    return path(f"M{_round(x1)} {_round(y1)}L{_round(x2)} {_round(y2)}", name, width, dash)


def path(d: str, name: str = "quiet", width: float = 1.5, dash: str = "") -> Shape:
    """A line along an SVG path."""
    more: dict[str, str | float] = {"stroke-dasharray": dash} if dash else {}
    return Shape(
        "path",
        {"d": d, "fill": "none", "stroke": colour(name), "stroke-width": _round(width), "stroke-linejoin": "round"}
        | more,
    )


def curve(points: Iterable[tuple[float, float]], name: str = "ink", width: float = 2) -> Shape:
    """A line through points."""
    return path("M" + "L".join(f"{_round(x)} {_round(y)}" for x, y in points), name, width)


def arrow(x1: float, y1: float, x2: float, y2: float, name: str = "quiet", width: float = 1.5) -> Picture:
    """An arrow from one point to another."""
    angle = math.atan2(y2 - y1, x2 - x1)
    size = 5 + width
    left, right = ((x2 - size * math.cos(angle + turn), y2 - size * math.sin(angle + turn)) for turn in (0.45, -0.45))
    back = x2 - 0.7 * size * math.cos(angle), y2 - 0.7 * size * math.sin(angle)
    tip = "L".join(f"{_round(x)} {_round(y)}" for x, y in ((x2, y2), left, right))
    return line(x1, y1, *back, name, width), Shape("path", {"d": f"M{tip}Z", "fill": colour(name)})


def dot(x: float, y: float, name: str = "ink", radius: float = 4) -> Shape:
    """A filled circle."""
    return Shape("circle", {"cx": _round(x), "cy": _round(y), "r": radius, "fill": colour(name)})


def grid(
    values: Sequence[Sequence[float | None]], x: float, y: float, cell: float, name: str = "weight", high: float = 0
) -> Picture:
    """Cells from zero to the largest value; None is a cell that is blocked, hatched as nothing else is.

    high  the height of a cell, if it is no square
    """
    high = high or cell
    largest = max((v for row in values for v in row if v is not None), default=1) or 1
    shapes: list[Shape] = []
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            left, top = x + j * cell, y + i * high
            shapes.append(box(left, top, cell, high, shade(name, (value or 0) / largest), radius=0))
            if value is None:
                shapes += _hatched(left, top, cell, high)
    return tuple(shapes)


def _hatched(left: float, top: float, wide: float, high: float) -> list[Shape]:
    """The strokes across a cell that is blocked, which go on in its neighbours."""
    strokes = []
    for share in (0.5, 1, 1.5):
        before, after = max(0, share - 1), min(1, share)
        start = left + before * wide, top + after * high
        end = left + after * wide, top + before * high
        strokes.append(line(*start, *end, "quiet", 0.8))
    return strokes


def signed(values: Sequence[float], x: float, y: float, cell: float, high: float, largest: float = 0) -> Picture:
    """A vector as a row of cells: amber below zero, slate above."""
    largest = largest or max(map(abs, values)) or 1
    return tuple(box(x + n * cell, y, cell, high, tint(v, largest), radius=0) for n, v in enumerate(values))


def bars(
    values: Sequence[float],
    x: float,
    floor: float,
    width: float,
    tallest: float,
    name: str | Sequence[str] = "positive",
    largest: float = 0,
) -> Picture:
    """Bars that stand on a floor, below it where negative; `tallest` pixels for the largest."""
    largest = largest or max(map(abs, values)) or 1
    names = [name] * len(values) if isinstance(name, str) else name
    shapes = []
    for n, value in enumerate(values):
        high = tallest * abs(value) / largest
        top = floor - high if value >= 0 else floor
        shapes.append(box(x + n * width, top, 0.72 * width, max(high, 1), colour(names[n]), names[n], 1))
    return tuple(shapes)


def _round(x: float) -> float:
    return round(x, 1)
