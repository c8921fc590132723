"""The figures of the page on vision: numbers and labels in, plotly out."""

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import DIVERGING

GAP = 1  # empty cells between two maps


def position_maps(similarity: np.ndarray) -> go.Figure:
    """A map for every patch: the cosine of its row of the table with every row, laid out as the picture. (n, n)"""
    across = round(len(similarity) ** 0.5)
    step = across + GAP
    cells = np.full((across * step - GAP, across * step - GAP), np.nan)
    hover = np.full(cells.shape, "", object)
    for n, row in enumerate(similarity):
        top, left = n // across * step, n % across * step
        cells[top : top + across, left : left + across] = row.reshape(across, across)
        for m, value in enumerate(row):
            hover[top + m // across, left + m % across] = f"{_place(n, across)} and {_place(m, across)}: {value:.2f}"
    ticks = {
        "tickvals": [n * step + (across - 1) / 2 for n in range(across)],
        "ticktext": [str(n + 1) for n in range(across)],
        "showline": False,
    }
    # Every patch is like itself, so the colours end with the largest cosine of two different ones.
    others = similarity[~np.eye(len(similarity), dtype=bool)]
    end = float(np.abs(others).max()) or 1.0
    trace = go.Heatmap(
        z=cells,
        text=hover,
        hovertemplate="%{text}<extra></extra>",
        colorscale=DIVERGING,
        zmin=-end,
        zmax=end,
        xgap=0.5,
        ygap=0.5,
        colorbar=plot.colour_bar("cosine"),
    )
    rows = plot.axis("row of the patch", **ticks, autorange="reversed", scaleanchor="x", constrain="domain")
    columns = plot.axis("column of the patch", **ticks, constrain="domain")
    return plot.figure([trace], 430, xaxis=columns, yaxis=rows)


def _place(n: int, across: int) -> str:
    return f"row {n // across + 1}, column {n % across + 1}"
