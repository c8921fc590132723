"""What the figures of this page share: axes of words, rows of even height, colour bars, and labels at lines."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from pages.shared import plot
from pages.shared.palette import QUIET

MAX_UNITS = 256  # columns of a map of features, more cannot be told apart
MAX_ROWS = 64
MARGIN = plot.THIN_MARGIN | {"t": 28}


def words(tokens: tuple[str, ...]) -> dict:
    """A y axis of tokens, the first on top."""
    return {
        "autorange": "reversed",
        "showgrid": False,
        "zeroline": False,
        "title": "",
        **ticks(tokens),
    }


def ticks(tokens: tuple[str, ...], most: int = 32) -> dict:
    """The labels of an axis of tokens; of a long text every second, third, ..."""
    step = math.ceil(len(tokens) / most) or 1
    at = list(range(0, len(tokens), step))
    return {
        "tickvals": at,
        "ticktext": short([tokens[i] for i in at]),
        "tickfont": {"size": plot.TICK_SIZE, "color": QUIET},
    }


def short(tokens: Sequence[str]) -> list[str]:
    """Tokens as labels."""
    return [plot.escaped(plot.shorten(token, 14)) for token in tokens]


def tall(rows: int) -> int:
    """The height of a figure with a row per token."""
    return int(min(max(22 * rows + 90, 240), 620))


def largest(values: np.ndarray) -> float:
    """The largest size among the values, or 1 where all are 0."""
    return float(np.abs(values).max()) or 1.0 if values.size else 1.0


def bar(title: str, **where: float) -> dict:
    """A colour bar."""
    return {
        "title": {"text": title, "side": "top"},
        "thickness": 10,
        "outlinewidth": 0,
        "len": 0.9,
        "nticks": 5,
        **where,
    }


def log_axis(title: str) -> dict:
    """A logarithmic axis."""
    return {"title": title, "type": "log", "exponentformat": "power", "nticks": 7}


def label_lines(
    figure: go.Figure, lines: Mapping[str, tuple[Sequence[float] | np.ndarray, np.ndarray]], *, log: bool
) -> None:
    """Write each line's name at its end, in the place of a legend; names of lines that meet are moved apart.

    It is the left end where the lines meet at the right.
    """
    seen = {}
    for name, (x, y) in lines.items():
        y = np.where(np.asarray(y) > 0, y, np.nan) if log else np.asarray(y, dtype=float)
        heights = np.log10(y) if log else y
        there = np.isfinite(heights)
        if there.any():
            seen[name] = (np.asarray(x)[there], heights[there])
    if not seen:
        return
    everything = np.concatenate([y for _, y in seen.values()])
    room = 0.065 * (float(np.ptp(everything)) or 1.0)
    starts, ends = (sorted(float(y[at]) for _, y in seen.values()) for at in (0, -1))
    at_start = ends[-1] - ends[0] < 0.2 * (starts[-1] - starts[0])
    above = math.inf
    for name, (x, y) in sorted(seen.items(), key=lambda line: -line[1][1][0 if at_start else -1]):
        at = 0 if at_start else -1
        above = min(float(y[at]), above - room)
        figure.add_annotation(
            x=float(x[at]), y=above, text=name, showarrow=False, xanchor="left", font={"size": plot.FONT_SIZE},
            **({"xshift": 14, "yshift": 13 if y[min(3, len(y) - 1)] <= y[0] else -15} if at_start else {"xshift": 8}),
        )  # fmt: skip
