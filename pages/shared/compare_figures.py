"""Two benches: the same figure of A and of B in one range, and their difference.

What is compared comes as a Sheet (a matrix), Curves (lines over one axis) or Tiles (many square maps).
"""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from pages.shared import plot
from pages.shared.palette import DIVERGING, KEY, QUERY, QUIET, SEQUENTIAL, VALUE, WEIGHT

_MARGIN = {"l": 8, "r": 8, "t": 8, "b": 8}
MOST_TICKS = 24


class Sheet(NamedTuple):
    """A matrix (R, C) of `name`s. rows, columns: a label each, or None for their numbers; axes: what they are.

    mask  True = may attend: blocked cells are gaps; None where nothing is blocked
    """

    values: np.ndarray
    name: str
    axes: tuple[str, str]
    rows: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None
    mask: np.ndarray | None = None


class Curves(NamedTuple):
    """Lines by name, over the same x; axes: the titles of x and y; x may be words."""

    x: tuple
    lines: dict[str, np.ndarray]
    axes: tuple[str, str]
    log: bool = False


class Tiles(NamedTuple):
    """Maps (n, T, T) of `name`s, a row a query and a column a key, in rows of `columns`."""

    values: np.ndarray
    name: str
    titles: list[str]
    columns: int
    diverging: bool


Numbers = Sheet | Curves | Tiles


def pair(a: Numbers, b: Numbers) -> list[go.Figure]:
    """The figures of A and of B: two in one range of colours, or one where both are lines."""
    if isinstance(a, Curves):
        return [_two_lines(a, b)]
    reach = max(_reach(a.values), _reach(b.values))
    if isinstance(a, Tiles):
        return [_tiles(side, side.values, reach, side.diverging) for side in (a, b)]
    has_signs = any(_least(side.values) < 0 for side in (a, b))
    return [_map(side, side.values, reach, has_signs, side.name) for side in (a, b)]


def apart(a: Numbers, b: Numbers) -> str:
    """Why there is nothing to subtract, in a sentence; "" where there is."""
    if isinstance(a, Curves):
        if a.x != b.x or a.lines.keys() != b.lines.keys():
            return "A and B stand over different axes, so there is no point to subtract from which."
    elif a.values.shape != b.values.shape:
        sizes = (" × ".join(map(str, side.values.shape)) for side in (a, b))
        return f"A has {next(sizes)} numbers, B {next(sizes)}, so there is no cell to subtract from which."
    return ""


def gap(a: Numbers, b: Numbers) -> np.ndarray | dict[str, np.ndarray]:
    """B - A: exactly 0 where they are equal. On logarithmic axes in powers of ten: log10 B - log10 A."""
    if isinstance(a, Curves):
        return {name: _less(*(_scaled(side.lines[name], a.log) for side in (b, a))) for name in b.lines}
    return _less(b.values, a.values)


def most(difference: np.ndarray | dict[str, np.ndarray]) -> float:
    """The largest size of a difference."""
    parts = difference.values() if isinstance(difference, dict) else (difference,)
    return max((_reach(part) for part in parts), default=0.0)


def difference(a: Numbers, b: Numbers, reach: float | None = None) -> go.Figure:
    """B - A around 0: violet where B has more, amber where A does. reach: where the colours end."""
    left = gap(a, b)
    if isinstance(a, Curves):
        return _lines(b, left)
    reach = reach or most(left) or 1.0
    if isinstance(a, Tiles):
        return _tiles(b._replace(name="B − A"), left, reach, True)
    # What is open in either is shown; a side without a mask is open everywhere.
    mask = None if a.mask is None or b.mask is None else a.mask | b.mask
    return _map(b._replace(mask=mask), left, reach, True, "B − A")


def _map(side: Sheet, values: np.ndarray, reach: float, has_signs: bool, name: str) -> go.Figure:
    shown = values if side.mask is None else np.where(side.mask, values, np.nan)  # a blocked cell is a gap, not a zero
    reach = reach or 1.0
    R, C = shown.shape
    small = max(R, C) <= 32
    figure = go.Figure(
        go.Heatmap(
            z=shown, x=_places(side.columns), y=_places(side.rows), colorscale=DIVERGING if has_signs else SEQUENTIAL,
            zmin=-reach if has_signs else 0.0, zmax=reach, xgap=int(small), ygap=int(small), hoverongaps=False,
            colorbar=_bar(name),
            hovertemplate=f"{side.axes[0]} %{{y}}, {side.axes[1]} %{{x}}: {name} %{{z:.3f}}<extra></extra>",
        )
    )  # fmt: skip
    words = {"type": "category", "tickmode": "auto", "nticks": MOST_TICKS}
    square = {"scaleanchor": "x"} if side.axes == ("query", "key") or (side.rows is not None and R == C) else {}
    figure.update_xaxes(title=side.axes[1], showgrid=False, zeroline=False, constrain="domain")
    figure.update_yaxes(title=side.axes[0], autorange="reversed", showgrid=False, zeroline=False, **square)
    figure.update_xaxes(**(words if side.columns is not None else {}))
    figure.update_yaxes(constrain="domain", **(words if side.rows is not None else {}))
    # Below the map, where it takes no room from it on a phone; labels that are turned need more.
    below = 150 if side.columns is not None else 100
    return figure.update_layout(height=260 + below, margin=_MARGIN | {"b": below})


def _tiles(side: Tiles, values: np.ndarray, reach: float, diverging: bool) -> go.Figure:
    rows = -(-len(values) // side.columns)
    return plot.tiles(
        values, side.titles, columns=side.columns, value=side.name, diverging=diverging,
        height=150 + rows * (24 + 340 // side.columns), largest=reach or 1.0,
    )  # fmt: skip


def _two_lines(a: Curves, b: Curves) -> go.Figure:
    figure = go.Figure()
    for side, dash, letter in ((a, "dash", "A"), (b, "solid", "B")):
        for n, (name, y) in enumerate(side.lines.items()):
            alone = QUIET if letter == "A" else WEIGHT
            figure.add_scatter(
                x=list(side.x), y=y, name=letter if len(side.lines) == 1 else f"{letter}: {name}",
                line={"color": alone if len(side.lines) == 1 else _colour(n), "dash": dash, "width": 2}, mode="lines",
            )  # fmt: skip
    return _lined(figure, b, b.axes[1], log=b.log)


def _lines(side: Curves, values: dict[str, np.ndarray]) -> go.Figure:
    figure = go.Figure()
    for n, (name, y) in enumerate(values.items()):
        figure.add_scatter(
            x=list(side.x), y=y, name=name, mode="lines", showlegend=len(values) > 1,
            line={"color": WEIGHT if len(values) == 1 else _colour(n), "width": 2},
        )  # fmt: skip
    reach = 1.05 * most(values) or 1.0
    title = "B ÷ A, in powers of ten" if side.log else "B − A"
    return _lined(figure, side, title, log=False).update_yaxes(range=[-reach, reach], zeroline=True)


def _lined(figure: go.Figure, side: Curves, title: str, *, log: bool) -> go.Figure:
    figure.update_xaxes(title=side.axes[0], showgrid=False, zeroline=False, nticks=12)
    figure.update_yaxes(title=title, type="log" if log else "linear", exponentformat="power", nticks=6)
    legend = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "title": {"text": ""}}
    return figure.update_layout(height=320, margin=_MARGIN | {"t": 34}, legend=legend)


def _colour(n: int) -> str:
    return (WEIGHT, QUERY, KEY, VALUE, QUIET)[n % 5]


def _places(labels: tuple[str, ...] | None) -> list[str] | None:
    """Axis labels with their places, since the same word may stand twice."""
    return labels and [f"{_cut(label)} {n}" for n, label in enumerate(labels)]


def _cut(label: str) -> str:
    return label if len(label) <= 14 else label[:13] + "…"


def _scaled(y: np.ndarray, log: bool) -> np.ndarray:
    return np.log10(np.where(np.asarray(y) > 0, y, np.nan)) if log else y


def _less(b: np.ndarray, a: np.ndarray) -> np.ndarray:
    return np.asarray(b, np.float64) - np.asarray(a, np.float64)


def _reach(values: np.ndarray) -> float:
    """The largest size of a number that is one, 0 if there is none."""
    finite = np.abs(np.asarray(values, np.float64)[np.isfinite(values)])
    return float(finite.max()) if finite.size else 0.0


def _least(values: np.ndarray) -> float:
    finite = np.asarray(values)[np.isfinite(values)]
    return float(finite.min()) if finite.size else 0.0


def _bar(title: str) -> dict:
    return {
        "title": {"text": f"{title}&nbsp;", "side": "right"}, "thickness": 8, "nticks": 5, "outlinewidth": 0,
        "orientation": "h", "len": 240, "lenmode": "pixels", "y": 0, "yref": "container", "yanchor": "bottom",
        "ypad": 4,
    }  # fmt: skip
