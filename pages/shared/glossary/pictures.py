"""A picture for every word, out of small numbers that are worked out here: no number is drawn that was not computed."""

import math
from random import Random

from pages.shared.glossary.shapes import (
    Picture,
    arrow,
    bars,
    box,
    chip,
    chip_width,
    chips,
    colour,
    curve,
    dot,
    grid,
    line,
    middles,
    number,
    path,
    shade,
    signed,
    text,
    tint,
)

WORDS = ("the", "cat", "sat")
ASK, KEYS = (1.0, 2.0), ((2.0, -1.0), (0.5, 1.5), (1.0, 0.5))  # a query, and the keys of three tokens
LOGITS = (2.1, 1.4, 0.6, -0.3, -1.2)  # of five candidates for the next token


# ---- the arithmetic ------------------------------------------------------------------------------------------------


def _softmax(scores, temperature=1.0):
    powers = [math.exp((score - max(scores)) / temperature) for score in scores]
    return [power / sum(powers) for power in powers]


def _dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def _scores():
    return [_dot(ASK, key) / math.sqrt(len(ASK)) for key in KEYS]


def _draw(n, seed=0):
    random = Random(seed)
    return [random.gauss(0, 1) for _ in range(n)]


def _map(n, seed, *, causal=False):
    """Attention weights of n tokens for drawn scores; None where a causal mask blocks."""
    rows = []
    for i in range(n):
        scores = [2 * score for score in _draw(n, seed + i)]
        seen = i + 1 if causal else n
        rows.append([*_softmax(scores[:seen]), *[None] * (n - seen)])
    return rows


def _threads(weights, x1, y1, x2s, y2):
    """Lines from one point, as thick as the attention weights that they stand for."""
    return tuple(line(x1, y1, x2, y2, "weight", 1 + 7 * w) for x2, w in zip(x2s, weights, strict=True))


# ---- from text to numbers ------------------------------------------------------------------------------------------


def token() -> Picture:
    return (
        text(110, 26, "unbelievable!", "ink"),
        *arrow(110, 34, 110, 50),
        *chips(110, 68, ("un", "believ", "able", "!")),
    )


def special_token() -> Picture:
    words = ("⟨start⟩", "go", "⟨end⟩")
    at = middles(110, words)
    shapes = [shape for x, word in zip(at, words, strict=True)
              for shape in chip(x, 44, word, *(("ground", "ink") if word[0] == "⟨" else ()))]  # fmt: skip
    return *shapes, text(at[0], 76, "begins"), text(at[2], 76, "ends")


def vocabulary() -> Picture:
    words = ("a", "cat", "red", "sat")
    rows = [(text(86, 20 + 20 * n, str(n), anchor="end"), text(102, 20 + 20 * n, word, "ink", "start"))
            for n, word in enumerate(words)]  # fmt: skip
    return (
        box(60, 3, 100, 84, colour("panel"), radius=6),
        *(shape for row in rows for shape in row),
        line(92, 3, 92, 87, "line"),
    )


def byte_pair_encoding() -> Picture:
    pieces = list("banana")
    rows = [tuple(pieces)]
    for _ in range(2):
        pairs = [*zip(pieces, pieces[1:], strict=False)]
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
    return *frames, *cells, text(110, 82, f"{terms} = {_dot(a, b)}", "ink")


def cosine_similarity() -> Picture:
    shapes: list = []
    for x, angle in ((40, 20), (112, 90), (184, 160)):
        for turn, name in ((0, "quiet"), (angle, "ink")):
            middle = x - 18 if angle < 60 else x - 8 if angle == 90 else x
            radians = math.radians(turn)
            shapes += arrow(middle, 62, middle + 32 * math.cos(radians), 62 - 32 * math.sin(radians), name, 2)
        shapes.append(text(x, 86, number(math.cos(math.radians(angle))), "ink"))
    return tuple(shapes)


def embedding() -> Picture:
    rows = [_draw(6, seed) for seed in range(4)]
    table = [shape for n, row in enumerate(rows) for shape in signed(row, 118, 9 + 20 * n, 15, 18, 2)]
    return *chip(44, 58, "cat"), *arrow(68, 58, 112, 58), *table, box(117, 48, 92, 20, "none", "ink")


def d_model() -> Picture:
    rows = [signed(_draw(9, 4 + n), 70, 10 + 20 * n, 14, 16, 2) for n in range(3)]
    words = [text(60, 23 + 20 * n, word, "ink", "end") for n, word in enumerate(WORDS)]
    return *words, *(shape for row in rows for shape in row), *_span(70, 196, 76, "d_model")


def _span(left, right, y, name) -> Picture:
    """A width with its name below."""
    return (
        line(left, y, right, y),
        line(left, y - 4, left, y + 4),
        line(right, y - 4, right, y + 4),
        text((left + right) / 2, y + 16, name, "ink"),
    )


# ---- word order ----------------------------------------------------------------------------------------------------


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
        shapes.append(_ring(x, 40, 22))
        shapes += arrow(x, 40, x + 21 * math.cos(angle), 40 + 21 * math.sin(angle), "query", 2)
        shapes.append(text(x, 84, str(p)))
    return tuple(shapes)


def _ring(x, y, radius, name="line"):
    return path(
        f"M{x - radius} {y}a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 {-2 * radius} 0", name
    )


def alibi() -> Picture:
    n, slope = 8, 0.5
    weights = _softmax([-slope * (n - 1 - j) for j in range(n)])  # equal scores, lowered by distance only
    return (
        *bars(weights, 26, 74, 22, 62, "weight"),
        line(20, 74, 200, 74, "line"),
        text(40, 91, "far"),
        text(182, 91, "near"),
    )


# ---- attention -----------------------------------------------------------------------------------------------------


def attention() -> Picture:
    at = middles(110, WORDS, 26)
    return (
        *_threads(_softmax(_scores()), at[2], 72, at, 24),
        *chips(110, 17, WORDS, gap=26),
        *chip(at[2], 80, WORDS[2], "query"),
    )


def query() -> Picture:
    at = middles(110, WORDS, 26)
    rays = [shape for x in at for shape in arrow(at[2], 66, x, 32, "query")]
    return *rays, *chips(110, 19, WORDS, gap=26), *chip(at[2], 79, WORDS[2], "query")


def key() -> Picture:
    at = middles(110, WORDS, 26)
    labels = [shape for x, k in zip(at, KEYS, strict=True) for shape in signed_in("key", k, x - 15, 52)]
    return (
        *chips(110, 26, WORDS, gap=26),
        *(line(x, 37, x, 52, "key") for x in at),
        *labels,
        text(110, 90, "one key each", "key"),
    )


def signed_in(name: str, values, x: float, y: float) -> Picture:
    """A vector as cells of one colour of the palette, the stronger the larger."""
    return tuple(box(x + 15 * n, y, 15, 16, shade(name, (2 + v) / 4), name, 0) for n, v in enumerate(values))


def value() -> Picture:
    at = middles(110, WORDS, 26)
    given = [shape for x, k in zip(at, KEYS, strict=True) for shape in signed_in("value", k, x - 15, 38)]
    weights = _softmax(_scores())
    flows = [line(x, 56, 110, 82, "value", 1 + 7 * w) for x, w in zip(at, weights, strict=True)]
    return *chips(110, 17, WORDS, gap=26), *given, *flows, dot(110, 84, "value", 6)


def score() -> Picture:
    q, k = ASK, KEYS[1]
    return (
        text(58, 26, f"({q[0]:.0f}, {q[1]:.0f})", "query"),
        text(110, 26, "·"),
        text(164, 26, f"({k[0]}, {k[1]})", "key"),
        text(110, 54, f"= {_dot(q, k)}", "ink"),
        text(110, 82, f"÷ √{len(q)} = {number(_dot(q, k) / math.sqrt(len(q)))}", "ink"),
    )


def softmax() -> Picture:
    scores = [2.0, 1.0, -1.0]
    shares = _softmax(scores)
    left = [text(24 + 26 * n, 90, number(s, 0), "ink") for n, s in enumerate(scores)]
    right = [text(142 + 30 * n, 90, number(s), "ink") for n, s in enumerate(shares)]
    return (
        *bars(scores, 15, 52, 26, 38), line(10, 52, 90, 52, "line"), *left,
        *arrow(96, 48, 118, 48),
        *bars(shares, 132, 72, 30, 60, "weight"), line(126, 72, 216, 72, "line"), *right,
    )  # fmt: skip


def attention_weight() -> Picture:
    weights = _softmax(_scores())
    cells = grid([weights], 56, 32, 44, high=30)
    numbers = [text(78 + 44 * n, 82, number(w), "ink") for n, w in enumerate(weights)]
    words = [text(78 + 44 * n, 24, word, "key") for n, word in enumerate(WORDS)]
    return *cells, *numbers, *words, text(48, 52, WORDS[2], "query", "end")


def head() -> Picture:
    maps = [shape for n in range(3) for shape in grid(_map(4, 10 * n), 18 + 66 * n, 8, 14)]
    return *maps, *(text(46 + 66 * n, 84, f"head {n}") for n in range(3))


def d_k() -> Picture:
    cells = signed(_draw(12, 3), 26, 30, 14, 20, 2)
    shapes = [shape for n in range(3) for shape in _span(28 + 56 * n, 80 + 56 * n, 64, "d_k")]
    return (
        *cells,
        *(line(26 + 56 * n, 22, 26 + 56 * n, 58, "ink") for n in (1, 2)),
        *shapes,
        text(110, 18, "three heads"),
    )


def self_attention() -> Picture:
    at = middles(110, WORDS, 26)
    arcs = [path(f"M{at[a]} 58Q{(at[a] + at[b]) / 2} {58 - 0.55 * abs(at[b] - at[a])} {at[b]} 58", "weight", 2)
            for a, b in ((0, 1), (1, 2), (0, 2))]  # fmt: skip
    return *arcs, *chips(110, 70, WORDS, gap=26)


def cross_attention() -> Picture:
    source, target = ("a", "red", "ball"), ("un", "ballon")
    at, to = middles(110, source, 22), middles(110, target, 22)
    return (
        *_threads(_softmax(_scores()), to[1], 68, at, 30),
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


# ---- who may look at whom ------------------------------------------------------------------------------------------


def mask() -> Picture:
    weights: list = _map(5, 7)
    for i, j in ((0, 3), (1, 4), (3, 0), (4, 1), (2, 2)):
        weights[i][j] = None
    return (
        *grid(weights, 28, 6, 16),
        text(122, 34, "hatched:", "ink", "start"),
        text(122, 54, "may not look", "quiet", "start"),
    )


def causal_mask() -> Picture:
    weights = _map(5, 3, causal=True)
    return (
        *grid(weights, 28, 6, 16),
        text(122, 34, "hatched:", "ink", "start"),
        text(122, 54, "the future", "quiet", "start"),
    )


def padding() -> Picture:
    shapes: list = []
    for y, words in ((20, ("she", "ran")), (50, ("the", "cat", "sat"))):
        at = 40.0
        for word in (*words, *["pad"] * (3 - len(words))):
            width = chip_width("pad")
            quiet = ("quiet", "panel") if word == "pad" else ()
            shapes += chip(at + width / 2, y, word, *quiet)
            at += width + 14
    return *shapes, text(110, 86, "a batch of two texts")


# ---- the parts of a model ------------------------------------------------------------------------------------------


def encoder() -> Picture:
    return _model_and_map("encoder", _map(4, 20), "sees all")


def decoder() -> Picture:
    return _model_and_map("decoder", _map(4, 20, causal=True), "sees the past")


def _model_and_map(name, weights, says) -> Picture:
    return (
        box(16, 28, 84, 36, colour("chip"), radius=8), text(58, 50, name, "ink"),
        *arrow(58, 92, 58, 68), *arrow(58, 26, 58, 6),
        *grid(weights, 138, 8, 15), text(168, 88, says),
    )  # fmt: skip


def memory() -> Picture:
    rows = [signed(_draw(4, 30 + n), 92 + 34 * n, 24, 7, 44, 2) for n in range(3)]
    return (
        box(6, 28, 66, 36, colour("chip"), radius=8), text(39, 50, "encoder", "ink"), *arrow(73, 46, 90, 46),
        *(shape for row in rows for shape in row), text(140, 88, "one vector per token"),
    )  # fmt: skip


def layer() -> Picture:
    parts = ((62, "attention"), (22, "feed-forward"))
    boxes = [shape for y, name in parts
             for shape in (box(94, y - 14, 116, 28, colour("chip"), radius=8), text(152, y + 4.5, name, "ink"),
                           *arrow(92, y - 9, 54, y - 13), line(52, y + 10, 94, y + 6))]  # fmt: skip
    return *arrow(50, 92, 50, 4, "ink", 2), *boxes


def residual_stream() -> Picture:
    shapes: list = []
    for n in range(3):
        x = 48 + 62 * n
        shapes += arrow(x, 92, x, 6, "ink", 2)
        for y in (66, 34):
            shapes += [text(x + 20, y + 5, "+", "ink"), *arrow(x + 14, y, x + 3, y - 2)]
    return tuple(shapes)


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
        *bars(before, 14, 70, 20, 60, largest=6), line(8, 70, 96, 70, "ink", 1), *arrow(100, 44, 122, 44),
        *bars(after, 136, 50, 20, 30 * max(after) / 1.5, ["positive" if x >= 0 else "negative" for x in after]),
        line(130, 50, 216, 50, "ink", 1), text(172, 92, says),
    )  # fmt: skip


def feed_forward() -> Picture:
    bend = [(104 + 3 * n, 54 - 3 * max(0, n - 3) - 4) for n in range(10)]  # ReLU
    return (
        *signed(_draw(4, 1), 12, 36, 12, 22, 2), *arrow(64, 47, 84, 47), box(88, 12, 56, 70, colour("chip"), radius=8),
        curve(bend, "ink"), *arrow(148, 47, 166, 47), *signed(_draw(4, 2), 170, 36, 11, 22, 2),
    )  # fmt: skip


def d_ff() -> Picture:
    narrow, wide = _draw(4, 1), _draw(16, 5)
    return (
        *signed(narrow, 86, 76, 12, 14, 2), *signed(wide, 14, 42, 12, 16, 2), *signed(narrow, 86, 8, 12, 14, 2),
        line(86, 76, 14, 58, "line"), line(134, 76, 206, 58, "line"),
        line(14, 42, 86, 22, "line"), line(206, 42, 134, 22, "line"), text(180, 26, "d_ff", "ink"),
    )  # fmt: skip


def hyperparameter() -> Picture:
    return (
        text(34, 30, "layers", anchor="start"), text(34, 70, "heads", anchor="start"),
        line(98, 26, 190, 26, "line", 3), dot(144, 26, "ink", 7), line(98, 66, 190, 66, "line", 3), dot(121, 66, "ink", 7),
    )  # fmt: skip


def parameter() -> Picture:
    before, change = _draw(18, 8), _draw(18, 9)
    after = [x + 0.6 * y for x, y in zip(before, change, strict=True)]
    tables = [shape for left, v in ((16, before), (128, after)) for n in range(3)
              for shape in signed(v[6 * n : 6 * n + 6], left, 12 + 18 * n, 13, 18, 2)]  # fmt: skip
    return *tables, *arrow(98, 39, 124, 39), text(55, 86, "before"), text(167, 86, "after training")


def untrained() -> Picture:
    rows = [shape for n in range(4) for shape in signed(_draw(9, 40 + n), 48, 8 + 17 * n, 14, 17, 2)]
    return *rows, text(110, 91, "random")


# ---- training ------------------------------------------------------------------------------------------------------


def loss() -> Picture:
    points = [(30 + 170 * p, 8 + 17 * -math.log(p)) for p in (n / 60 for n in range(1, 61))]
    flipped = [(x, 82 - (y - 8)) for x, y in points if y - 8 < 76]
    return *_axes("probability of the right answer"), curve(flipped)


def _axes(name: str, foot: float = 80) -> Picture:
    return line(28, 6, 28, foot, "line"), line(28, foot, 206, foot, "line"), text(116, 94, name)


def _valley(x: float) -> float:
    """The height on screen of a parabola with its ground at 120."""
    return 74 - 62 * ((x - 120) / 86) ** 2


def gradient() -> Picture:
    at = 66.0
    slope = -2 * 62 * (at - 120) / 86**2  # of _valley, on screen
    return (
        curve([(x, _valley(x)) for x in range(36, 205, 4)], "quiet"),
        line(at - 26, _valley(at) - 26 * slope, at + 26, _valley(at) + 26 * slope, "ink", 2), dot(at, _valley(at)),
        text(116, 94, "parameter"), text(206, 12, "loss", anchor="end"),
    )  # fmt: skip


def learning_rate() -> Picture:
    shapes: list = [curve([(x, _valley(x)) for x in range(36, 205, 4)], "quiet")]
    x, rate, points = 44.0, 17.0, []
    for _ in range(5):
        points.append((x, _valley(x)))
        x += rate * 2 * 62 * (120 - x) / 86**2
    return (
        *shapes,
        curve(points, "ink", 1.5),
        *(dot(*point, radius=3.5) for point in points),
        text(116, 94, "parameter"),
    )


def warm_up() -> Picture:
    steps, warm = range(1, 101), 25
    rates = [min(step**-0.5, step * warm**-1.5) for step in steps]
    points = [(28 + 1.7 * step, 80 - 62 * rate / max(rates)) for step, rate in zip(steps, rates, strict=True)]
    return *_axes("training step"), curve(points), line(28 + 1.7 * warm, 80, 28 + 1.7 * warm, 14, "line", 1.5, "3 3")


def training_step() -> Picture:
    points = [(64.0, _valley(64)), (92.0, _valley(92))]
    return (
        curve([(x, _valley(x)) for x in range(36, 205, 4)], "quiet"), dot(*points[0], "quiet"),
        *arrow(*points[0], *points[1], "ink", 2), text(116, 94, "parameter"), text(206, 12, "loss", anchor="end"),
    )  # fmt: skip


def batch() -> Picture:
    rows = (("she", "ran"), ("a", "red", "ball"), ("the", "cat", "sat"))
    return tuple(shape for n, row in enumerate(rows) for shape in chips(110, 17 + 30 * n, row))


def epoch() -> Picture:
    texts = [box(24 + 26 * n, 28, 20, 28, colour("chip"), radius=3) for n in range(7)]
    lines = [line(28 + 26 * n, y, 40 + 26 * n, y, "quiet", 1) for n in range(7) for y in (36, 42, 48)]
    return *texts, *lines, *arrow(22, 72, 200, 72, "ink"), text(110, 92, "every text once")


def dropout() -> Picture:
    random = Random(2)
    values = _draw(20, 6)
    kept = [x * (random.random() > 0.3) for x in values]
    tables = [shape for left, v in ((14, values), (136, kept)) for n in range(4)
              for shape in signed(v[5 * n : 5 * n + 5], left, 8 + 18 * n, 14, 18, 2)]  # fmt: skip
    return *tables, *arrow(92, 44, 128, 44)


def overfitting() -> Picture:
    """A polynomial through every training point, by Lagrange, which misses the unseen one between them."""
    seen = [(36.0, 64.0), (70.0, 36.0), (104.0, 56.0), (138.0, 26.0), (172.0, 46.0), (200.0, 14.0)]

    def fitted(x: float) -> float:
        return sum(y * math.prod((x - other) / (at - other) for other, _ in seen if other != at) for at, y in seen)

    points = [(x, fitted(x)) for x in range(36, 201, 2)]
    return (
        curve([(x, max(2, min(94, y))) for x, y in points], "quiet"), *(dot(*point, "ink") for point in seen),
        _ring(186, 33, 4, "ink"), text(52, 90, "● seen", "ink"), text(140, 90, "○ unseen", "ink"),
    )  # fmt: skip


def perplexity() -> Picture:
    n = 4
    nats = -math.log(1 / n)
    shares = bars([1 / n] * n, 30, 64, 26, 44)
    return (
        *shares,
        line(24, 64, 138, 64, "line"),
        text(80, 86, f"{n} equal chances"),
        text(178, 34, f"loss {number(nats)}", "ink"),
        text(178, 58, f"e^loss {number(math.exp(nats), 0)}", "ink"),
    )


def entropy() -> Picture:
    shapes: list = []
    for x, shares in ((16, [0.94, 0.02, 0.02, 0.02]), (124, [0.25] * 4)):
        bits = -sum(p * math.log2(p) for p in shares)
        shapes += [*bars(shares, x, 66, 20, 58, largest=1), line(x - 4, 66, x + 80, 66, "line")]
        shapes.append(text(x + 38, 88, f"{number(bits)} bits", "ink"))
    return tuple(shapes)


def baseline() -> Picture:
    shares = _softmax([2.0, 0.2, 0.6, 1.1, 0.1])
    chance = 1 / len(shares)
    floor, tallest = 78, 64
    y = floor - tallest * chance / max(shares)
    return (
        *bars(shares, 16, floor, 22, tallest), line(8, floor, 132, floor, "line"),
        line(8, y, 132, y, "ink", 1.5, "4 3"), text(138, y + 4, f"chance {number(chance, 1)}", "ink", "start"),
    )  # fmt: skip


# ---- writing a text ------------------------------------------------------------------------------------------------


def logit() -> Picture:
    return (
        *bars(LOGITS, 26, 50, 36, 34, ["positive" if x >= 0 else "negative" for x in LOGITS]),
        line(18, 50, 206, 50, "ink", 1), *(text(39 + 36 * n, 92, number(x, 1), "ink") for n, x in enumerate(LOGITS)),
    )  # fmt: skip


def _choices(shares, kept) -> Picture:
    """Probabilities, those that are out of the game faded."""
    return tuple(
        box(28 + 36 * n, 80 - 70 * p / max(shares), 26, max(1, 70 * p / max(shares)),
            colour("positive") if ok else colour("panel"), "positive" if ok else "quiet", 1)
        for n, (p, ok) in enumerate(zip(shares, kept, strict=True))
    ) + (line(18, 80, 206, 80, "line"),)  # fmt: skip


def greedy() -> Picture:
    shares = _softmax(LOGITS)
    best = shares.index(max(shares))
    return (
        *_choices(shares, [True] * len(shares)),
        *arrow(100, 18, 60 + 36 * best, 18, "ink"),
        text(106, 23, "always this", "ink", "start"),
    )


def sampling() -> Picture:
    shares = _softmax(LOGITS)
    drawn = Random(1).random()
    shapes, left = [], 14.0
    for n, p in enumerate(shares):
        shapes.append(box(left, 46, 192 * p, 26, shade("positive", 1 - n / len(shares)), "ground", 0))
        left += 192 * p
    x = 14 + 192 * drawn
    return (
        *shapes,
        *arrow(x, 22, x, 44, "ink", 2),
        text(x, 16, number(drawn), "ink"),
        text(14, 90, "0"),
        text(206, 90, "1"),
    )


def temperature() -> Picture:
    shapes: list = []
    for n, t in enumerate((0.5, 1, 2)):
        x = 12 + 70 * n
        shapes += [*bars(_softmax(LOGITS, t), x, 72, 12, 62, largest=1), line(x - 3, 72, x + 60, 72, "line")]
        shapes.append(text(x + 28, 91, f"{t:g}", "ink"))
    return tuple(shapes)


def top_k() -> Picture:
    shares = _softmax(LOGITS)
    kept = [share in sorted(shares)[-2:] for share in shares]
    return *_choices(shares, kept), text(150, 26, f"k = {sum(kept)}", "ink")


def top_p() -> Picture:
    shares, p = _softmax(LOGITS), 0.9
    kept = [sum(shares[:n]) < p for n in range(len(shares))]
    return (
        *_choices(shares, kept),
        text(150, 26, f"p = {p}", "ink"),
        text(150, 46, f"they hold {number(_dot(shares, kept))}"),
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
            shapes.append(text(160, end + 4.5, number(math.exp(whole[m])), "ink" if m in best else "quiet", "start"))
    return *shapes, dot(28, 49)


def cache() -> Picture:
    shapes: list = []
    for n, word in enumerate((*WORDS, "on")):
        x, new = 36 + 48 * n, n == 3
        shapes += [box(x - 17, 12, 34, 18, shade("key", 0.5) if not new else colour("panel"), "key"),
                   box(x - 17, 34, 34, 18, shade("value", 0.5) if not new else colour("panel"), "value"),
                   *chip(x, 78, word, "ink" if new else "quiet")]  # fmt: skip
    return *shapes, *arrow(180, 66, 180, 54, "ink")


# ---- looking inside ------------------------------------------------------------------------------------------------


def ablation() -> Picture:
    shapes: list = []
    for n in range(3):
        shapes += grid(_map(4, 10 * n), 18 + 66 * n, 10, 14)
    return *shapes, line(80, 6, 144, 70, "ink", 3), line(144, 6, 80, 70, "ink", 3), text(112, 90, "switched off", "ink")


def alignment() -> Picture:
    source, target = ("a", "red", "ball"), ("un", "ballon", "rouge")
    at, to = middles(110, source, 14), middles(110, target, 14)
    threads = [line(at[a], 30, to[b], 68, "ink", 1.5, "4 3") for a, b in ((0, 0), (1, 2), (2, 1))]
    return *threads, *chips(110, 19, source, gap=14), *chips(110, 79, target, gap=14)


def induction_head() -> Picture:
    words = ("A", "B", "…", "A", "?")
    at = middles(110, words, 18)
    return (
        path(f"M{at[3]} 62Q{(at[3] + at[1]) / 2} 8 {at[1]} 62", "weight", 3), *chips(110, 74, words, gap=18),
    )  # fmt: skip


def patching() -> Picture:
    shapes: list = []
    for y, seed in ((10, 1), (64, 2)):
        for n in range(3):
            shapes += signed(_draw(4, 50 * seed + n), 26 + 62 * n, y, 11, 20, 2)
    return (
        *shapes,
        box(87, 63, 46, 22, "none", "ink"),
        *arrow(110, 33, 110, 60, "ink", 2),
        text(122, 52, "put in", "quiet", "start"),
    )


def logit_lens() -> Picture:
    shapes: list = []
    for n, word in enumerate(("red", "big", "ball")):
        y = 78 - 31 * n
        shapes += [line(66, y, 108, y, "quiet", 1.5, "3 3"), *chip(138, y, word, "ink" if n == 2 else "quiet"),
                   text(40, y + 4.5, f"layer {n}", anchor="middle")]  # fmt: skip
    return *arrow(66, 94, 66, 3, "ink", 2), *shapes


def attribution() -> Picture:
    parts = [0.4, 1.3, -0.5, 0.9]
    shapes, at = [], 40.0
    for n, part in enumerate(parts):
        wide = 46 * abs(part)
        left = at if part >= 0 else at - wide
        shapes.append(box(left, 8 + 17 * n, wide, 13, tint(part, 1.3), "line", 1))
        shapes.append(text(32, 19 + 17 * n, number(part, 1), "quiet", "end"))
        at += 46 * part
    return (
        *shapes,
        line(40, 4, 40, 78, "line"),
        line(at, 4, at, 78, "ink", 1.5, "3 3"),
        text(at, 92, f"sum {number(sum(parts), 1)}", "ink"),
    )
