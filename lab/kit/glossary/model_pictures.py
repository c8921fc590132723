"""Pictures of words: the parts of a model. No number is drawn that is not computed."""

import math

from lab.kit.glossary.shapes import Picture, arrow, bars, box, chip, colour, curve, dot, grid, line, signed, text
from lab.kit.glossary.toy import WORDS, drawn, heatmap, shares_of

ROUTER_SCORES = (0.4, 1.9, -0.6, 1.2)  # of one token, for four experts


def encoder() -> Picture:
    return _model_and_map("encoder", heatmap(4, 20), "sees all")


def decoder() -> Picture:
    return _model_and_map("decoder", heatmap(4, 20, causal=True), "sees the past")


def _model_and_map(name, weights, says) -> Picture:
    return (
        box(16, 28, 84, 36, colour("chip"), radius=8),
        text(58, 50, name, "ink"),
        *arrow(58, 92, 58, 68),
        *arrow(58, 26, 58, 6),
        *grid(weights, 138, 8, 15),
        text(168, 88, says),
    )


def memory() -> Picture:
    rows = [signed(drawn(4, 30 + n), 92 + 34 * n, 24, 7, 44, 2) for n in range(3)]
    return (
        box(6, 28, 66, 36, colour("chip"), radius=8),
        text(39, 50, "encoder", "ink"),
        *arrow(73, 46, 90, 46),
        *(shape for row in rows for shape in row),
        text(140, 88, "one vector per token"),
    )


def layer() -> Picture:
    parts = ((62, "attention"), (22, "feed-forward"))
    boxes = [
        shape
        for y, name in parts
        for shape in (
            box(94, y - 14, 116, 28, colour("chip"), radius=8),
            text(152, y + 4.5, name, "ink"),
            *arrow(92, y - 9, 54, y - 13),
            line(52, y + 10, 94, y + 6),
        )
    ]
    return *arrow(50, 92, 50, 4, "ink", 2), *boxes


def residual_stream() -> Picture:
    shapes: list = []
    for n in range(3):
        x = 48 + 62 * n
        shapes += arrow(x, 92, x, 6, "ink", 2)
        for y in (66, 34):
            shapes += [text(x + 20, y + 5, "+", "ink"), *arrow(x + 14, y, x + 3, y - 2)]
    return tuple(shapes)


def _picked() -> list[int]:
    """The two experts with the largest scores."""
    return sorted(range(len(ROUTER_SCORES)), key=lambda n: -ROUTER_SCORES[n])[:2]


def mixture_of_experts() -> Picture:
    shapes: list = []
    for n in range(len(ROUTER_SCORES)):
        x, is_picked = 35 + 50 * n, n in _picked()
        shapes += arrow(110, 78, x, 46, "ink", 2) if is_picked else (line(110, 78, x, 46, "line", 1, "3 3"),)
        shapes.append(box(x - 20, 12, 40, 32, colour("chip" if is_picked else "panel"), "ink" if is_picked else "line"))
        shapes.append(text(x, 33, str(n), "ink" if is_picked else "quiet"))
    return *shapes, *chip(110, 84, "token")


def router() -> Picture:
    shares = shares_of(ROUTER_SCORES)
    names = ["ink" if n in _picked() else "quiet" for n in range(len(shares))]
    labels = [text(44 + 42 * n, 91, f"expert {n}" if n == 0 else str(n), names[n]) for n in range(len(shares))]
    return *bars(shares, 29, 74, 42, 62, names), line(20, 74, 200, 74, "line"), *labels


def _chain(y: float) -> list:
    """Three boxes, each of which hands on what it knows and reads a word."""
    shapes: list = []
    for n, word in enumerate(WORDS):
        x = 40 + 70 * n
        shapes += [box(x - 20, y, 40, 28, colour("chip"), radius=8), *arrow(x, 76, x, y + 31), text(x, 90, word, "ink")]
        shapes += arrow(x + 21, y + 14, x + 48, y + 14, "ink", 2) if n < len(WORDS) - 1 else ()
    return shapes


def recurrent_network() -> Picture:
    return tuple(_chain(24))


def lstm() -> Picture:
    gates = [dot(40 + 70 * n, 16, "ink", 5) for n in range(len(WORDS))]
    ties = [line(40 + 70 * n, 16, 40 + 70 * n, 34) for n in range(len(WORDS))]
    return *arrow(8, 16, 214, 16, "ink", 2), *ties, *gates, *_chain(34)


def layer_norm() -> Picture:
    before = [3.0, 5.0, 2.0, 6.0]
    mean = sum(before) / len(before)
    spread = math.sqrt(sum((x - mean) ** 2 for x in before) / len(before))
    return _before_after(before, [(x - mean) / spread for x in before], "mean 0")


def rms_norm() -> Picture:
    before = [3.0, 5.0, 2.0, 6.0]
    root = math.sqrt(sum(x * x for x in before) / len(before))
    return _before_after(before, [x / root for x in before], "same zero")


def _before_after(before, after, says) -> Picture:
    return (
        *bars(before, 14, 70, 20, 60, largest=6),
        line(8, 70, 96, 70, "ink", 1),
        *arrow(100, 44, 122, 44),
        *bars(after, 136, 50, 20, 30 * max(after) / 1.5, ["positive" if x >= 0 else "negative" for x in after]),
        line(130, 50, 216, 50, "ink", 1),
        text(172, 92, says),
    )


def feed_forward() -> Picture:
    bend = [(104 + 3 * n, 54 - 3 * max(0, n - 3) - 4) for n in range(10)]  # ReLU
    return (
        *signed(drawn(4, 1), 12, 36, 12, 22, 2),
        *arrow(64, 47, 84, 47),
        box(88, 12, 56, 70, colour("chip"), radius=8),
        curve(bend, "ink"),
        *arrow(148, 47, 166, 47),
        *signed(drawn(4, 2), 170, 36, 11, 22, 2),
    )


def d_ff() -> Picture:
    narrow, wide = drawn(4, 1), drawn(16, 5)
    return (
        *signed(narrow, 86, 76, 12, 14, 2),
        *signed(wide, 14, 42, 12, 16, 2),
        *signed(narrow, 86, 8, 12, 14, 2),
        line(86, 76, 14, 58, "line"),
        line(134, 76, 206, 58, "line"),
        line(14, 42, 86, 22, "line"),
        line(206, 42, 134, 22, "line"),
        text(180, 26, "d_ff", "ink"),
    )


def hyperparameter() -> Picture:
    return (
        text(34, 30, "layers", anchor="start"),
        text(34, 70, "heads", anchor="start"),
        line(98, 26, 190, 26, "line", 3),
        dot(144, 26, "ink", 7),
        line(98, 66, 190, 66, "line", 3),
        dot(121, 66, "ink", 7),
    )


def parameter() -> Picture:
    before, change = drawn(18, 8), drawn(18, 9)
    after = [x + 0.6 * y for x, y in zip(before, change, strict=True)]
    tables = [
        shape
        for left, v in ((16, before), (128, after))
        for n in range(3)
        for shape in signed(v[6 * n : 6 * n + 6], left, 12 + 18 * n, 13, 18, 2)
    ]
    return *tables, *arrow(98, 39, 124, 39), text(55, 86, "before"), text(167, 86, "after training")


def untrained() -> Picture:
    rows = [shape for n in range(4) for shape in signed(drawn(9, 40 + n), 48, 8 + 17 * n, 14, 17, 2)]
    return *rows, text(110, 91, "random")
