"""Pictures of words: who may look at whom. No number is drawn that is not computed."""

from lab.kit.glossary.shapes import Picture, chip, chip_width, grid, text
from lab.kit.glossary.toy import heatmap


def mask() -> Picture:
    weights: list = heatmap(5, 7)
    for i, j in ((0, 3), (1, 4), (3, 0), (4, 1), (2, 2)):
        weights[i][j] = None
    return (
        *grid(weights, 28, 6, 16),
        text(122, 34, "hatched:", "ink", "start"),
        text(122, 54, "may not look", "quiet", "start"),
    )


def causal_mask() -> Picture:
    weights = heatmap(5, 3, causal=True)
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
