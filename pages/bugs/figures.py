"""Figures of the museum: a map of tokens, bars, and curves of a loss."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import palette, plot

ROUNDING = 1e-4  # what is below is drawn as 0
MOST_NAMED = 12  # rows that are all named
HEIGHT = 230  # unless page.css fits it to the window
NARROW = {"l": 8, "r": 8, "t": 10, "b": 8}  # words along an axis make room for themselves


def map_of(
    values: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    titles: tuple[str, str],
    value: str,
    is_weight: bool,
    stairs: bool,
) -> go.Figure:
    """Numbers (rows, columns) as colours from 0; cells that are not a number bear the letters NaN.

    titles     of the rows and of the columns
    is_weight  whether they are attention weights, which alone are violet
    stairs     whether to draw the edge that a causal mask draws: nothing may be right of it
    """
    known = np.nan_to_num(values)
    largest = float(known.max()) or 1.0
    colours = {"colorscale": palette.SEQUENTIAL, "zmin": 0, "zmax": largest}
    trace = go.Heatmap(
        z=values,
        **(colours if is_weight else plot.magnitude_colours(largest)),
        xgap=1,
        ygap=1,
        customdata=np.dstack(np.meshgrid(plot.numbered(tuple(columns)), plot.numbered(tuple(rows)))),
        colorbar=plot.colour_bar_below(value),
        hovertemplate=f"%{{customdata[1]}} · %{{customdata[0]}}<br>{value} %{{z:.3f}}<extra></extra>",
        hoverongaps=False,
    )
    traces: list = [trace]
    if np.isnan(values).any():
        traces.append(_letters(values))
    if stairs:
        traces.append(_stairs(len(rows)))
    return plot.figure(
        traces,
        HEIGHT,
        margin={**NARROW, "b": 48},
        xaxis=plot.axis(titles[1], **_words(columns), range=[-0.5, len(columns) - 0.5]),
        yaxis=_rows(tuple(rows), titles[0]),
    )


def _rows(labels: tuple[str, ...], title: str) -> dict:
    """The words along y; of many every other one, to the last: in a low window their letters would overlap."""
    axis = plot.word_rows(labels, title) | {"autorange": False, "range": [len(labels) - 0.5, -0.5]}
    if len(labels) <= MOST_NAMED:
        return axis
    named = range((len(labels) - 1) % 2, len(labels), 2)
    return axis | {"tickvals": list(named), "ticktext": [axis["ticktext"][n] for n in named]}


def _words(labels: Sequence[str], max_letters: int = 12) -> dict:
    """The words along x, upright where the window leaves them room, and else turned as everywhere."""
    return {**plot.words_along_x(labels, max_letters), "tickangle": None, "autotickangles": [0, plot.WORD_ANGLE]}


def _letters(values: np.ndarray) -> go.Scatter:
    """ "NaN" in every cell that is none: a heatmap writes nothing where it has no number."""
    rows, columns = np.nonzero(np.isnan(values))
    return go.Scatter(
        x=columns, y=rows, mode="text", text=["NaN"] * len(rows), textfont={"size": plot.TICK_SIZE}, hoverinfo="skip"
    )


def _stairs(n: int) -> go.Scatter:
    """The right edge of the lower triangle with its diagonal."""
    steps = np.repeat(np.arange(n + 1), 2) - 0.5
    return go.Scatter(
        x=steps[1:], y=steps[:-1], mode="lines", line={"color": palette.INK, "width": 2}, hoverinfo="skip"
    )


def bars(
    values: np.ndarray, labels: Sequence[str], *, titles: tuple[str, str], healthy: float | None = None
) -> go.Figure:
    """One bar per number, labelled; a dotted line where a healthy model has them. titles: of x and y."""
    n = len(labels)
    known = np.nan_to_num(values)
    trace = go.Bar(
        x=list(range(n)),
        y=known,
        marker={"color": palette.POSITIVE},
        customdata=plot.numbered(tuple(labels)),
        hovertemplate="%{customdata}: %{y:.4g}<extra></extra>",
    )
    missing = np.flatnonzero(np.isnan(values))
    largest = max(float(known.max()), healthy or 0.0)
    top = 1.12 * largest if largest > ROUNDING else 1.0
    traces: list = [trace]
    if len(missing):
        traces.append(
            go.Scatter(
                x=missing,
                y=[0.04 * top] * len(missing),
                mode="text",
                text=["NaN"] * len(missing),
                hoverinfo="skip",
                textfont={"size": plot.TICK_SIZE},
            )
        )
    return plot.figure(
        traces,
        HEIGHT,
        **(_healthy(healthy, n) if healthy is not None else {}),
        bargap=0.25,
        margin={**NARROW, "l": 64, "r": 82 if healthy is not None else NARROW["r"]},
        xaxis=plot.axis(titles[0], **_words(labels, 16), range=[-0.6, n - 0.4]),
        yaxis=plot.axis(titles[1], range=[0, top], showgrid=True, gridcolor=palette.LINE, rangemode="tozero"),
    )


def _healthy(height: float, n: int) -> dict:
    """Where a healthy model has its n bars. It is written beside them: on the line it would be over higher ones."""
    line = {"color": palette.INK, "width": 2, "dash": "dot"}
    note = {
        "text": f"healthy: {height:g}",
        "x": 1,
        "xref": "paper",
        "xanchor": "left",
        "xshift": 4,
        "y": height,
        "yanchor": "middle" if height else "bottom",
        "align": "left",
        "showarrow": False,
        "font": {"size": plot.TICK_SIZE},
    }
    shape = {"type": "line", "x0": -0.5, "x1": n - 0.5, "y0": height, "y1": height, "line": line}
    return {"shapes": [shape], "annotations": [note]}


def on_scale_of(drawn: go.Figure, other: go.Figure) -> go.Figure:
    """Bars as high as they would be beside those of the other figure; any other picture as it is."""
    if not all(isinstance(one.data[0], go.Bar) for one in (drawn, other)):
        return drawn
    top = max(one.layout.yaxis.range[1] for one in (drawn, other))
    return drawn.update_yaxes(range=[0, top])


def curves(losses: np.ndarray, names: Sequence[str]) -> go.Figure:
    """One curve of a loss per row, (n, steps)."""
    steps = list(range(1, losses.shape[1] + 1))
    styles = [{"color": palette.INK, "width": 2.5}, {"color": palette.POSITIVE, "width": 2.5, "dash": "dot"}]
    traces = [
        go.Scatter(
            x=steps,
            y=row,
            mode="lines",
            name=name,
            line=style,
            hovertemplate=f"step %{{x}}<br>{name} %{{y:.3f}}<extra></extra>",
        )
        for row, name, style in zip(losses, names, styles, strict=False)
    ]
    return plot.figure(
        traces,
        HEIGHT,
        showlegend=len(names) > 1,
        margin={**NARROW, "l": 64, "t": 34},
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": plot.FONT_SIZE}},
        xaxis=plot.axis("step of training"),
        yaxis=plot.axis(
            "loss (nats per token)", range=[0, float(losses.max()) * 1.05], showgrid=True, gridcolor=palette.LINE
        ),
    )
