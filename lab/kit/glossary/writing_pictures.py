"""Pictures of words: writing a text. No number is drawn that is not computed."""

import math
from random import Random

from lab.kit.glossary.shapes import (
    Picture,
    arrow,
    bars,
    box,
    chip,
    chip_width,
    chips,
    colour,
    dot,
    line,
    middles,
    shade,
    text,
)
from lab.kit.glossary.toy import LOGITS, WORDS, product, shares_of
from lab.kit.words import fixed


def logit() -> Picture:
    return (
        *bars(LOGITS, 26, 50, 36, 34, ["positive" if x >= 0 else "negative" for x in LOGITS]),
        line(18, 50, 206, 50, "ink", 1),
        *(text(39 + 36 * n, 92, fixed(x, 1), "ink") for n, x in enumerate(LOGITS)),
    )


def _choices(shares, kept) -> Picture:
    """Probabilities; those that cannot be drawn are empty."""
    shapes = [line(18, 80, 206, 80, "line")]
    for n, (share, ok) in enumerate(zip(shares, kept, strict=True)):
        high = max(1, 70 * share / max(shares))
        fill, edge = (colour("positive"), "positive") if ok else (colour("panel"), "quiet")
        shapes.append(box(28 + 36 * n, 80 - high, 26, high, fill, edge, 1))
    return tuple(shapes)


def greedy() -> Picture:
    shares = shares_of(LOGITS)
    best = shares.index(max(shares))
    return (
        *_choices(shares, [True] * len(shares)),
        *arrow(100, 18, 60 + 36 * best, 18, "ink"),
        text(106, 23, "always this", "ink", "start"),
    )


def sampling() -> Picture:
    shares = shares_of(LOGITS)
    chosen = Random(1).random()
    shapes, left = [], 14.0
    for n, p in enumerate(shares):
        shapes.append(box(left, 46, 192 * p, 26, shade("positive", 1 - n / len(shares)), "ground", 0))
        left += 192 * p
    x = 14 + 192 * chosen
    return (
        *shapes,
        *arrow(x, 22, x, 44, "ink", 2),
        text(x, 16, fixed(chosen), "ink"),
        text(14, 90, "0"),
        text(206, 90, "1"),
    )


def temperature() -> Picture:
    shapes: list = []
    for n, t in enumerate((0.5, 1, 2)):
        x = 12 + 70 * n
        shapes += [*bars(shares_of(LOGITS, t), x, 72, 12, 62, largest=1), line(x - 3, 72, x + 60, 72, "line")]
        shapes.append(text(x + 28, 91, f"{t:g}", "ink"))
    return tuple(shapes)


def top_k() -> Picture:
    shares = shares_of(LOGITS)
    kept = [share in sorted(shares)[-2:] for share in shares]
    return *_choices(shares, kept), text(150, 26, f"k = {sum(kept)}", "ink")


def top_p() -> Picture:
    shares, p = shares_of(LOGITS), 0.9
    kept = [sum(shares[:n]) < p for n in range(len(shares))]
    return (
        *_choices(shares, kept),
        text(150, 26, f"p = {p}", "ink"),
        text(150, 46, f"they hold {fixed(product(shares, kept))}"),
    )


def beam_search() -> Picture:
    first, second = [math.log(p) for p in (0.6, 0.4)], [math.log(p) for p in (0.5, 0.3, 0.9, 0.1)]
    whole = [first[n // 2] + x for n, x in enumerate(second)]
    best = set(sorted(range(4), key=whole.__getitem__)[-2:])
    shapes: list = []
    for n in range(2):
        y = 28 + 42 * n
        shapes += [line(28, 49, 88, y, "ink", 2), dot(88, y)]
        for m in (2 * n, 2 * n + 1):
            name, end = ("ink", 14 + 23 * m) if m in best else ("line", 14 + 23 * m)
            shapes += [line(88, y, 148, end, name, 2), dot(148, end, name)]
            shapes.append(text(160, end + 4.5, fixed(math.exp(whole[m])), "ink" if m in best else "quiet", "start"))
    return *shapes, dot(28, 49)


def cache() -> Picture:
    shapes: list = []
    for n, word in enumerate((*WORDS, "on")):
        x, new = 36 + 48 * n, n == 3
        shapes += [
            box(x - 17, 12, 34, 18, shade("key", 0.5) if not new else colour("panel"), "key"),
            box(x - 17, 34, 34, 18, shade("value", 0.5) if not new else colour("panel"), "value"),
            *chip(x, 78, word, "ink" if new else "quiet"),
        ]
    return *shapes, *arrow(180, 66, 180, 54, "ink")


def hallucination() -> Picture:
    told, written = ("mia", "had", "a", "red", "hat"), ("her", "hat", "was", "blue")
    wrong = middles(110, written)[-1]
    half = chip_width(written[-1]) / 2
    return (
        *chips(110, 20, told),
        *arrow(110, 36, 110, 52),
        *chips(110, 70, written),
        line(wrong - half, 78, wrong + half, 62, "negative", 2.5),
    )
