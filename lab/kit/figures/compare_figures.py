"""The figures of A | B: the same figure of A and of B in one range, and their difference.

What is compared comes as a Sheet (a matrix), Curves (lines over one axis) or Tiles (many square maps). A and B are of
one kind; with a B of another, each of these raises TypeError:

    a.pair(b)               the figures of A and of B: two in one range of colours, or one where both are lines
    a.mismatch(b)           why there is nothing to subtract, in a sentence; "" where there is
    a.change(b)             the numbers B − A: exactly 0 where they are equal
    a.difference(b, limit)  the figure of B − A around 0: slate where B has more, amber where A does; its colours end
                            at `limit`, by default the largest change
"""

from typing import NamedTuple, TypeVar

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import DIVERGING, INK, NEGATIVE, POSITIVE, QUIET, SEQUENTIAL
from lab.kit.words import shorten

MAX_TICKS = 24
MAX_LABEL = 14  # characters


class Sheet(NamedTuple):
    """A matrix (R, C) of `name`s. rows, columns: a label each, or None for their numbers; axes: what they are.

    mask  True = may attend: blocked cells are hatched; None where nothing is blocked
    """

    values: np.ndarray
    name: str
    axes: tuple[str, str]
    rows: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None
    mask: np.ndarray | None = None

    def pair(self, other: "Numbers") -> list[go.Figure]:
        b = _same_kind(self, other)
        limit = max(largest(self.values), largest(b.values))
        has_signs = any(_smallest(side.values) < 0 for side in (self, b))
        return [_map(side, side.values, limit, has_signs, side.name) for side in (self, b)]

    def mismatch(self, other: "Numbers") -> str:
        return _shape_mismatch(self.values, _same_kind(self, other).values)

    def change(self, other: "Numbers") -> np.ndarray:
        return _minus(_same_kind(self, other).values, self.values)

    def difference(self, other: "Numbers", limit: float | None = None) -> go.Figure:
        b, change = _same_kind(self, other), self.change(other)
        # What is open in either is shown; a side without a mask is open everywhere.
        mask = None if self.mask is None or b.mask is None else self.mask | b.mask
        return _map(b._replace(mask=mask), change, limit or largest(change), True, "B − A")


class Curves(NamedTuple):
    """Lines by name, over the same x; axes: the titles of x and y; x may be words.

    log  the y axis is logarithmic, and changes are in powers of ten: log10 B − log10 A
    """

    x: tuple
    lines: dict[str, np.ndarray]
    axes: tuple[str, str]
    log: bool = False

    def pair(self, other: "Numbers") -> list[go.Figure]:
        return [_two_lines(self, _same_kind(self, other))]

    def mismatch(self, other: "Numbers") -> str:
        b = _same_kind(self, other)
        if self.x == b.x and self.lines.keys() == b.lines.keys():
            return ""
        return "A and B have different axes, so their points cannot be subtracted."

    def change(self, other: "Numbers") -> dict[str, np.ndarray]:
        b = _same_kind(self, other)
        return {name: _minus(_scaled(y, self.log), _scaled(self.lines[name], self.log)) for name, y in b.lines.items()}

    def difference(self, other: "Numbers", limit: float | None = None) -> go.Figure:
        return _lines(_same_kind(self, other), self.change(other), limit)


class Tiles(NamedTuple):
    """Maps (n, T, T) of `name`s, a row per query and a column per key, in rows of `columns`."""

    values: np.ndarray
    name: str
    titles: list[str]
    columns: int
    diverging: bool

    def pair(self, other: "Numbers") -> list[go.Figure]:
        b = _same_kind(self, other)
        limit = max(largest(self.values), largest(b.values))
        return [_tiles(side, side.values, limit, side.diverging) for side in (self, b)]

    def mismatch(self, other: "Numbers") -> str:
        return _shape_mismatch(self.values, _same_kind(self, other).values)

    def change(self, other: "Numbers") -> np.ndarray:
        return _minus(_same_kind(self, other).values, self.values)

    def difference(self, other: "Numbers", limit: float | None = None) -> go.Figure:
        change = self.change(other)
        return _tiles(_same_kind(self, other)._replace(name="B − A"), change, limit or largest(change), True)


Numbers = Sheet | Curves | Tiles
Kind = TypeVar("Kind", Sheet, Curves, Tiles)


def largest(change: np.ndarray | dict[str, np.ndarray]) -> float:
    """The largest size of a number; what is not finite does not count, and 0 where nothing does."""
    parts = change.values() if isinstance(change, dict) else (change,)
    return max((float(np.abs(_finite(part)).max(initial=0.0)) for part in parts), default=0.0)


def _same_kind(a: Kind, b: Numbers) -> Kind:
    if not isinstance(b, type(a)):
        raise TypeError(f"A is of the kind {type(a).__name__} and B of the kind {type(b).__name__}")
    return b


def _shape_mismatch(a: np.ndarray, b: np.ndarray) -> str:
    if a.shape == b.shape:
        return ""
    sizes = [" × ".join(map(str, values.shape)) for values in (a, b)]
    return f"A has {sizes[0]} numbers, B {sizes[1]}, so their cells cannot be subtracted."


def _map(side: Sheet, values: np.ndarray, limit: float, has_signs: bool, name: str) -> go.Figure:
    shown = values if side.mask is None else np.where(side.mask, values, np.nan)  # a blocked cell is a gap, not a zero
    limit = limit or 1.0
    R, C = shown.shape
    small = max(R, C) <= 32
    columns, rows = _places(side.columns), _places(side.rows)
    figure = go.Figure(
        go.Heatmap(
            z=shown,
            x=columns,
            y=rows,
            colorscale=DIVERGING if has_signs else SEQUENTIAL,
            zmin=-limit if has_signs else 0.0,
            zmax=limit,
            xgap=int(small),
            ygap=int(small),
            hoverongaps=False,
            colorbar=plot.colour_bar_below(name),
            hovertemplate=f"{side.axes[0]} %{{y}}, {side.axes[1]} %{{x}}: {name} %{{z:.3f}}<extra></extra>",
        )
    )
    if side.mask is not None:
        figure.add_trace(plot.hatch(~side.mask, columns, rows, size=min(18.0, 200 / max(R, C))))
    words = {"type": "category", "tickmode": "auto", "nticks": MAX_TICKS}
    turned = {} if side.columns is None else {**words, "tickangle": plot.words_along_x(side.columns)["tickangle"]}
    square = {"scaleanchor": "x"} if side.axes == ("query", "key") or (side.rows is not None and R == C) else {}
    figure.update_xaxes(title=side.axes[1], showgrid=False, zeroline=False, constrain="domain")
    figure.update_yaxes(title=side.axes[0], autorange="reversed", showgrid=False, zeroline=False, **square)
    figure.update_xaxes(**turned)
    if small and side.rows is None:
        figure.update_yaxes(tickformat="d", dtick=1 + R // 12)
    if small and side.columns is None and C <= 12:
        figure.update_xaxes(tickformat="d", dtick=1)
    figure.update_yaxes(constrain="domain", **(words if side.rows is not None else {}))
    # Below the map, where it takes no room from it on a phone; labels that are turned need more.
    below = 150 if side.columns is not None else 100
    return figure.update_layout(height=260 + below, margin=plot.THIN_MARGIN | {"b": below})


def _tiles(side: Tiles, values: np.ndarray, limit: float, diverging: bool) -> go.Figure:
    rows = -(-len(values) // side.columns)
    return plot.tiles(
        values,
        side.titles,
        columns=side.columns,
        value=side.name,
        diverging=diverging,
        height=150 + rows * (24 + 340 // side.columns),
        largest=limit or 1.0,
    )


def _two_lines(a: Curves, b: Curves) -> go.Figure:
    figure = go.Figure()
    for side, dash, letter in ((a, "dash", "A"), (b, "solid", "B")):
        for n, (name, y) in enumerate(side.lines.items()):
            figure.add_scatter(
                x=list(side.x),
                y=y,
                name=letter if len(side.lines) == 1 else f"{letter}: {name}",
                line={"color": _colour(n), "dash": dash, "width": 2},
                mode="lines",
            )
    return _lined(figure, b, b.axes[1], log=b.log)


def _lines(side: Curves, values: dict[str, np.ndarray], limit: float | None) -> go.Figure:
    figure = go.Figure()
    for n, (name, y) in enumerate(values.items()):
        figure.add_scatter(
            x=list(side.x),
            y=y,
            name=name,
            mode="lines",
            showlegend=len(values) > 1,
            line={"color": _colour(n), "width": 2},
        )
    limit = 1.05 * (limit or largest(values)) or 1.0
    title = "B ÷ A, in powers of ten" if side.log else "B − A"
    return _lined(figure, side, title, log=False).update_yaxes(range=[-limit, limit], zeroline=True)


def _lined(figure: go.Figure, side: Curves, title: str, *, log: bool) -> go.Figure:
    figure.update_xaxes(title=side.axes[0], showgrid=False, zeroline=False, nticks=12)
    figure.update_yaxes(title=title, type="log" if log else "linear", exponentformat="power", nticks=6)
    legend = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "title": {"text": ""}}
    return figure.update_layout(height=320, margin=plot.THIN_MARGIN | {"t": 34}, legend=legend)


def _colour(n: int) -> str:
    """Of the nth line: none of the colours that queries, keys, values and attention weights wear."""
    return (INK, POSITIVE, NEGATIVE, QUIET)[n % 4]


def _places(labels: tuple[str, ...] | None) -> list[str] | None:
    """Axis labels with their positions, since the same word may come twice; plotly would read <unk> as markup."""
    if labels is None:
        return None
    return [f"{plot.escaped(shorten(label, MAX_LABEL))} {n}" for n, label in enumerate(labels)]


def _scaled(y: np.ndarray, log: bool) -> np.ndarray:
    return np.log10(np.where(np.asarray(y) > 0, y, np.nan)) if log else y


def _minus(b: np.ndarray, a: np.ndarray) -> np.ndarray:
    return np.asarray(b, np.float64) - np.asarray(a, np.float64)


def _smallest(values: np.ndarray) -> float:
    return float(_finite(values).min(initial=0.0))


def _finite(values: np.ndarray) -> np.ndarray:
    values = np.asarray(values, np.float64)
    return values[np.isfinite(values)]


def head_maps(differences: np.ndarray, layer: int, head: int, limit: float) -> go.Figure:
    """B - A of every head, (L, H, t, s), as small maps on one scale that ends at `limit`; the chosen head is framed.

    The last layer is on top, as in every picture of all heads."""
    L, H, t, s = differences.shape
    down, across = max(1, round(t * 0.12)), max(1, round(s * 0.12))
    z = np.full((L * (t + down) - down, H * (s + across) - across), np.nan)
    whose = np.full((*z.shape, 2), -1, "i2")
    for i in range(L):
        y = (L - 1 - i) * (t + down)
        for h in range(H):
            cells = np.s_[y : y + t, h * (s + across) : h * (s + across) + s]
            z[cells], whose[cells] = differences[i, h], (i, h)
    figure = go.Figure(
        go.Heatmap(
            z=z,
            customdata=whose,
            colorscale=DIVERGING,
            zmin=-limit,
            zmax=limit,
            hoverongaps=False,
            colorbar=plot.colour_bar_below("B − A"),
            hovertemplate="layer %{customdata[0]}, head %{customdata[1]}: B − A %{z:.3f}<extra></extra>",
        )
    )
    if layer < L and head < H:
        top, left = (L - 1 - layer) * (t + down) - 0.5, head * (s + across) - 0.5
        figure.add_shape(
            {"type": "rect", "x0": left, "x1": left + s, "y0": top, "y1": top + t, "line": {"color": INK, "width": 2}}
        )
    plain = {"showgrid": False, "zeroline": False, "constrain": "domain"}
    figure.update_xaxes(
        title="head",
        tickvals=[h * (s + across) + (s - 1) / 2 for h in range(H)],
        ticktext=[str(h) for h in range(H)],
        **plain,
    )
    figure.update_yaxes(
        title="layer",
        tickvals=[i * (t + down) + (t - 1) / 2 for i in range(L)],
        ticktext=[str(i) for i in reversed(range(L))],
        autorange="reversed",
        scaleanchor="x",
        **plain,
    )
    return figure.update_layout(height=300, margin=plot.THIN_MARGIN | {"b": 90})
