"""The figures of the stream, of ablations, of dropout, and of whole models.

Ink is what a figure is about, grey what it is compared with; violet is attention weights, and nothing else.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.compare_figures import Sheet
from lab.kit.figures.palette import DIVERGING, INK, POSITIVE, QUIET, SEQUENTIAL
from lab.kit.words import shorten

MAX_UNITS = 256  # columns of a map of features, more cannot be told apart
MAX_ROWS = 64
MARGIN = plot.THIN_MARGIN | {"t": 28}
# The parts of a whole model: name, colour, opacity.
PARTS = (
    ("embeddings", QUIET, 0.25),
    ("attention", POSITIVE, 0.6),
    ("feed-forward", POSITIVE, 0.3),
    ("norms", INK, 1.0),
)
HALF_BAR = 0.21


def stream_sheet(values: np.ndarray, tokens: tuple[str, ...]) -> Sheet:
    """What A | B compares of a stream (T, D): as many rows and features as are drawn."""
    return Sheet(values[:MAX_ROWS, :MAX_UNITS], "value", ("token", "feature"), tokens[:MAX_ROWS])


def lens(
    logits: np.ndarray,
    ranks: np.ndarray,
    words: tuple[str, ...],
    heights: tuple[str, ...],
    title: str = "words of this sentence",
) -> go.Figure:
    """The vocabulary read out at every height, for some words: logit as colour, rank among all as a number."""
    largest = extent(logits)
    columns, rows = np.arange(len(words)), np.arange(len(heights))
    figure = go.Figure(
        go.Heatmap(
            z=logits,
            x=columns,
            y=rows,
            zmin=-largest,
            zmax=largest,
            colorscale=DIVERGING,
            customdata=ranks,
            text=[[f"<b>{n:,}</b>" if n == 1 else f"{n:,}" for n in row] for row in ranks],
            texttemplate="%{text}" if len(words) <= 14 else None,
            textfont={"size": 14},
            hovertemplate="%{y}, %{x}: logit %{z:.2f}, rank %{customdata:,}<extra></extra>",
            xgap=2,
            ygap=2,
            colorbar=colour_bar("logit"),
        )
    )
    first = ranks.min(1) == 1
    for height in np.flatnonzero(first):  # what the model would say here
        at = int(ranks[height].argmin())
        figure.add_shape(
            type="rect",
            x0=at - 0.49,
            x1=at + 0.49,
            y0=height - 0.48,
            y1=height + 0.48,
            line={"color": INK, "width": 2.5},
        )
    figure.update_layout(
        height=min(max(340, 40 * len(heights) + 90), 760),
        margin=MARGIN,
        xaxis={
            "title": title,
            **plot.words_along_x(words),
            "tickfont": {"size": 14},
            "showgrid": False,
            "zeroline": False,
        },
        yaxis={
            "title": "read out after",
            "tickvals": rows,
            "ticktext": list(heights),
            "showgrid": False,
            "zeroline": False,
        },
    )
    return figure


def by_height(whole: np.ndarray, ablated: np.ndarray, ablation: str, title: str, *, log: bool) -> go.Figure:
    """One number of the stream after every layer: of the whole model, and of the ablated one."""
    layers = np.arange(len(whole))
    figure = go.Figure()
    lines = (("whole model", whole, QUIET), (ablation, ablated, INK))
    for name, y, colour in lines:
        figure.add_scatter(
            x=layers,
            y=y,
            name=name,
            mode="lines+markers",
            line={"color": colour, "width": 3},
            marker={"size": 8},
            cliponaxis=False,
            hovertemplate=f"after %{{x}} layers, {name}: %{{y:.4g}}<extra></extra>",
        )
    label_lines(figure, {name: (layers, y) for name, y, _ in lines}, log=log)
    figure.update_layout(
        height=400,
        margin=MARGIN | {"t": 12, "r": 130},
        showlegend=False,
        # No tick beyond the last layer, where the names of the lines stand.
        xaxis={"title": "layers passed", "tickvals": layers[:: 1 if len(layers) < 16 else 4], "zeroline": False},
        yaxis=log_axis(title) if log else {"title": title, "rangemode": "tozero"},
    )
    return figure


def two_maps(left: np.ndarray, right: np.ndarray, names: tuple[str, str], tokens: tuple[str, ...]) -> go.Figure:
    """Two maps of attention weights, on one scale of colours."""
    return _pair(left, right, names, tokens)


def depths(depth: list[int], lines: dict[str, np.ndarray], title: str, x: str, *, log: bool) -> go.Figure:
    """A measure against depth, a line for each of the four models. Ink keeps the residual, dotted lacks the norm."""
    figure = go.Figure()
    shown = {}
    for name, y in lines.items():
        y = np.asarray(y, dtype=float)
        shown[name] = (depth, np.where(y > 0, y, np.nan) if log else y)
        figure.add_scatter(
            x=depth,
            y=shown[name][1],
            name=name,
            mode="lines+markers",
            line={
                "color": QUIET if name in ("no residual", "neither") else INK,
                "width": 3,
                "dash": "dot" if name in ("no norm", "neither") else "solid",
            },
            marker={"size": 7 if len(depth) < 12 else 4},
            cliponaxis=False,
            hovertemplate=f"{name}, %{{x}}: %{{y:.3g}}<extra></extra>",
        )
    label_lines(figure, shown, log=log)
    figure.update_layout(
        height=390,
        margin=MARGIN | {"t": 12, "r": 96},
        showlegend=False,
        xaxis={"title": x, "range": [-0.8, 33], "tickvals": [0, 8, 16, 24, 32], "zeroline": False},
        yaxis=log_axis(title) if log else {"title": title},
    )
    return figure


def dropped(before: np.ndarray, after: np.ndarray, tokens: tuple[str, ...]) -> go.Figure:
    """Attention weights before and after dropout, on one scale of colours; what was dropped is grey."""
    figure = _pair(before, after, ("before", "after"), tokens)
    is_dropped = ((after == 0) & (before != 0))[:MAX_ROWS, :MAX_ROWS]
    if is_dropped.any():
        figure.data[1].z = np.where(is_dropped, np.nan, figure.data[1].z)
        figure.add_heatmap(
            z=np.where(is_dropped, 1.0, np.nan),
            xaxis="x2",
            colorscale=[[0, QUIET], [1, QUIET]],
            opacity=0.4,
            showscale=False,
            xgap=figure.data[1].xgap,
            ygap=1,
            hovertemplate="row %{y}, column %{x}: dropped<extra></extra>",
            hoverongaps=False,
        )
    return figure


def _pair(left: np.ndarray, right: np.ndarray, names: tuple[str, str], tokens: tuple[str, ...]) -> go.Figure:
    """Two maps of attention weights on one scale of colours."""
    left, right = (m[:MAX_ROWS, :MAX_ROWS] for m in (left, right))
    tokens = tokens[:MAX_ROWS]
    largest = max(extent(left), extent(right))
    figure = go.Figure()
    for axis, values in (("x", left), ("x2", right)):
        figure.add_heatmap(
            z=values,
            y=np.arange(len(tokens)),
            x=np.arange(values.shape[1]),
            xaxis=axis,
            zmin=0,
            zmax=largest,
            colorscale=SEQUENTIAL,
            xgap=1,
            ygap=1,
            hovertemplate="row %{y}, column %{x}: %{z:.4f}<extra></extra>",
            hoverongaps=False,
            showscale=axis == "x2",
            colorbar=colour_bar("attention<br>weight"),
        )
    across: dict[str, Any] = {"showgrid": False, "zeroline": False, "title": "looks at", **word_ticks(tokens)}
    across["tickangle"] = plot.WORD_ANGLE
    figure.update_layout(
        height=height_of(len(tokens)) + 60,
        margin=MARGIN,
        xaxis={"domain": [0, 0.48], **across},
        xaxis2={"domain": [0.52, 1], **across},
        yaxis=word_axis(tokens),
        annotations=[
            {
                "text": name,
                "x": x,
                "y": 1,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "center",
                "yanchor": "bottom",
                "showarrow": False,
            }
            for name, x in zip(names, (0.24, 0.76), strict=True)
        ],
    )
    return figure


def word_axis(tokens: tuple[str, ...]) -> dict:
    """A y axis of tokens, the first on top."""
    return {"autorange": "reversed", "showgrid": False, "zeroline": False, "title": "", **word_ticks(tokens)}


def word_ticks(tokens: tuple[str, ...], most: int = 32) -> dict:
    """The labels of an axis of tokens; of a long text every second, third, ..."""
    step = math.ceil(len(tokens) / most) or 1
    at = list(range(0, len(tokens), step))
    return {
        "tickvals": at,
        "ticktext": shortened([tokens[i] for i in at]),
        "tickfont": {"size": plot.TICK_SIZE, "color": QUIET},
    }


def shortened(tokens: Sequence[str]) -> list[str]:
    """Tokens as labels."""
    return [plot.escaped(shorten(token, 14)) for token in tokens]


def height_of(rows: int) -> int:
    """The height of a figure with a row per token."""
    return int(min(max(22 * rows + 90, 240), 620))


def extent(values: np.ndarray) -> float:
    """The largest size among the values, or 1 where all are 0."""
    return float(np.abs(values).max()) or 1.0 if values.size else 1.0


def colour_bar(title: str, **where: float) -> dict:
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
            x=float(x[at]),
            y=above,
            text=name,
            showarrow=False,
            xanchor="left",
            font={"size": plot.FONT_SIZE},
            **({"xshift": 14, "yshift": 13 if y[min(3, len(y) - 1)] <= y[0] else -15} if at_start else {"xshift": 8}),
        )


def legend() -> dict:
    """A legend in one row above the figure."""
    font = {"size": plot.TICK_SIZE}
    return {
        "orientation": "h",
        "x": 0,
        "y": 1.02,
        "yanchor": "bottom",
        "title": {"text": ""},
        "font": font,
        "entrywidth": 150,
    }


def sizes(models: Sequence[tuple[str, Sequence[int]]]) -> go.Figure:
    """Whole models as bars, from the smallest, each in its own scale: the shares of tables, attention, feed-forward
    layers and norms. At the left end of each stands the model above it, in the same scale."""
    figure = plot.figure([], 430, margin=plot.THIN_MARGIN | {"t": 10, "b": 62}, barmode="stack")
    totals = [sum(counts) for _, counts in models]
    rows = list(range(len(models), 0, -1))
    for n, (part, colour, opacity) in enumerate(PARTS):
        counts = [counts[n] for _, counts in models]
        shares = [count / total for count, total in zip(counts, totals, strict=True)]
        figure.add_bar(
            x=shares,
            y=rows,
            orientation="h",
            width=2 * HALF_BAR,
            marker={"color": colour, "opacity": opacity},
            text=[f"{part} {share:.0%}" if share > 0.08 else "" for share in shares],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            textfont={"size": plot.FONT_SIZE, "color": INK},
            customdata=counts,
            hovertemplate=f"{part}: %{{customdata:,}}, %{{x:.2%}}<extra></extra>",
        )
    for row, (name, _), total, before in zip(rows, models, totals, (0, *totals), strict=False):
        figure.add_annotation(
            x=0,
            y=row + HALF_BAR + 0.05,
            text=f"<b>{name}</b>: {total:,} parameters",
            showarrow=False,
            xanchor="left",
            yanchor="bottom",
            font={"size": plot.FONT_SIZE, "color": INK},
        )
        if before:
            figure.add_shape(
                type="rect",
                x0=0,
                x1=before / total,
                y0=row - HALF_BAR,
                y1=row + HALF_BAR,
                line={"color": INK, "width": 1.5},
                fillcolor=INK,
            )
    figure.add_annotation(
        x=0,
        xref="paper",
        y=0,
        yref="paper",
        xanchor="left",
        yanchor="top",
        showarrow=False,
        align="left",
        text="From left to right: embeddings, attention,<br>feed-forward; norms are the last line."
        "<br>The solid strip at the left of a bar is the whole model above it.",
        font={"size": plot.TICK_SIZE},
    )
    figure.update_layout(
        xaxis={"visible": False, "range": [0, 1]}, yaxis={"visible": False, "range": [0.7, len(models) + 0.6]}
    )
    return figure
