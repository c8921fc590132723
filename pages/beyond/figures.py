"""Figures of the page beyond language: where a head finds the partner of a bracket, and where it does not."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import INK, POSITIVE, QUIET


def bins(values: np.ndarray, edges: Sequence[int]) -> tuple[list[str], list[np.ndarray]]:
    """The values in classes from one edge to below the next, the last one open: their names, and who is in each.

    Classes with nothing in them are left out.
    """
    names, members = [], []
    for start, end in zip(edges, [*edges[1:], None], strict=True):
        inside = (values >= start) & ((values < end) if end is not None else True)
        if inside.any():
            names.append(f"{start}+" if end is None else str(start) if end == start + 1 else f"{start}–{end - 1}")
            members.append(inside)
    return names, members


def shares(
    names: Sequence[str],
    counts: Sequence[int],
    looked: Sequence[float],
    right: Sequence[float],
    offset: Sequence[float],
    title: str,
) -> go.Figure:
    """Three shares by class: the head looks at the partner, the model writes the right bracket, the best offset."""
    lines = (
        ("the model is right", right, INK, "solid", "diamond"),
        ("the head looks at it", looked, POSITIVE, "solid", "circle"),
        ("best fixed offset", offset, QUIET, "dot", "square"),
    )
    traces = [
        go.Scatter(
            x=list(range(len(names))),
            y=list(values),
            name=name,
            mode="lines+markers",
            line={"color": colour, "width": 2.5, "dash": dash},
            marker={"symbol": symbol, "size": 8},
            customdata=[[n] for n in counts],
            hovertemplate=f"{name}: %{{y:.0%}} of %{{customdata[0]:,}}<extra></extra>",
        )
        for name, values, colour, dash, symbol in lines
    ]
    return plot.figure(
        traces,
        340,
        showlegend=True,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"size": plot.TICK_SIZE}},
        margin=plot.MARGIN | {"t": 54, "b": 52},
        xaxis=plot.axis(title, tickvals=list(range(len(names))), ticktext=list(names), fixedrange=True),
        yaxis=plot.axis("share of closing brackets", range=[-0.03, 1.05], tickformat=".0%", fixedrange=True),
    )
