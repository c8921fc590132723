"""Figures of what a model predicts with a head and without it."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import INK, POSITIVE, QUIET


def two_distributions(labels: Sequence[str], before: np.ndarray, after: np.ndarray, without: str) -> go.Figure:
    """The probabilities (n,) of some tokens as bars, with all heads and `without` some: one row per token."""
    rows = list(range(len(labels)))
    names = [plot.escaped(label) for label in labels]
    traces = [
        go.Bar(
            x=after,
            y=rows,
            orientation="h",
            name=without,
            marker_color=POSITIVE,
            customdata=names,
            width=0.62,
            hovertemplate=f"%{{customdata}}: %{{x:.1%}} {without}<extra></extra>",
        ),
        go.Scatter(
            x=before,
            y=rows,
            mode="markers",
            name="all heads in",
            customdata=names,
            marker={"symbol": "line-ns", "size": 18, "line": {"width": 3, "color": INK}},
            hovertemplate="%{customdata}: %{x:.1%} with all heads<extra></extra>",
        ),
        go.Scatter(
            x=np.column_stack([before, after, np.full(len(rows), np.nan)]).ravel(),
            y=np.repeat(rows, 3).astype(float),
            mode="lines",
            line={"color": QUIET, "width": 1.5},
            hoverinfo="skip",
            showlegend=False,
        ),
    ]
    largest = float(max(before.max(), after.max(), 1e-6))
    return plot.figure(
        traces,
        70 + 26 * len(rows),
        margin={"l": 110, "r": 14, "t": 30, "b": 44},
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": 1.01, "yanchor": "bottom", "title": None, "entrywidth": 190},
        xaxis=plot.axis("probability", tickformat=".0%", range=[0, 1.08 * largest]),
        yaxis=plot.word_rows(tuple(labels)),
    )
