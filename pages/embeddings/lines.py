"""The rows of a table as thin lines: as much of a table as a browser needs to draw it as a roll."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

MAX_LINES = 4096  # rows that are drawn
MAX_ACROSS = 128  # numbers of each
STEPS = 127  # from zero to the largest number


class Lines(NamedTuple):
    """What is drawn of a table.

    ids      (n,) of the rows that are drawn, in rising order: all, or of a large table those near the rows of the text
    picture  (n, k) int8: their first k numbers, in steps of `step`
    largest  where colours end: 99 of 100 numbers are not larger
    own      the different ids of the text, in rising order
    rows     (m, d) float32: their rows, whole
    size     (V, d) of the table
    """

    ids: np.ndarray
    picture: np.ndarray
    step: float
    largest: float
    own: np.ndarray
    rows: np.ndarray
    size: tuple[int, int]


def lines_of(table: np.ndarray, ids: Sequence[int]) -> Lines:
    """The lines of a table (V, d), and the rows of a text with these ids. Of a table with more rows than MAX_LINES,
    those are drawn whose ids are nearest to these: for who looks about where the roll has stopped."""
    (V, d), own = table.shape, np.unique(np.asarray(ids, int))
    drawn = np.arange(V)
    if V > MAX_LINES:
        after = np.searchsorted(own, drawn)
        below, above = own[np.maximum(after - 1, 0)], own[np.minimum(after, len(own) - 1)]
        away = np.minimum(np.abs(drawn - below), np.abs(above - drawn))
        drawn = np.sort(np.argsort(away, kind="stable")[:MAX_LINES])
    part = table[drawn, :MAX_ACROSS]
    sizes = np.abs(part)
    step = float(sizes.max()) / STEPS or 1e-12
    largest = float(np.quantile(sizes, 0.99)) or 1e-12
    return Lines(drawn, np.rint(part / step).astype("i1"), step, largest, own, table[own].astype("f4"), (V, d))
