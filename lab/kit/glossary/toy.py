"""The small numbers that the pictures of words are made of, and what several pictures draw."""

import math
from collections.abc import Sequence
from random import Random

from lab.kit.glossary.shapes import Picture, Shape, box, line, path, shade, text

WORDS = ("the", "cat", "sat")
ASK, KEYS = (1.0, 2.0), ((2.0, -1.0), (0.5, 1.5), (1.0, 0.5))  # a query, and the keys of three tokens
# The scores of the last word of the story with these two others in layer 2, head 0 of the model that reads it, divided:
# q · k / √d_k; and last what all others come to together, the logarithm of the sum of e^score. A test has the model
# say so.
STORY_ASKS, STORY_KEYS = "red", ("hat", "ball")
STORY_SCORES = (9.722, 8.603, 2.449)
LOGITS = (2.1, 1.4, 0.6, -0.3, -1.2)  # of five candidates for the next token


def shares_of(scores: Sequence[float], temperature: float = 1.0) -> list[float]:
    """The softmax of these scores, divided by the temperature."""
    powers = [math.exp((score - max(scores)) / temperature) for score in scores]
    return [power / sum(powers) for power in powers]


def product(a: Sequence[float], b: Sequence[float]) -> float:
    """The dot product."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def scores() -> list[float]:
    """The scores of ASK with each of KEYS, divided: q · k / √d_k."""
    return [product(ASK, key) / math.sqrt(len(ASK)) for key in KEYS]


def drawn(n: int, seed: int = 0) -> list[float]:
    """n numbers from a standard normal distribution, always the same ones."""
    random = Random(seed)
    return [random.gauss(0, 1) for _ in range(n)]


def heatmap(n: int, seed: int, *, causal: bool = False) -> list[list[float | None]]:
    """Attention weights of n tokens for drawn scores; None where a causal mask blocks."""
    rows: list[list[float | None]] = []
    for i in range(n):
        seen = i + 1 if causal else n
        rows.append([*shares_of([2 * score for score in drawn(n, seed + i)[:seen]]), *[None] * (n - seen)])
    return rows


def threads(weights: Sequence[float], x1: float, y1: float, x2s: Sequence[float], y2: float) -> Picture:
    """Lines from one point, as thick as the attention weights that they stand for."""
    return tuple(line(x1, y1, x2, y2, "weight", 1 + 7 * w) for x2, w in zip(x2s, weights, strict=True))


def span(left: float, right: float, y: float, name: str) -> Picture:
    """A width with its name below."""
    ends = [line(x, y - 4, x, y + 4) for x in (left, right)]
    return line(left, y, right, y), *ends, text((left + right) / 2, y + 16, name, "ink")


def ring(x: float, y: float, radius: float, name: str = "line") -> Shape:
    """An empty circle."""
    half = f"a{radius} {radius} 0 1 0 "
    return path(f"M{x - radius} {y}{half}{2 * radius} 0{half}{-2 * radius} 0", name)


def coloured(name: str, values: Sequence[float], x: float, y: float) -> Picture:
    """A vector of numbers between −2 and 2 as cells of one colour of the palette, the stronger the larger."""
    return tuple(box(x + 15 * n, y, 15, 16, shade(name, (2 + v) / 4), name, 0) for n, v in enumerate(values))
