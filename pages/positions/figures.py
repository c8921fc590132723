"""Figures of the page on positions: waves, sums, distances, biases and what lies past the training length."""

import numpy as np
import plotly.graph_objects as go

from pages.shared import palette, plot

MAX_LABEL = 12  # letters of a word beside its row


def heatmap(table: np.ndarray, pair: int) -> go.Figure:
    """The sinusoidal table (length, d_model): a row per position, a column per dimension; the chosen pair is framed."""
    length, d = table.shape
    # Hovering tells the pair of a column, unless the table is so large that this would double the message.
    is_small = table.size <= 40_000
    pairs = np.broadcast_to(np.arange(d, dtype="i2") // 2, table.shape) if is_small else None
    pair_text = ", pair %{customdata}" if is_small else ""
    trace = go.Heatmap(
        z=table.astype("f4"),
        **plot.diverging_colours(1.0),
        customdata=pairs,
        colorbar=plot.colour_bar("PE"),
        hovertemplate=f"position %{{y}}, column %{{x}}{pair_text}<br>PE = %{{z:.3f}}<extra></extra>",
    )
    right = min(2 * pair + 1.5, d - 0.5)
    frame = {
        "type": "rect", "x0": 2 * pair - 0.5, "x1": right, "y0": -0.5, "y1": length - 0.5,
        "line": {"color": palette.QUIET, "width": 2}, "fillcolor": "rgba(0,0,0,0)",
    }  # fmt: skip
    return plot.figure(
        [trace],
        320,
        shapes=[frame],
        xaxis=plot.axis("column: 2i is a sine, 2i + 1 its cosine"),
        yaxis=plot.axis("position", autorange="reversed"),
    )


def curves(table: np.ndarray, pair: int) -> go.Figure:
    """One pair of columns by position: the sine, and (if the pair has one) the cosine."""
    length, d = table.shape
    x = np.arange(length)
    mode = "lines+markers" if length <= 64 else "lines"
    names = [(2 * pair, "sin", "solid", palette.WEIGHT), (2 * pair + 1, "cos", "dash", palette.QUIET)]
    traces = [
        go.Scatter(
            x=x,
            y=table[:, column],
            mode=mode,
            name=f"column {column}: {name}",
            line={"color": colour, "width": 2.2, "dash": dash},
            marker={"size": 4.5},
            hovertemplate=f"position %{{x}}<br>column {column} = %{{y:.3f}}<extra></extra>",
        )
        for column, name, dash, colour in names
        if column < d
    ]
    return plot.figure(
        traces,
        200,
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        margin={**plot.MARGIN, "t": 30},
        xaxis=plot.axis("position", range=[-0.5, length - 0.5]),
        yaxis=plot.axis("PE", range=[-1.1, 1.1], tickvals=[-1, 0, 1]),
    )


def wavelengths(values: np.ndarray, length: int, pair: int) -> go.Figure:
    """Positions per full turn of each pair, on a log axis, with the length of the text as a line."""
    i = np.arange(len(values))
    trace = go.Scatter(
        x=i,
        y=values,
        mode="markers",
        marker={
            "size": np.where(i == pair, 12, 7),
            "color": [palette.WEIGHT if n == pair else palette.QUIET for n in i],
        },
        hovertemplate="pair %{x}<br>a full turn in %{y:,.1f} positions<extra></extra>",
    )
    line = {
        "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": length, "y1": length,
        "line": {"color": palette.QUIET, "width": 1.5, "dash": "dot"},
    }  # fmt: skip
    note = {
        "xref": "paper", "x": 0.02, "y": np.log10(length), "yref": "y", "text": f"{length} shown",
        "showarrow": False, "xanchor": "left", "yanchor": "bottom", "font": {"size": 12.5},
    }  # fmt: skip
    return plot.figure(
        [trace],
        200,
        margin={**plot.MARGIN, "t": 18},
        shapes=[line],
        annotations=[note],
        xaxis=plot.axis("pair i"),
        yaxis=plot.axis("a turn", type="log", exponentformat="power", dtick=1),
    )


def distance_matrix(matrix: np.ndarray, anchor: int) -> go.Figure:
    """PE(a) . PE(b) for all pairs of positions; the anchor's row is framed."""
    length = len(matrix)
    low, high = float(matrix.min()), float(matrix.max())
    largest = max(abs(low), abs(high))
    trace = go.Heatmap(
        z=matrix.astype("f4"),
        **plot.diverging_colours(largest),
        colorbar=plot.colour_bar("PE · PE"),
        hovertemplate="position %{y} and position %{x}<br>likeness %{z:.2f}<extra></extra>",
    )
    frame = {
        "type": "rect", "x0": -0.5, "x1": length - 0.5, "y0": anchor - 0.5, "y1": anchor + 0.5,
        "line": {"color": palette.QUIET, "width": 2}, "fillcolor": "rgba(0,0,0,0)",
    }  # fmt: skip
    return plot.figure(
        [trace],
        380,
        shapes=[frame],
        xaxis=plot.axis("position b", constrain="domain"),
        yaxis=plot.axis("position a", autorange="reversed", scaleanchor="x", constrain="domain"),
    )


def distance_curve(matrix: np.ndarray, anchor: int) -> go.Figure:
    """The anchor's row as a curve, amber and thick where likeness rises with the distance."""
    row, positions = matrix[anchor], np.arange(len(matrix))
    # Likeness rises between neighbours if it is larger at the one further from the anchor.
    step = np.diff(row) * np.where(positions[1:] > anchor, 1, -1)
    x, y = [], []
    for n in np.flatnonzero(step > 1e-12):
        x += [n, n + 1, None]
        y += [row[n], row[n + 1], None]
    traces = [
        go.Scatter(
            x=positions,
            y=row,
            mode="lines",
            line={"color": palette.WEIGHT, "width": 2.2},
            customdata=abs(positions - anchor),
            hovertemplate="position %{x}, distance %{customdata}<br>likeness %{y:.2f}<extra></extra>",
            showlegend=False,
        ),
        go.Scatter(
            x=x,
            y=y,
            mode="lines",
            name="more alike, though further",
            line={"color": palette.NEGATIVE, "width": 4},
            hoverinfo="skip",
            showlegend=True,
        ),
    ]
    line = {
        "type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": anchor, "x1": anchor,
        "line": {"color": palette.QUIET, "width": 1.5, "dash": "dot"},
    }  # fmt: skip
    return plot.figure(
        traces,
        380,
        showlegend=True,
        legend={"x": 0, "y": 1.02, "yanchor": "bottom", "orientation": "h"},
        margin={**plot.MARGIN, "t": 30},
        shapes=[line],
        xaxis=plot.axis("position b"),
        yaxis=plot.axis(f"likeness to position {anchor}"),
    )


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
        notes.append(_note(name, left + width / 2))
        if i:
            notes.append(_note("+" if i < n - 1 else "=", left - gap / 2, y=0.5, size=20, anchor="middle"))
    return plot.figure(
        traces,
        max(250, min(440, 130 + 40 * T)),
        annotations=notes,
        margin={"l": 96, "r": 10, "t": 34, "b": 46},
        coloraxis={
            "colorscale": palette.DIVERGING,
            "cmin": -largest,
            "cmax": largest,
            "colorbar": plot.colour_bar("value"),
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
            line={"color": palette.WEIGHT, "width": 2.2},
            opacity=1 - 0.75 * h / max(H, 1),
            hovertemplate=f"head {h}, key − query = %{{x}}<br>bias %{{y:.3f}}<extra></extra>",
        )
        for h in range(H)
    ]
    return plot.figure(
        traces,
        230,
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
        max(170, 90 + 17 * len(by_offset)),
        xaxis=plot.axis("key − query: behind on the left, ahead on the right"),
        yaxis=plot.axis("head", autorange="reversed", dtick=1 if len(by_offset) < 9 else 4),
    )


def learned_table(table: np.ndarray) -> go.Figure:
    """A learned table (max_len, d_model) before training."""
    largest = float(np.abs(table).max())
    trace = go.Heatmap(
        z=table.astype("f4"),
        **plot.diverging_colours(largest),
        colorbar=plot.colour_bar("value"),
        hovertemplate="position %{y}, feature %{x}<br>%{z:.3f}<extra></extra>",
    )
    return plot.figure([trace], 360, xaxis=plot.axis("feature"), yaxis=plot.axis("position", autorange="reversed"))


def gradient(norms: np.ndarray) -> go.Figure:
    """The size of the gradient of each row of a learned table."""
    trace = go.Bar(
        x=norms,
        y=np.arange(len(norms)),
        orientation="h",
        marker={"color": palette.WEIGHT},
        hovertemplate="position %{y}<br>gradient %{x:.2f}<extra></extra>",
    )
    return plot.figure(
        [trace],
        360,
        xaxis=plot.axis("size of the gradient", rangemode="tozero"),
        yaxis=plot.axis("position", range=[len(norms) - 0.5, -0.5]),
    )


def look_back(weights: np.ndarray, k: int) -> go.Figure:
    """The weights (T, T) of a head that should look k places back, with a dotted line along that diagonal."""
    T = len(weights)
    trace = go.Heatmap(
        z=weights.astype("f4"),
        colorscale=palette.SEQUENTIAL,
        zmin=0,
        zmax=max(float(weights.max()), 1e-9),
        colorbar=plot.colour_bar("weight"),
        hovertemplate="query at %{y} looks at key %{x}<br>weight %{z:.3f}<extra></extra>",
    )
    line = {
        "type": "line", "x0": -0.5, "y0": k - 0.5, "x1": T - k - 0.5, "y1": T - 0.5,
        "line": {"color": palette.QUIET, "width": 1.5, "dash": "dot"},
    }  # fmt: skip
    return plot.figure(
        [trace],
        430,
        shapes=[line],
        xaxis=plot.axis("key", constrain="domain", range=[-0.5, T - 0.5]),
        yaxis=plot.axis("query", range=[T - 0.5, -0.5], scaleanchor="x", constrain="domain"),
    )


def extrapolation(trained: int, panels: list[tuple[str, str, np.ndarray]]) -> go.Figure:
    """What each scheme gives a model: one panel per (name, what x counts, values), with gaps at NaN.

    The background is grey from the training length on.
    """
    n = len(panels)
    gap = 0.055
    height = (1 - gap * (n - 1)) / n
    traces, layout, notes, shapes = [], {}, [], []
    length = len(panels[0][2])
    for i, (name, unit, values) in enumerate(panels):
        number = "" if i == 0 else str(i + 1)
        top = 1 - i * (height + gap)
        traces.append(
            go.Scatter(
                x=np.arange(length),
                y=values,
                xaxis="x",
                yaxis=f"y{number}",
                mode="lines",
                connectgaps=False,
                name=name,
                line={"color": palette.WEIGHT, "width": 2},
                hovertemplate=f"{name}, {unit} %{{x}}<br>%{{y:.3f}}<extra></extra>",
            )
        )
        layout[f"yaxis{number}"] = plot.axis(
            "", domain=[max(0.0, top - height), top], anchor="x", nticks=3, showline=False, tickfont={"size": 11.5}
        )
        notes.append(
            {
                "text": name, "x": 0, "y": top, "xref": "paper", "yref": "paper", "xanchor": "left",
                "yanchor": "bottom", "showarrow": False, "font": {"size": 13.5},
            }
        )  # fmt: skip
        missing = np.flatnonzero(np.isnan(values))
        if len(missing):
            notes.append(
                {
                    "text": "no row: an error", "x": (missing[0] + missing[-1]) / 2, "y": top - height / 2,
                    "xref": "x", "yref": "paper", "showarrow": False, "font": {"size": 13},
                }
            )  # fmt: skip
    shapes.append(
        {
            "type": "rect", "xref": "x", "yref": "paper", "x0": trained, "x1": length - 1, "y0": 0, "y1": 1,
            "fillcolor": palette.QUIET, "opacity": 0.12, "line": {"width": 0}, "layer": "below",
        }
    )  # fmt: skip
    layout["xaxis"] = plot.axis(
        "position (sinusoidal, learned, rotary) or distance (T5, ALiBi)", anchor=f"y{n}", range=[0, length - 1]
    )
    return plot.figure(
        traces,
        470,
        annotations=notes,
        shapes=shapes,
        margin={"l": 58, "r": 14, "t": 26, "b": 46},
        **layout,
    )


def _note(text: str, x: float, y: float = 1.0, size: float = 14.5, anchor: str = "bottom") -> dict:
    """A text at a place of the figure, in shares of its width and height."""
    return {
        "text": text, "x": x, "y": y, "xref": "paper", "yref": "paper", "xanchor": "center", "yanchor": anchor,
        "showarrow": False, "font": {"size": size},
    }  # fmt: skip
