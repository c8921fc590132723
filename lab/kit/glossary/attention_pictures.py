"""Pictures of words: attention. No number is drawn that is not computed."""

import math

from lab.kit.glossary.shapes import Picture, arrow, bars, chip, chips, dot, grid, line, middles, path, signed, text
from lab.kit.glossary.toy import (
    ASK,
    KEYS,
    STORY_ASKS,
    STORY_KEYS,
    STORY_SCORES,
    WORDS,
    coloured,
    drawn,
    heatmap,
    product,
    scores,
    shares_of,
    span,
    threads,
)
from lab.kit.words import fixed


def attention() -> Picture:
    at = middles(110, WORDS, 26)
    return (
        *threads(shares_of(scores()), at[2], 72, at, 24),
        *chips(110, 17, WORDS, gap=26),
        *chip(at[2], 80, WORDS[2], "query"),
    )


def query() -> Picture:
    at = middles(110, WORDS, 26)
    rays = [shape for x in at for shape in arrow(at[2], 66, x, 32, "query")]
    return *rays, *chips(110, 19, WORDS, gap=26), *chip(at[2], 79, WORDS[2], "query")


def key() -> Picture:
    at = middles(110, WORDS, 26)
    labels = [shape for x, k in zip(at, KEYS, strict=True) for shape in coloured("key", k, x - 15, 52)]
    return (
        *chips(110, 26, WORDS, gap=26),
        *(line(x, 37, x, 52, "key") for x in at),
        *labels,
        text(110, 90, "one key each", "key"),
    )


def value() -> Picture:
    at = middles(110, WORDS, 26)
    given = [shape for x, k in zip(at, KEYS, strict=True) for shape in coloured("value", k, x - 15, 38)]
    weights = shares_of(scores())
    flows = [line(x, 56, 110, 82, "value", 1 + 7 * w) for x, w in zip(at, weights, strict=True)]
    return *chips(110, 17, WORDS, gap=26), *given, *flows, dot(110, 84, "value", 6)


def score() -> Picture:
    q, k = ASK, KEYS[1]
    return (
        text(58, 26, f"({q[0]:.0f}, {q[1]:.0f})", "query"),
        text(110, 26, "·"),
        text(164, 26, f"({k[0]}, {k[1]})", "key"),
        text(110, 54, f"= {product(q, k)}", "ink"),
        text(110, 82, f"then ÷ √{len(q)} = {fixed(product(q, k) / math.sqrt(len(q)))}", "ink"),
    )


def softmax() -> Picture:
    raw = [3.0, 2.0, -1.0]  # whose shares add up to 1 as they are written, too
    shares = shares_of(raw)
    left = [text(24 + 26 * n, 90, fixed(s, 0), "ink") for n, s in enumerate(raw)]
    right = [text(142 + 30 * n, 90, fixed(s), "ink") for n, s in enumerate(shares)]
    return (
        *bars(raw, 15, 52, 26, 38),
        line(10, 52, 90, 52, "line"),
        *left,
        *arrow(96, 48, 118, 48),
        *bars(shares, 132, 72, 30, 60, "weight"),
        line(126, 72, 216, 72, "line"),
        *right,
    )


def attention_weight() -> Picture:
    weights = shares_of(STORY_SCORES)
    cells = grid([weights], 50, 32, 52, high=30)
    numbers = [text(76 + 52 * n, 82, fixed(w), "ink") for n, w in enumerate(weights)]
    words = [text(76 + 52 * n, 24, word, "key") for n, word in enumerate((*STORY_KEYS, "others"))]
    return *cells, *numbers, *words, text(42, 52, STORY_ASKS, "query", "end")


def head() -> Picture:
    maps = [shape for n in range(3) for shape in grid(heatmap(4, 10 * n), 18 + 66 * n, 8, 14)]
    return *maps, *(text(46 + 66 * n, 84, f"head {n}") for n in range(3))


def d_k() -> Picture:
    cells = signed(drawn(12, 3), 26, 30, 14, 20, 2)
    shapes = [shape for n in range(3) for shape in span(28 + 56 * n, 80 + 56 * n, 64, "d_k")]
    return (
        *cells,
        *(line(26 + 56 * n, 22, 26 + 56 * n, 58, "ink") for n in (1, 2)),
        *shapes,
        text(110, 18, "three heads"),
    )


def self_attention() -> Picture:
    at = middles(110, WORDS, 26)
    arcs = [
        path(f"M{at[a]} 58Q{(at[a] + at[b]) / 2} {58 - 0.55 * abs(at[b] - at[a])} {at[b]} 58", "weight", 2)
        for a, b in ((0, 1), (1, 2), (0, 2))
    ]
    return *arcs, *chips(110, 70, WORDS, gap=26)


def cross_attention() -> Picture:
    source, target = ("a", "red", "ball"), ("un", "ballon")
    at, to = middles(110, source, 22), middles(110, target, 22)
    return (
        *threads(shares_of(scores()), to[1], 68, at, 30),
        *chips(110, 19, source, "key", 22),
        *chips(110, 79, target, "query", 22),
    )


def grouped_query_attention() -> Picture:
    shapes: list = []
    for n in range(4):
        x, shared = 40 + 46 * n, 63 + 92 * (n // 2)
        shapes += [line(x, 32, shared, 62, "quiet"), *chip(x, 21, "q", "query")]
    for x in (63, 155):
        shapes += [*chip(x - 13, 74, "k", "key"), *chip(x + 13, 74, "v", "value")]
    return tuple(shapes)
