"""Figures of the masks page: what an edit moves, a row blocked in three ways, and the ports of an attention."""

import math
from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from pages.shared import palette, plot


def ladder(
    moved: np.ndarray, change: np.ndarray, predicted: np.ndarray, mask: np.ndarray, tokens: tuple[str, ...], edited: int
) -> go.Figure:
    """A dot per token (T) and height of the model (L + 1), with the input at the bottom.

    A dot is filled if it moved after the token `edited` was changed, and ringed if the mask says that it can. Lines
    lead from dots that moved to dots that could look at them. moved, change, predicted (L + 1, T); mask (T, T).
    """
    heights, T = moved.shape
    step = mask | np.eye(T, dtype=bool)
    x, y = [], []
    for height in range(heights - 1):
        for query, key in zip(*np.nonzero(step & moved[height]), strict=True):
            x += [int(key), int(query), None]
            y += [height, height + 1, None]
    figure = go.Figure(
        go.Scatter(x=x, y=y, mode="lines", line={"color": palette.QUERY, "width": 1.2}, opacity=0.3, hoverinfo="skip",
                   showlegend=False)
    )  # fmt: skip
    size = max(8, min(17, 300 // max(T, 1)))
    at = np.indices(moved.shape)
    start = (at[0] == 0) & (at[1] == edited)
    groups = [
        ("unmoved", ~moved & ~start, {"symbol": "circle-open", "color": palette.QUIET, "size": size - 4}),
        ("moved", moved & ~start, {"symbol": "circle", "color": palette.QUERY, "size": size - 4}),
        ("edited", start, {"symbol": "diamond", "color": palette.KEY, "size": size}),
        ("predicted", predicted & ~start,
         {"symbol": "circle-open", "color": palette.QUERY, "size": size + 3, "line": {"width": 1.5}}),
    ]  # fmt: skip
    names = [_shortened(token) for token in tokens]
    for name, which, marker in groups:
        where = np.argwhere(which)
        words = [
            f"{plot.escaped(tokens[key])}, {_height(int(height), heights)}"
            f"<br>{f'moved by up to {change[height, key]:.3g}' if moved[height, key] else 'not a bit has moved'}"
            for height, key in where
        ]
        ring = name.startswith("predicted")
        figure.add_scatter(
            x=where[:, 1], y=where[:, 0], mode="markers", name=name, marker=marker, text=words,
            hoverinfo="skip" if ring else "text",
        )  # fmt: skip
    figure.update_xaxes(
        title="token", tickvals=list(range(T)), ticktext=names, tickangle=-60 if T > 6 else 0, range=[-0.6, T - 0.4],
        showgrid=False, zeroline=False, tickfont={"size": 13},
    )  # fmt: skip
    figure.update_yaxes(
        title="height in the model", tickvals=list(range(heights)),
        ticktext=[_height(n, heights) for n in range(heights)], range=[-0.4, heights - 0.6], showgrid=False,
        zeroline=False, tickfont={"size": 13},
    )  # fmt: skip
    figure.update_layout(
        height=330, margin={"l": 8, "r": 8, "t": 8, "b": 8}, hovermode="closest",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"size": 13}},
    )  # fmt: skip
    return figure


def blocked_rows(
    names: list[str], weights: list[np.ndarray | None], allowed: list[bool], tokens: tuple[str, ...]
) -> go.Figure:
    """One row of weights (S) per way of blocking, the first on top; None for a way that failed.

    Blocked keys are hatched whatever their weight; NaN has no colour, but its name.
    """
    S = len(tokens)
    z, text = [], []
    for row in weights:
        values = [None] * S if row is None else [None if math.isnan(w) else float(w) for w in row]
        z.append(values)
        text.append([("" if row is None else "NaN") if w is None else _brief(w) for w in values])
    largest = max((w for row in z for w in row if w is not None), default=0) or 1
    figure = go.Figure(
        go.Heatmap(
            z=z, x=list(range(S)), y=list(range(len(names))), zmin=0, zmax=largest, colorscale=palette.SEQUENTIAL,
            xgap=3, ygap=8, showscale=False, text=text, texttemplate="%{text}", textfont={"size": 14},
            customdata=[list(map(plot.escaped, tokens))] * len(names),
            hovertemplate="%{customdata}: %{text}<extra></extra>",
        )
    )  # fmt: skip
    with_result = [row for row in range(len(names)) if weights[row] is not None]
    blocked = [(key, row) for row in with_result for key in range(S) if not allowed[key]]
    attended = {(key, row) for key, row in blocked if (z[row][key] or 0) > largest / 4}
    for name, colour, cells in (
        ("blocked key", palette.QUIET, [cell for cell in blocked if cell not in attended]),
        ("blocked, and yet looked at", palette.SEQUENTIAL[1][1], sorted(attended)),
    ):
        figure.add_scatter(
            x=[key + offset for key, _ in cells for offset in (-0.35, 0.35)], y=[row for _, row in cells for _ in "ab"],
            mode="markers", hoverinfo="skip", opacity=0.6, name=name, showlegend=name == "blocked key" and bool(cells),
            marker={"symbol": "line-ne", "size": 12, "line": {"width": 1.2, "color": colour}},
        )  # fmt: skip
    for row, name in enumerate(names):
        if weights[row] is None:
            figure.add_annotation(x=(S - 1) / 2, y=row, text=f"{name}: no result, an error", showarrow=False,
                                  font={"size": 14, "color": palette.QUIET})  # fmt: skip
    figure.update_xaxes(
        title="key", tickvals=list(range(S)), ticktext=[_shortened(token) for token in tokens], showgrid=False,
        zeroline=False, side="top", tickangle=-60 if S > 3 else 0, tickfont={"size": 13},
        range=[-0.5, S - 0.5],
    )  # fmt: skip
    figure.update_yaxes(
        title="blocked with", tickvals=list(range(len(names))), ticktext=[f"{name}  " for name in names],
        range=[len(names) - 0.5, -0.5], showgrid=False, zeroline=False, tickfont={"size": 15},
    )  # fmt: skip
    figure.update_layout(
        height=270, margin={"l": 8, "r": 8, "t": 8, "b": 8},
        legend={"orientation": "h", "y": -0.02, "yanchor": "top", "x": 0, "font": {"size": 13}},
    )  # fmt: skip
    return figure


def ports(sources: Mapping[str, str], lengths: Mapping[str, int], n_outputs: int | None, home: str) -> go.Figure:
    """The three ports of an attention, the streams that feed them, and where its output can go.

    sources    "queries", "keys", "values" -> the stream
    lengths    stream -> number of its vectors, in the order of drawing
    n_outputs  vectors that come out, None if nothing can
    home       the stream whose residual connection they are meant for
    """
    at = {stream: 1.0 - 1.0 * n for n, stream in enumerate(lengths)}
    port = {"queries": 1.0, "keys": 0.5, "values": 0.0}
    colours = {"queries": palette.QUERY, "keys": palette.KEY, "values": palette.VALUE}
    figure = go.Figure()
    for name, stream in sources.items():
        is_wrong = n_outputs is None and name != "queries"
        colour = palette.NEGATIVE if is_wrong else colours[name]
        figure.add_scatter(
            x=[0.14, 0.42], y=[at[stream], port[name]], mode="lines", showlegend=False, hoverinfo="skip", name=name,
            line={"color": colour, "width": 3, "dash": "dot" if is_wrong else "solid"},
        )  # fmt: skip
    fits = n_outputs is not None and n_outputs == lengths[home]
    figure.add_scatter(
        x=[0.72, 0.86], y=[0.5, at[home]], mode="lines", showlegend=False, hoverinfo="skip", name="output",
        line={"color": palette.WEIGHT if fits else palette.NEGATIVE, "width": 3, "dash": "solid" if fits else "dot"},
    )  # fmt: skip
    for height in port.values():
        figure.add_scatter(
            x=[0.54, 0.6], y=[height, 0.5], mode="lines", showlegend=False, hoverinfo="skip", name="inside",
            line={"color": palette.QUIET, "width": 1.5},
        )  # fmt: skip
    out = "no output" if n_outputs is None else f"{n_outputs} vectors"
    labels = [
        *((0.07, at[stream], f"<b>{stream}</b><br>{n} vectors") for stream, n in lengths.items()),
        *((0.48, port[name], f"{name}<br>{lengths[stream]}") for name, stream in sources.items()),
        (0.66, 0.5, "weights<br>× values"),
        (0.93, at[home], f"joins the<br><b>{home}</b>: {lengths[home]}"),
        (0.76, at[home] + 0.25 * (1 - 2 * at[home]), out),
    ]
    for x, y, text in labels:
        figure.add_annotation(x=x, y=y, text=text, showarrow=False, font={"size": 13.5})
    figure.update_xaxes(range=[0, 1], visible=False)
    figure.update_yaxes(range=[-0.35, 1.25], visible=False)
    return figure.update_layout(height=260, margin={"l": 8, "r": 8, "t": 8, "b": 8})


def _height(n: int, heights: int) -> str:
    if n == 0:
        return "input"
    return f"layer {n}" if n < heights - 1 else f"layer {n}, output"


def _brief(weight: float) -> str:
    return "0" if weight == 0 else f"{weight:.3f}".lstrip("0") if weight < 0.9995 else f"{weight:.3g}"


def _shortened(token: str) -> str:
    return plot.escaped(plot.shorten(token))
