"""Pictures of words: from text to numbers. No number is drawn that is not computed."""

import math
from itertools import pairwise

from lab.kit.glossary.shapes import Picture, arrow, box, chip, chips, colour, grid, line, middles, shade, signed, text
from lab.kit.glossary.toy import WORDS, drawn, product, span
from lab.kit.words import fixed


def token() -> Picture:
    return (
        text(110, 26, "unbelievable!", "ink"),
        *arrow(110, 34, 110, 50),
        *chips(110, 68, ("un", "believ", "able", "!")),
    )


def special_token() -> Picture:
    words = ("⟨start⟩", "go", "⟨end⟩")
    at = middles(110, words)
    shapes = [
        shape
        for x, word in zip(at, words, strict=True)
        for shape in chip(x, 44, word, *(("ground", "ink") if word[0] == "⟨" else ()))
    ]
    return *shapes, text(at[0], 76, "begins"), text(at[2], 76, "ends")


def patch() -> Picture:
    """A disc of six by six pixels, and the same in four patches."""
    pixels = [[float((i - 2.5) ** 2 + (j - 2.5) ** 2 < 7) for j in range(6)] for i in range(6)]
    whole = grid(pixels, 18, 12, 12, "positive")
    parts = [
        shape
        for i in (0, 3)
        for j in (0, 3)
        for shape in grid([row[j : j + 3] for row in pixels[i : i + 3]], 124 + 14 * j, 6 + 14 * i, 12, "positive")
    ]
    return *whole, *arrow(96, 48, 116, 48), *parts


def class_token() -> Picture:
    others = [box(112 + 32 * n, 50, 22, 22, shade("positive", 0.3 + 0.3 * n)) for n in range(3)]
    return (
        *chip(62, 61, "class", "ground", "ink"),
        *others,
        *arrow(62, 46, 62, 26, "ink", 2),
        text(62, 18, "the answer", "ink"),
        text(156, 90, "patches or words"),
    )


def vocabulary() -> Picture:
    words = ("a", "cat", "red", "sat")
    rows = [
        (text(86, 20 + 20 * n, str(n), anchor="end"), text(102, 20 + 20 * n, word, "ink", "start"))
        for n, word in enumerate(words)
    ]
    return (
        box(60, 3, 100, 84, colour("panel"), radius=6),
        *(shape for row in rows for shape in row),
        line(92, 3, 92, 87, "line"),
    )


def byte_pair_encoding() -> Picture:
    pieces: list[str] = list("banana")
    rows: list[tuple[str, ...]] = [tuple(pieces)]
    for _ in range(2):
        pairs = [*pairwise(pieces)]
        best = max(dict.fromkeys(pairs), key=pairs.count)
        joined: list[str] = []
        for piece in pieces:
            if joined and (joined[-1], piece) == best:
                joined[-1] += piece
            else:
                joined.append(piece)
        pieces = joined
        rows.append(tuple(pieces))
    return tuple(shape for n, row in enumerate(rows) for shape in chips(110, 17 + 31 * n, row, gap=4))


def vector() -> Picture:
    x, y = 3.0, 2.0
    foot, size = (128, 82), 22
    return (
        text(60, 52, f"[{x:.0f}, {y:.0f}]", "ink"),
        line(foot[0], foot[1], foot[0] + 82, foot[1], "line"),
        line(foot[0], foot[1], foot[0], 10, "line"),
        *arrow(*foot, foot[0] + size * x, foot[1] - size * y, "ink", 2),
    )


def dot_product() -> Picture:
    a, b = (1, 2, 3), (2, 0, 1)
    terms = " + ".join(f"{x}·{y}" for x, y in zip(a, b, strict=True))
    cells = [text(74 + 36 * n, y, str(v), "ink") for row, y in ((a, 24), (b, 50)) for n, v in enumerate(row)]
    frames = [box(56, y, 108, 22, colour("chip"), radius=6) for y in (8, 34)]
    return *frames, *cells, text(110, 82, f"{terms} = {product(a, b)}", "ink")


def cosine_similarity() -> Picture:
    shapes: list = []
    for x, angle in ((40, 20), (112, 90), (184, 160)):
        for turn, name in ((0, "quiet"), (angle, "ink")):
            middle = x - 18 if angle < 60 else x - 8 if angle == 90 else x
            radians = math.radians(turn)
            shapes += arrow(middle, 62, middle + 32 * math.cos(radians), 62 - 32 * math.sin(radians), name, 2)
        shapes.append(text(x, 86, fixed(math.cos(math.radians(angle))), "ink"))
    return tuple(shapes)


def embedding() -> Picture:
    rows = [drawn(6, seed) for seed in range(4)]
    table = [shape for n, row in enumerate(rows) for shape in signed(row, 118, 9 + 20 * n, 15, 18, 2)]
    return *chip(44, 58, "cat"), *arrow(68, 58, 112, 58), *table, box(117, 48, 92, 20, "none", "ink")


def d_model() -> Picture:
    rows = [signed(drawn(9, 4 + n), 70, 10 + 20 * n, 14, 16, 2) for n in range(3)]
    words = [text(60, 23 + 20 * n, word, "ink", "end") for n, word in enumerate(WORDS)]
    return *words, *(shape for row in rows for shape in row), *span(70, 196, 76, "d_model")
