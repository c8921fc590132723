"""Pictures of words: training. No number is drawn that is not computed."""

import math
from random import Random

from lab.kit.glossary.shapes import Picture, arrow, bars, box, chips, colour, curve, dot, line, signed, text
from lab.kit.glossary.toy import drawn, ring, shares_of, span
from lab.kit.words import fixed


def loss() -> Picture:
    points = [(30 + 170 * p, 8 + 17 * -math.log(p)) for p in (n / 60 for n in range(1, 61))]
    flipped = [(x, 76 - (y - 8)) for x, y in points if y - 8 < 70]
    return *_axes("probability of the right answer"), curve(flipped)


def _axes(name: str, foot: float = 77) -> Picture:
    return line(28, 6, 28, foot, "line"), line(28, foot, 206, foot, "line"), text(116, 91, name)


def _valley(x: float) -> float:
    """The height on screen of a parabola with its ground at 120."""
    return 74 - 62 * ((x - 120) / 86) ** 2


def _ground():
    return curve([(x, _valley(x)) for x in range(36, 205, 4)], "quiet")


def gradient() -> Picture:
    at = 66.0
    slope = -2 * 62 * (at - 120) / 86**2  # of _valley, on screen
    return (
        _ground(),
        line(at - 26, _valley(at) - 26 * slope, at + 26, _valley(at) + 26 * slope, "ink", 2),
        dot(at, _valley(at)),
        text(116, 91, "parameter"),
        text(206, 12, "loss", anchor="end"),
    )


def learning_rate() -> Picture:
    x, rate, points = 44.0, 17.0, []
    for _ in range(5):
        points.append((x, _valley(x)))
        x += rate * 2 * 62 * (120 - x) / 86**2
    steps = curve(points, "ink", 1.5), *(dot(*point, radius=3.5) for point in points)
    return _ground(), *steps, text(116, 91, "parameter")


def warm_up() -> Picture:
    steps, warm = range(1, 101), 25
    rates = [min(step**-0.5, step * warm**-1.5) for step in steps]
    points = [(28 + 1.7 * step, 77 - 62 * rate / max(rates)) for step, rate in zip(steps, rates, strict=True)]
    return *_axes("training step"), curve(points), line(28 + 1.7 * warm, 77, 28 + 1.7 * warm, 14, "line", 1.5, "3 3")


def training_step() -> Picture:
    points = [(64.0, _valley(64)), (92.0, _valley(92))]
    return (
        _ground(),
        dot(*points[0], "quiet"),
        *arrow(*points[0], *points[1], "ink", 2),
        text(116, 91, "parameter"),
        text(206, 12, "loss", anchor="end"),
    )


def batch() -> Picture:
    rows = (("she", "ran"), ("a", "red", "ball"), ("the", "cat", "sat"))
    return tuple(shape for n, row in enumerate(rows) for shape in chips(110, 17 + 30 * n, row))


def epoch() -> Picture:
    texts = [box(24 + 26 * n, 28, 20, 28, colour("chip"), radius=3) for n in range(7)]
    lines = [line(28 + 26 * n, y, 40 + 26 * n, y, "quiet", 1) for n in range(7) for y in (36, 42, 48)]
    return *texts, *lines, *arrow(22, 72, 200, 72, "ink"), text(110, 92, "every text once")


def dropout() -> Picture:
    random = Random(2)
    values = drawn(20, 6)
    kept = [x * (random.random() > 0.3) for x in values]
    tables = [
        shape
        for left, v in ((14, values), (136, kept))
        for n in range(4)
        for shape in signed(v[5 * n : 5 * n + 5], left, 8 + 18 * n, 14, 18, 2)
    ]
    return *tables, *arrow(92, 44, 128, 44)


def validation() -> Picture:
    shapes: list = []
    for n in range(8):
        left, is_seen = 14 + 25 * n, n < 6
        shapes.append(box(left, 18, 19, 34, colour("chip" if is_seen else "panel"), "line" if is_seen else "ink", 3))
        shapes += [line(left + 4, y, left + 15, y, "quiet", 1) for y in (27, 35, 43)]
    return *shapes, *span(14, 158, 66, "trains on"), *span(164, 208, 66, "tested")


def overfitting() -> Picture:
    """A polynomial through every training point, by Lagrange, which misses the unseen one between them."""
    seen = [(36.0, 64.0), (70.0, 36.0), (104.0, 56.0), (138.0, 26.0), (172.0, 46.0), (200.0, 14.0)]

    def fitted(x: float) -> float:
        return sum(y * math.prod((x - other) / (at - other) for other, _ in seen if other != at) for at, y in seen)

    points = [(x, fitted(x)) for x in range(36, 201, 2)]
    return (
        curve([(x, max(2, min(94, y))) for x, y in points], "quiet"),
        *(dot(*point, "ink") for point in seen),
        ring(186, 33, 4, "ink"),
        text(52, 90, "● seen", "ink"),
        text(140, 90, "○ unseen", "ink"),
    )


def fine_tuning() -> Picture:
    """Two descents of the same valley with as many steps each: from far off, and from where a model is trained."""
    shapes: list = [_ground()]
    for start, name, says, x in ((40.0, "quiet", "from scratch", 46), (94.0, "ink", "trained", 96)):
        at, points = start, list[tuple[float, float]]()
        for _ in range(3):
            points.append((at, _valley(at)))
            at += 6 * 2 * 62 * (120 - at) / 86**2
        shapes += [*(dot(*point, name=name, radius=3.5) for point in points), text(x, 91, says, name)]
    return *shapes, text(206, 12, "loss", anchor="end")


_B, _A = (0.9, -0.5, 1.4, -1.0), (1.2, -0.8, 0.5, 1.0, -1.3)  # a column and a row


def _outer(x: float, y: float, cell: float) -> list:
    """The product of _B and _A."""
    largest = max(abs(b * a) for b in _B for a in _A)
    return [
        part for n, b in enumerate(_B) for part in signed([b * a for a in _A], x, y + cell * n, cell, cell, largest)
    ]


def lora() -> Picture:
    frozen = [part for n in range(4) for part in signed(drawn(5, 60 + n), 12, 14 + 15 * n, 15, 15, 2)]
    column = [part for n, b in enumerate(_B) for part in signed([b], 116, 14 + 15 * n, 15, 15, 1.5)]
    return (
        *frozen,
        text(49, 91, "frozen"),
        text(102, 48, "+", "ink"),
        *column,
        text(123, 91, "B", "ink"),
        *signed(_A, 140, 36, 15, 15, 1.5),
        text(177, 91, "A", "ink"),
    )


def matrix_rank() -> Picture:
    column = [part for n, b in enumerate(_B) for part in signed([b], 14, 24 + 15 * n, 15, 15, 1.5)]
    return (
        *column,
        *signed(_A, 34, 5, 15, 15, 1.5),
        *_outer(34, 24, 15),
        text(164, 50, "every row", "ink"),
        text(164, 68, "the same mixture"),
    )


def scaling_law() -> Picture:
    """Losses that fall by the same factor with every tenfold size, on two logarithmic axes."""
    exponent = 0.15
    losses = [(10**decade) ** -exponent for decade in range(5)]
    points = [(44 + 38 * n, 14 - 13 * math.log10(loss) / exponent) for n, loss in enumerate(losses)]
    return (
        *_axes("size, each mark tenfold"),
        curve(points, "quiet"),
        *(dot(*point) for point in points),
        text(206, 12, "loss", anchor="end"),
    )


def perplexity() -> Picture:
    n = 4
    nats = -math.log(1 / n)
    says = text(178, 34, f"loss {fixed(nats)}", "ink"), text(178, 58, f"e^loss {fixed(math.exp(nats), 0)}", "ink")
    return *bars([1 / n] * n, 30, 64, 26, 44), line(24, 64, 138, 64, "line"), text(80, 86, f"{n} equal chances"), *says


def entropy() -> Picture:
    shapes: list = []
    for x, shares in ((16, [0.94, 0.02, 0.02, 0.02]), (124, [0.25] * 4)):
        bits = -sum(p * math.log2(p) for p in shares)
        shapes += [*bars(shares, x, 66, 20, 58, largest=1), line(x - 4, 66, x + 80, 66, "line")]
        shapes.append(text(x + 38, 88, f"{fixed(bits)} bits", "ink"))
    return tuple(shapes)


def baseline() -> Picture:
    shares = shares_of([2.0, 0.2, 0.6, 1.1, 0.1])
    chance = 1 / len(shares)
    floor, tallest = 78, 64
    y = floor - tallest * chance / max(shares)
    return (
        *bars(shares, 16, floor, 22, tallest),
        line(8, floor, 132, floor, "line"),
        line(8, y, 132, y, "ink", 1.5, "4 3"),
        text(138, y + 4, f"chance {fixed(chance, 1)}", "ink", "start"),
    )
