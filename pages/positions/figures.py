"""Figures of the page on positions: sums, distances, biases, and a head that looks back."""

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import palette, plot

MAX_LABEL = 12  # letters of a word beside its row
BIAS_HEIGHT = 430  # pixels of the maps of a bias, and of its curves beside them


def distance_matrix(matrix: np.ndarray) -> go.Figure:
    """PE(a) . PE(b) for all pairs of positions. The colours end where the numbers do, and zero is the panel's."""
    length = len(matrix)
    trace = go.Heatmap(
        z=matrix.astype("f4"),
        **_signed_colours(float(matrix.min()), float(matrix.max())),
        colorbar=plot.colour_bar("similarity"),
        hovertemplate="positions %{y} and %{x}<br>similarity %{z:.2f}<extra></extra>",
    )
    return plot.figure(
        [trace],
        380,
        xaxis=plot.axis("position", constrain="domain", range=[-0.5, length - 0.5]),
        yaxis=plot.axis("position", range=[length - 0.5, -0.5], scaleanchor="x", constrain="domain"),
    )


def _signed_colours(low: float, high: float) -> dict:
    """The diverging colours without the part below zero that no number comes near; low <= 0 < high or low > 0."""
    if low >= 0:
        return plot.magnitude_colours(high)
    # The colours are stand-ins until they reach the browser, so that they can be cut at one of their stops only.
    stops = [(n / 10, str(colour)) for n, (_, colour) in enumerate(palette.DIVERGING)]
    start = max((share for share, _ in stops if (2 * share - 1) * high <= low), default=0.0)
    scale = [[(share - start) / (1 - start), colour] for share, colour in stops if share >= start]
    return {"colorscale": scale, "zmin": (2 * start - 1) * high, "zmax": high}


def summands(words: tuple[str, ...], parts: list[tuple[str, np.ndarray]]) -> go.Figure:
    """Heatmaps of (T, D) side by side on one colour scale, in the order of a sum: a + b = c."""
    largest = max(float(np.abs(part).max()) for _, part in parts) or 1.0
    T, n = len(words), len(parts)
    gap = 0.05
    width = (1 - gap * (n - 1)) / n
    traces, layout, notes = [], {}, []
    every = 1 if T <= 24 else T // 12  # rows that have a label
    for i, (name, part) in enumerate(parts):
        number = "" if i == 0 else str(i + 1)
        left = i * (width + gap)
        traces.append(
            go.Heatmap(
                z=part.astype("f4"),
                xaxis=f"x{number}",
                yaxis=f"y{number}",
                coloraxis="coloraxis",
                name=name,
                hovertemplate=f"{name}<br>row %{{y}}, feature %{{x}}<br>%{{z:.3f}}<extra></extra>",
            )
        )
        layout[f"xaxis{number}"] = plot.axis("feature", domain=[left, left + width], anchor=f"y{number}")
        layout[f"yaxis{number}"] = plot.axis(
            "token" if i == 0 else "",
            autorange="reversed",
            anchor=f"x{number}",
            tickvals=list(range(0, T, every)),
            ticktext=[w if len(w) <= MAX_LABEL else w[:MAX_LABEL] + "…" for w in words[::every]],
            showticklabels=i == 0,
            ticks="",
        )
        notes.append(_note(name, left + width / 2, size=14.5))
        if i:
            sign = "+" if i < n - 1 else "="
            notes.append(_note(sign, left - gap / 2, y=0.5, size=20, anchor="middle"))
    return plot.figure(
        traces,
        max(290, min(470, 170 + 40 * T)),
        annotations=notes,
        margin={"l": 96, "r": 10, "t": 34, "b": 92},
        coloraxis={
            "colorscale": palette.DIVERGING,
            "cmin": -largest,
            "cmax": largest,
            "colorbar": plot.colour_bar_below("value"),
        },
        **layout,
    )


def bias_curves(by_offset: np.ndarray, reach: int) -> go.Figure:
    """The bias of every head by key - query: a line per head, the first one strongest."""
    H = len(by_offset)
    x = np.arange(-reach, reach + 1)
    traces = [
        go.Scatter(
            x=x,
            y=by_offset[h],
            mode="lines",
            name=f"head {h}",
            line={"color": palette.INK, "width": 2.2},
            opacity=1 - 0.75 * h / max(H, 1),
            hovertemplate=f"head {h}, key − query = %{{x}}<br>bias %{{y:.3f}}<extra></extra>",
        )
        for h in range(H)
    ]
    return plot.figure(
        traces,
        BIAS_HEIGHT,
        xaxis=plot.axis("key − query: behind on the left, ahead on the right", range=[-reach, reach]),
        yaxis=plot.axis("bias on the score"),
    )


def bias_strips(by_offset: np.ndarray, reach: int) -> go.Figure:
    """The bias of every head by key - query, as colours: a row per head. A stretch of one colour is a bucket."""
    trace = go.Heatmap(
        z=by_offset.astype("f4"),
        x=np.arange(-reach, reach + 1),
        **plot.diverging_colours(float(np.abs(by_offset).max())),
        colorbar=plot.colour_bar("bias"),
        hovertemplate="head %{y}, key − query = %{x}<br>bias %{z:.3f}<extra></extra>",
    )
    return plot.figure(
        [trace],
        BIAS_HEIGHT,
        xaxis=plot.axis("key − query: behind on the left, ahead on the right"),
        yaxis=plot.axis("head", autorange="reversed", dtick=1 if len(by_offset) < 9 else 4),
    )


def learned_table(table: np.ndarray) -> go.Figure:
    """A learned table (rows, d_model) before training."""
    largest = float(np.abs(table).max())
    trace = go.Heatmap(
        z=table.astype("f4"),
        **plot.diverging_colours(largest),
        colorbar=plot.colour_bar("value"),
        hovertemplate="row %{y}, feature %{x}<br>%{z:.3f}<extra></extra>",
    )
    return plot.figure(
        [trace],
        440,
        annotations=[_note("the table before training: random", 0.5)],
        margin={**plot.MARGIN, "t": 30},
        xaxis=plot.axis("feature"),
        yaxis=plot.axis("row", autorange="reversed"),
    )


def gradient(norms: np.ndarray) -> go.Figure:
    """The size of the gradient of each row of a learned table."""
    trace = go.Bar(
        x=norms,
        y=np.arange(len(norms)),
        orientation="h",
        marker={"color": palette.POSITIVE},
        hovertemplate="row %{y}<br>gradient %{x:.2f}<extra></extra>",
    )
    return plot.figure(
        [trace],
        440,
        annotations=[_note("what one text changes in it", 0.5)],
        margin={**plot.MARGIN, "t": 30},
        xaxis=plot.axis("size of the gradient", rangemode="tozero"),
        yaxis=plot.axis("row", range=[len(norms) - 0.5, -0.5]),
    )


def look_back(weights: np.ndarray, k: int, trained: int) -> go.Figure:
    """The attention weights of a head that should look k positions back, with a dotted line along that diagonal, in a
    text longer than the trained one; NaN where the model cannot read it."""
    length = len(weights)
    trace = go.Heatmap(
        z=weights.astype("f4"),
        colorscale=palette.SEQUENTIAL,
        zmin=0,
        zmax=max(float(np.nanmax(weights)), 1e-9),
        colorbar=plot.colour_bar_below("attention weight"),
        hoverongaps=False,
        hovertemplate="query at %{y} looks at key %{x}<br>attention weight %{z:.3f}<extra></extra>",
    )
    edge, end = trained - 0.5, length - 0.5
    line = {"type": "line", "line": {"color": palette.QUIET, "width": 1.5, "dash": "dot"}}
    rule = {"type": "line", "line": {"color": palette.INK, "width": 1.5}}
    shapes = [
        line | {"x0": -0.5, "y0": k - 0.5, "x1": end - k, "y1": end},
        rule | {"x0": edge, "x1": edge, "y0": -0.5, "y1": end},
        rule | {"x0": -0.5, "x1": end, "y0": edge, "y1": edge},
    ]
    beyond = bool(np.isnan(weights).any())
    shade = {"type": "rect", "fillcolor": palette.QUIET, "opacity": 0.16 if beyond else 0.07, "line": {"width": 0}}
    shapes += [
        shade | {"x0": edge, "x1": end, "y0": -0.5, "y1": end},
        shade | {"x0": -0.5, "x1": edge, "y0": edge, "y1": end},
    ]
    note = {"showarrow": False, "font": {"size": 13}, "xref": "x", "yref": "y"}
    notes = [
        note | {"text": f"training: {trained} positions", "x": -0.5, "y": -0.5, "xanchor": "left", "yanchor": "bottom"},
        note | {"text": "longer", "x": end, "y": -0.5, "xanchor": "right", "yanchor": "bottom"},
    ]
    if beyond:
        notes.append(note | {"text": "no rows: an error", "x": trained / 2 - 0.5, "y": (edge + end) / 2})
    return plot.figure(
        [trace],
        450,
        shapes=shapes,
        annotations=notes,
        margin={**plot.MARGIN, "t": 26, "b": 92},
        xaxis=plot.axis("key: looked at", constrain="domain", range=[-0.5, end]),
        yaxis=plot.axis("query: looks", range=[end, -0.5], scaleanchor="x", constrain="domain"),
    )


def _note(text: str, x: float, y: float = 1.0, size: float = 14.5, anchor: str = "bottom") -> dict:
    """A text at a place of the figure, in shares of its width and height."""
    return {
        "text": text,
        "x": x,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "center",
        "yanchor": anchor,
        "showarrow": False,
        "font": {"size": size},
    }
