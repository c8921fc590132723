"""The figure of experts: what the router gives each of them, token by token."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import INK


def routing(shares: np.ndarray, experts: np.ndarray, tokens: Sequence[str]) -> go.Figure:
    """shares (L, T, E) as a map, a row per layer and expert, the last layer on top; a ring marks the experts (L, T, k)
    that were chosen."""
    L, T, E = shares.shape
    rows = [(layer, expert) for layer in reversed(range(L)) for expert in [*range(E), None]][:-1]
    z = np.full((len(rows), T), np.nan)
    for y, (layer, expert) in enumerate(rows):
        if expert is not None:
            z[y] = shares[layer, :, expert]
    chosen = [(t, rows.index((layer, int(e)))) for layer in range(L) for t in range(T) for e in experts[layer, t]]
    names = [f"layer {layer}, expert {expert}" if expert is not None else "" for layer, expert in rows]
    labels = [
        f"<b>layer {layer}</b>  0" if expert == 0 else str(expert) for layer, expert in rows if expert is not None
    ]
    traces = [
        go.Heatmap(
            z=z,
            **plot.magnitude_colours(1.0),
            hoverongaps=False,
            xgap=1,
            ygap=1,
            colorbar=plot.colour_bar_below("router’s share"),
            customdata=[[f"{plot.escaped(token)}: {name}" for token in tokens] for name in names],
            hovertemplate="%{customdata} %{z:.2f}<extra></extra>",
        ),
        go.Scatter(
            x=[t for t, _ in chosen],
            y=[y for _, y in chosen],
            mode="markers",
            hoverinfo="skip",
            marker={"symbol": "circle-open", "size": 11, "color": INK, "line": {"width": 2}},
        ),
    ]
    return plot.figure(
        traces,
        150 + 24 * len(rows),
        margin={"l": 78, "r": 10, "t": 8, "b": 110},
        xaxis=plot.axis("", **plot.words_along_x(tokens)),
        yaxis=plot.axis(
            "",
            autorange="reversed",
            ticktext=labels,
            tickvals=[y for y, (_, expert) in enumerate(rows) if expert is not None],
        ),
    )
