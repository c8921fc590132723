"""Figures of writing: contents and savings of a cache, one logit as a sum of products, and training without a mask."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from lab.kit.figures import plot
from lab.kit.figures.palette import INK, KEY, NEGATIVE, PANEL, POSITIVE, QUIET, VALUE

_MARGIN = {"l": 60, "r": 14, "t": 24, "b": 44}
_LEGEND = {
    "orientation": "h",
    "x": 0,
    "y": 1.02,
    "yanchor": "bottom",
    "title": None,
    "entrywidth": 120,
    "font": {"size": plot.FONT_SIZE},
}


def cache_blocks(tokens: Sequence[str], keys: np.ndarray, values: np.ndarray) -> go.Figure:
    """The size of each number that the cache holds. keys, values (L, T, F)."""
    L, T, F = keys.shape
    titles = [f"layer {layer}: {side}" for layer in range(L) for side in ("keys", "values")]
    figure = make_subplots(
        rows=L,
        cols=2,
        subplot_titles=titles,
        shared_xaxes=True,
        vertical_spacing=0.14 / max(1, L - 1) if L > 1 else 0,
        horizontal_spacing=0.05,
    )
    for side, (contents, colour) in enumerate(((keys, KEY), (values, VALUE))):
        largest = float(np.abs(contents).max()) or 1.0
        for layer in range(L):
            sizes = np.abs(contents[layer]).T.astype(float)
            figure.add_heatmap(
                z=sizes,
                x=np.arange(T),
                zmin=0,
                zmax=largest,
                colorscale=[[0, PANEL], [1, colour]],
                showscale=False,
                customdata=np.broadcast_to(np.array(tokens, dtype=object), sizes.shape),
                hovertemplate="%{customdata}, feature %{y}: size %{z:.2f}<extra></extra>",
                xgap=1,
                row=layer + 1,
                col=side + 1,
            )
    step = max(1, -(-T // 16))
    names = plot.words_along_x(tokens[::step], 10)
    figure.update_xaxes(
        tickvals=np.arange(0, T, step),
        ticktext=names["ticktext"],
        tickangle=names["tickangle"],
        range=[-0.5, T - 0.5],
        showgrid=False,
        zeroline=False,
    )
    figure.update_annotations(font_size=plot.FONT_SIZE)
    figure.update_yaxes(range=[-0.5, F - 0.5], showticklabels=False, showgrid=False, zeroline=False)
    figure.update_yaxes(title="feature", col=1)
    return figure.update_layout(height=90 + 110 * L, margin=_MARGIN | {"b": 66}, showlegend=False)


def two_lines(at: Sequence[int], cached: Sequence[float], uncached: Sequence[float], x: str, y: str) -> go.Figure:
    """With a cache (a full line) and without (a dashed one)."""
    figure = go.Figure()
    figure.add_scatter(
        x=list(at), y=list(uncached), name="without", mode="lines+markers", line={"color": QUIET, "dash": "dot"}
    )
    figure.add_scatter(x=list(at), y=list(cached), name="with a cache", mode="lines+markers", line={"color": INK})
    figure.update_xaxes(title=x)
    figure.update_yaxes(title=y, rangemode="tozero")
    return figure.update_layout(height=250, margin=_MARGIN, legend=_LEGEND)


def logit_sum(x: np.ndarray, row: np.ndarray, bias: float) -> go.Figure:
    """The vectors x and row (D,), and the sum of their products from the first feature to the last, plus the bias."""
    D = np.arange(len(x))
    figure = make_subplots(rows=3, cols=1, shared_xaxes=True, vertical_spacing=0.06, row_heights=[0.26, 0.26, 0.48])
    product = x.astype(float) * row
    for n, (name, numbers) in enumerate((("x", x), ("row", row), ("product", product)), start=1):
        figure.add_bar(
            x=D,
            y=numbers,
            marker_color=[POSITIVE if value >= 0 else NEGATIVE for value in numbers],
            row=n,
            col=1,
            hovertemplate=f"{name}, feature %{{x}}: %{{y:.3f}}<extra></extra>",
        )
    figure.add_scatter(
        x=D,
        y=np.cumsum(product) + bias,
        mode="lines",
        line={"color": INK, "width": 2.5, "shape": "hv"},
        row=3,
        col=1,
        hovertemplate="sum up to feature %{x}: %{y:.3f}<extra></extra>",
    )
    for n, title in enumerate(("x", "row", "products, and their sum"), start=1):
        figure.update_yaxes(title=title, row=n, col=1)
    figure.update_xaxes(title="feature", row=3, col=1)
    return figure.update_layout(height=430, margin=_MARGIN, showlegend=False, bargap=0.25)


def learned(curves: Mapping[str, Sequence[tuple[int, float]]], n_steps: int) -> go.Figure:
    """The share of right tokens while the true ones are shown, as (training step, share), up to step `n_steps`."""
    figure = go.Figure()
    for (name, curve), dash in zip(curves.items(), ("solid", "dot"), strict=False):
        figure.add_scatter(
            x=[step for step, _ in curve],
            y=[share for _, share in curve],
            name=name,
            mode="lines+markers",
            line={"color": INK, "dash": dash},
            marker={"size": 5},
        )
    figure.update_xaxes(title="training step", range=[0, n_steps])
    figure.update_yaxes(title="tokens right", range=[0, 1.05], tickformat=".0%")
    return figure.update_layout(height=260, margin=_MARGIN, legend=_LEGEND)
