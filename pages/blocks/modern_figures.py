"""The figures of "Modern blocks": two blocks as lanes, drawn part by part, and what each switch changes in a training.

Ink frames what differs from the block of 2017; blue is queries, vermilion is keys.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import INK, KEY, LINE, PANEL, QUERY, QUIET

HEIGHT = 440  # unless page.css fits it to the window
_LETTERS, _TITLE = 14, 16  # pixels: the lanes are as wide as the page
_GAP = 1.16  # between the lanes, from the left end of one to that of the next
_LOW, _HIGH = 0.06, 0.9  # where a box begins and ends in its lane
_BYPASS = 0.98
_CELL = 0.055  # the width of a head or an expert


class Part(NamedTuple):
    """One box of a lane.

    slot      its place, from the bottom up
    label     its name; detail: its parameters
    changed   whether it differs from the block of 2017
    heads     (query heads, key/value heads), to be drawn in it
    experts   (how many, how many of them work for a token)
    """

    slot: int
    label: str
    detail: str = ""
    changed: bool = False
    heads: tuple[int, int] | None = None
    experts: tuple[int, int] | None = None


# What stands in each slot, from the bottom up; the height of each.
SLOTS = (
    "in",
    "norm before",
    "attention",
    "add",
    "norm after",
    "norm before",
    "feed-forward",
    "add",
    "norm after",
    "out",
)
_HEIGHTS = (0.8, 0.8, 1.35, 0.55, 0.8, 0.8, 1.35, 0.55, 0.8, 0.8)
ATTENTION, FEED_FORWARD, OUT = 2, 6, 9
_ADDS = {3: 0, 7: 4}  # slot of an addition: the slot above which its bypass leaves the stream
_TOP = sum(_HEIGHTS)


def _span(slot: int) -> tuple[float, float]:
    """The lower and the upper end of a slot."""
    low = sum(_HEIGHTS[:slot])
    return low + 0.09, low + _HEIGHTS[slot] - 0.09


def lanes(titles: Sequence[str], blocks: Sequence[Sequence[Part]]) -> go.Figure:
    """Blocks side by side, their streams running upward."""
    figure = plot.figure([], HEIGHT, margin=plot.THIN_MARGIN | {"t": 30})
    marks = _Marks()
    for n, (title, parts) in enumerate(zip(titles, blocks, strict=True)):
        _lane(marks, n * _GAP, title, parts)
    figure.update_layout(
        shapes=marks.shapes,
        annotations=marks.texts,
        xaxis={"visible": False, "range": [0, _GAP + 1.02], "fixedrange": True},
        yaxis={"visible": False, "range": [-0.05, _TOP + 0.1], "fixedrange": True},
    )
    return figure


class _Marks:
    """Shapes and texts for a figure, to be handed over at once: `add_shape` looks at all those before it again."""

    def __init__(self) -> None:
        self.shapes: list[dict[str, Any]] = []
        self.texts: list[dict[str, Any]] = []

    def shape(self, **how: Any) -> None:
        self.shapes.append(how)

    def text(self, **how: Any) -> None:
        self.texts.append(how)


def _lane(marks: _Marks, x: float, title: str, parts: Sequence[Part]) -> None:
    middle = x + (_LOW + _HIGH) / 2
    marks.text(
        x=x + _LOW,
        y=1,
        yref="paper",
        text=f"<b>{title}</b>",
        showarrow=False,
        xanchor="left",
        yanchor="bottom",
        font={"size": _TITLE, "color": INK},
    )
    marks.text(
        x=x + _HIGH - 0.03,
        y=1,
        yref="paper",
        text="parameters",
        showarrow=False,
        xanchor="right",
        yanchor="bottom",
        font={"size": _LETTERS, "color": QUIET},
    )
    _line(marks, [(middle, 0.2), (middle, _TOP)])
    for add, below in _ADDS.items():
        start, end = sum(_HEIGHTS[: below + 1]), sum(_span(add)) / 2
        _line(marks, [(middle, start), (x + _BYPASS, start), (x + _BYPASS, end), (middle, end)])
    for part in parts:
        if SLOTS[part.slot] == "add":
            _text(marks, middle, sum(_span(part.slot)) / 2, "+", size=20, background=True)
        else:
            _box(marks, x, part)


def _box(marks: _Marks, x: float, part: Part) -> None:
    low, high = _span(part.slot)
    left, right = x + _LOW, x + _HIGH
    outline = {"color": INK, "width": 2} if part.changed else {"color": QUIET, "width": 1}
    marks.shape(type="rect", x0=left, x1=right, y0=low, y1=high, line=outline, fillcolor=PANEL)
    middle, above, below = (high + low) / 2, 0.27, 0.27
    if part.slot not in (ATTENTION, FEED_FORWARD):  # flat boxes have one line
        above = below = 0
    _text(marks, left + 0.03, middle + above, part.label, anchor="left")
    if part.detail:
        _text(marks, right - 0.03, middle - below, part.detail, anchor="right", colour=QUIET)
    if part.heads:
        _heads(marks, left + 0.035, low + 0.12, *part.heads)
    if part.experts:
        n_experts, n_working = part.experts
        for n in range(n_experts):
            _rectangle(marks, left + 0.035 + 1.25 * _CELL * n, low + 0.12, 0.4, QUIET, filled=n < n_working)


def _heads(marks: _Marks, x: float, y: float, n_heads: int, n_kv_heads: int) -> None:
    """A square for each query head, and below those that share it one for each head of keys and values."""
    step, shared = 1.25 * _CELL, n_heads // n_kv_heads
    for n in range(n_heads):
        _rectangle(marks, x + step * n, y + 0.23, 0.18, QUERY)
    for n in range(n_kv_heads):
        _rectangle(marks, x + step * shared * n, y, 0.18, KEY, width=step * shared - 0.25 * _CELL)


def _rectangle(
    marks: _Marks, x: float, y: float, height: float, colour: str, *, width: float = _CELL, filled: bool = True
) -> None:
    marks.shape(
        type="rect",
        x0=x,
        x1=x + width,
        y0=y,
        y1=y + height,
        line={"color": colour, "width": 1.5},
        fillcolor=colour if filled else PANEL,
    )


def _text(
    marks: _Marks,
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "center",
    colour: str = INK,
    size: float = _LETTERS,
    background: bool = False,
) -> None:
    marks.text(
        x=x,
        y=y,
        text=text,
        showarrow=False,
        xanchor=anchor,
        yanchor="middle",
        font={"size": size, "color": colour},
        **({"bgcolor": PANEL, "borderpad": 0} if background else {}),
    )


def _line(marks: _Marks, points: Sequence[tuple[float, float]]) -> None:
    path = " L ".join(f"{x} {y}" for x, y in points)
    marks.shape(type="path", path=f"M {path}", line={"color": LINE, "width": 2}, layer="below")


class Row(NamedTuple):
    """One trained block: its name, the loss of every seed, and whether it is the one that is looked at."""

    name: str
    losses: Sequence[float]
    chosen: bool


def losses(rows: Sequence[Row]) -> go.Figure:
    """The loss of every block, a dot per seed and a bar at their mean; the band is how far 2017's seeds lie apart."""
    figure = plot.figure([], 60 + 26 * len(rows), margin=plot.THIN_MARGIN | {"l": 190, "b": 46})
    first = rows[0].losses
    marks = _Marks()
    marks.shape(
        type="rect",
        x0=min(first),
        x1=max(first),
        y0=-0.5,
        y1=len(rows) - 0.5,
        line={"width": 0},
        fillcolor=QUIET,
        opacity=0.18,
        layer="below",
    )
    for y, row in enumerate(rows):
        colour = INK if row.chosen else QUIET
        name = f"<b>{row.name}</b>" if row.chosen else row.name
        marks.text(
            x=0,
            xref="paper",
            xshift=-10,
            y=y,
            text=name,
            showarrow=False,
            xanchor="right",
            font={"size": plot.TICK_SIZE, "color": INK},
        )
        if not row.losses:
            _text(marks, max(first), y, "diverged", anchor="left")
            continue
        middle = sum(row.losses) / len(row.losses)
        figure.add_scatter(
            x=[middle],
            y=[y],
            mode="markers",
            marker={"symbol": "line-ns", "size": 16, "line": {"color": colour, "width": 3}},
            hovertemplate=f"{row.name}: mean %{{x:.3f}}<extra></extra>",
        )
        figure.add_scatter(
            x=list(row.losses),
            y=[y] * len(row.losses),
            mode="markers",
            marker={"size": 8, "color": colour, "opacity": 0.7},
            hovertemplate=f"{row.name}: %{{x:.3f}}<extra></extra>",
        )
    figure.update_layout(
        shapes=marks.shapes,
        annotations=marks.texts,
        xaxis=plot.axis("loss on tales that were held out"),
        yaxis={"visible": False, "range": [len(rows) - 0.5, -0.5], "fixedrange": True},
    )
    return figure
