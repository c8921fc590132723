"""Pictures of words: word order. No number is drawn that is not computed."""

import math

from lab.kit.glossary.shapes import Picture, arrow, bars, box, chips, line, middles, text, tint
from lab.kit.glossary.toy import WORDS, ring, shares_of


def position() -> Picture:
    at = middles(110, WORDS, 16)
    return *chips(110, 34, WORDS, gap=16), *(text(x, 68, str(n), "ink") for n, x in enumerate(at))


def positional_encoding() -> Picture:
    cells = []
    for p in range(14):
        for pair in range(3):
            angle = p / 10 ** (2 * pair / 3)
            for half, wave in enumerate((math.sin, math.cos)):
                cells.append(box(34 + 12 * p, 6 + 11 * (2 * pair + half), 12, 11, tint(wave(angle)), radius=0))
    return *cells, text(118, 90, "position →")


def rotary() -> Picture:
    shapes: list = []
    for p in range(4):
        x, angle = 34 + 51 * p, -0.7 * p
        shapes.append(ring(x, 40, 22))
        shapes += arrow(x, 40, x + 21 * math.cos(angle), 40 + 21 * math.sin(angle), "query", 2)
        shapes.append(text(x, 84, str(p)))
    return tuple(shapes)


def alibi() -> Picture:
    n, slope = 8, 0.5
    weights = shares_of([-slope * (n - 1 - j) for j in range(n)])  # equal scores, lowered by distance only
    return (
        *bars(weights, 26, 74, 22, 62, "weight"),
        line(20, 74, 200, 74, "line"),
        text(40, 91, "far"),
        text(182, 91, "near"),
    )
