"""The streams of two models side by side, the whole one and one without some of its parts."""

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import DIVERGING
from pages.blocks.figures import colour_bar, height_of, word_axis

MAX_ROWS = 24  # tokens, and of their vectors so many
MAX_FEATURES = 64
MAX_HEIGHTS = 7
_GAP = 0.012  # between two maps, of the width


def heights(n: int) -> list[int]:
    """Which of so many heights are drawn: the first and the last, and as many between them as there is room for."""
    return sorted({round(x) for x in np.linspace(0, n - 1, min(n, MAX_HEIGHTS))})


def shares(whole: np.ndarray, torn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both streams (L + 1, T, D) at the heights that are drawn, in shares of a scale that each height has for itself.

    The stream grows on its way up, so every height has its own scale: that of the whole model, in both.
    """
    shown = heights(len(whole))
    whole, torn = (x[shown, :MAX_ROWS, :MAX_FEATURES] for x in (whole, torn))
    scale = np.array([float(np.quantile(np.abs(x), 0.98)) or 1.0 for x in whole])[:, None, None]
    return np.clip(whole / scale, -1, 1), np.clip(torn / scale, -1, 1)


def two_streams(whole: np.ndarray, torn: np.ndarray, names: tuple[str, str], tokens: tuple[str, ...]) -> go.Figure:
    """A row of maps for each model, from the embedding to the last layer: a row per token, a column per feature."""
    tokens, shown = tokens[:MAX_ROWS], heights(len(whole))
    figure = go.Figure()
    wide = (1 + _GAP) / len(shown) - _GAP
    layout: dict = {}
    for row, (name, maps) in enumerate(zip(names, shares(whole, torn), strict=True)):
        y = f"y{row + 1}".replace("y1", "y")
        low, high = (0.54, 1) if row == 0 else (0, 0.46)
        layout[y.replace("y", "yaxis")] = {"domain": [low, high], **word_axis(tokens), "title": name}
        for n, values in enumerate(maps):
            number = row * len(shown) + n + 1
            x = "x" if number == 1 else f"x{number}"
            left = n * (wide + _GAP)
            label = "embedding" if shown[n] == 0 else f"after layer {shown[n] - 1}"
            layout[x.replace("x", "xaxis")] = {
                "domain": [left, min(1, left + wide)],
                "anchor": y,
                "showticklabels": False,
                "showgrid": False,
                "zeroline": False,
                "title": label if row == 1 else "",
            }
            figure.add_heatmap(
                z=values,
                y=np.arange(len(tokens)),
                xaxis=x,
                yaxis=y,
                zmin=-1,
                zmax=1,
                colorscale=DIVERGING,
                showscale=number == 1,
                colorbar=colour_bar("share of<br>the scale"),
                hovertemplate=f"{label}, token %{{y}}, feature %{{x}}: %{{z:.2f}} of the scale<extra></extra>",
            )
    figure.update_layout(height=2 * height_of(len(tokens)) - 60, margin=plot.THIN_MARGIN | {"t": 28}, **layout)
    return figure
