"""Pictures of words: looking inside. No number is drawn that is not computed."""

from lab.kit.glossary.shapes import Picture, arrow, box, chip, chips, grid, line, middles, path, signed, text, tint
from lab.kit.glossary.toy import drawn, heatmap
from lab.kit.words import fixed


def ablation() -> Picture:
    shapes: list = []
    for n in range(3):
        shapes += grid(heatmap(4, 10 * n), 18 + 66 * n, 10, 14)
    return *shapes, line(80, 6, 144, 70, "ink", 3), line(144, 6, 80, 70, "ink", 3), text(112, 90, "taken out", "ink")


def alignment() -> Picture:
    source, target = ("a", "red", "ball"), ("un", "ballon", "rouge")
    at, to = middles(110, source, 14), middles(110, target, 14)
    links = [line(at[a], 30, to[b], 68, "ink", 1.5, "4 3") for a, b in ((0, 0), (1, 2), (2, 1))]
    return *links, *chips(110, 19, source, gap=14), *chips(110, 79, target, gap=14)


def induction_head() -> Picture:
    words = ("A", "B", "…", "A", "?")
    at = middles(110, words, 18)
    return (path(f"M{at[3]} 62Q{(at[3] + at[1]) / 2} 8 {at[1]} 62", "weight", 3), *chips(110, 74, words, gap=18))


def patching() -> Picture:
    shapes: list = []
    for y, seed in ((10, 1), (64, 2)):
        for n in range(3):
            shapes += signed(drawn(4, 50 * seed + n), 26 + 62 * n, y, 11, 20, 2)
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
        shapes += [
            line(66, y, 108, y, "quiet", 1.5, "3 3"),
            *chip(138, y, word, "ink" if n == 2 else "quiet"),
            text(40, y + 4.5, f"layer {n}", anchor="middle"),
        ]
    return *arrow(66, 94, 66, 3, "ink", 2), *shapes


def attribution() -> Picture:
    parts = [0.4, 1.3, -0.5, 0.9]
    shapes, at = [], 40.0
    for n, part in enumerate(parts):
        wide = 46 * abs(part)
        left = at if part >= 0 else at - wide
        shapes.append(box(left, 8 + 17 * n, wide, 13, tint(part, 1.3), "line", 1))
        shapes.append(text(32, 19 + 17 * n, fixed(part, 1), "quiet", "end"))
        at += 46 * part
    return (
        *shapes,
        line(40, 4, 40, 78, "line"),
        line(at, 4, at, 78, "ink", 1.5, "3 3"),
        text(at, 92, f"sum {fixed(sum(parts), 1)}", "ink"),
    )
