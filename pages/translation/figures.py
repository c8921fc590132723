"""Figures of a translation: what an edit changes, how alike vectors are on their way up, what a plug costs."""

import numpy as np
import plotly.graph_objects as go

from pages.shared.palette import DIVERGING, QUERY, QUIET, SEQUENTIAL, WEIGHT

_MARGIN = {"l": 8, "r": 8, "t": 8, "b": 8}


def cross(queries: tuple[str, ...], keys: tuple[str, ...], weights: np.ndarray, largest: float) -> go.Figure:
    """Where every target word looks, (T, S); colours end at `largest`, so that two maps can be compared."""
    return _map(queries, keys, weights, SEQUENTIAL, (0.0, largest), "weight")


def change(queries: tuple[str, ...], keys: tuple[str, ...], gap: np.ndarray) -> go.Figure:
    """What an edit changed, (T, S): violet where B looks more, amber where A did; NaN where a word is in one only."""
    reach = float(np.nanmax(np.abs(gap), initial=0.0)) or 1.0
    return _map(queries, keys, gap, DIVERGING, (-reach, reach), "B − A")


def _map(queries, keys, values, colours, ends, name) -> go.Figure:
    """Axes count, words stand on them: the same word may come twice."""
    T, S = values.shape
    words = np.array([[f"{query} → {key}" for key in keys] for query in queries])
    figure = go.Figure(
        go.Heatmap(
            z=values, colorscale=colours, zmin=ends[0], zmax=ends[1], xgap=1, ygap=1, hoverongaps=False, text=words,
            colorbar={"thickness": 8, "nticks": 4}, hovertemplate=f"%{{text}}: {name} %{{z:.3f}}<extra></extra>",
        )
    )  # fmt: skip
    figure.update_xaxes(title="key", tickvals=list(range(S)), ticktext=list(keys), tickangle=-45, showgrid=False)
    figure.update_yaxes(
        title="query", tickvals=list(range(T)), ticktext=list(queries), autorange="reversed", showgrid=False
    )
    figure.update_xaxes(zeroline=False)
    figure.update_yaxes(zeroline=False)
    return figure.update_layout(height=150 + 24 * T, margin=_MARGIN)


def likeness(heights: tuple[str, ...], words: tuple[str, ...], cosines: np.ndarray, chosen: int) -> go.Figure:
    """How alike each word's vector is in two sentences, height by height, (heights, words); one word is marked."""
    figure = go.Figure()
    order = [n for n in range(len(words)) if n != chosen] + [chosen]  # the chosen one on top
    for n in order:
        mine = n == chosen
        figure.add_scatter(
            x=list(heights), y=cosines[:, n], mode="lines+markers", name=words[n], showlegend=False,
            line={"color": WEIGHT if mine else QUIET, "width": 4 if mine else 1.5},
            marker={"size": 9 if mine else 5}, opacity=1 if mine else 0.55,
            hovertemplate=f"{words[n]}, %{{x}}: %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
    for n in _apart(cosines[-1], chosen):
        figure.add_annotation(
            x=heights[-1], y=cosines[-1, n], text=f"<b>{words[n]}</b>" if n == chosen else words[n],
            xanchor="left", xshift=10, showarrow=False,
        )  # fmt: skip
    lowest = float(cosines.min())
    figure.update_yaxes(title="cosine of the two vectors", range=[lowest - 0.08 * (1.02 - lowest) - 0.01, 1.02])
    figure.update_xaxes(type="category", range=[-0.3, len(heights) - 0.35])
    return figure.update_layout(height=360, margin=_MARGIN)


def _apart(ends: np.ndarray, first: int) -> list[int]:
    """The lines that can be named without names lying on each other, `first` among them."""
    room = 0.055 * (1.02 - float(ends.min()))
    named = [first]
    for n in np.argsort(ends, kind="stable").tolist():
        if all(abs(ends[n] - ends[other]) > room for other in named):
            named.append(n)
    return named


def shares(names: tuple[str, ...], values: tuple[float, ...], chosen: int) -> go.Figure:
    """Share of held-out sentences exactly right, a bar a plug; the chosen one is marked."""
    labels = [f"<b>{name}</b>" if n == chosen else name for n, name in enumerate(names)]
    figure = go.Figure(
        go.Bar(
            y=labels, x=list(values), orientation="h", text=[f"{value:.0%}" for value in values],
            textposition="outside", cliponaxis=False,
            marker_color=[QUERY if n == chosen else QUIET for n in range(len(names))],
            hovertemplate="%{y}: %{x:.0%}<extra></extra>",
        )
    )  # fmt: skip
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_xaxes(range=[0, 1.12], tickformat=".0%", tickvals=[0, 0.25, 0.5, 0.75, 1], title="exactly right")
    return figure.update_layout(height=70 + 40 * len(names), margin=_MARGIN, bargap=0.4)


def silenced(values: np.ndarray, usual: float, *, chosen: tuple[int, int] | None = None) -> go.Figure:
    """What is lost without a head, (L, H): the share of sentences that were right and are not any more."""
    lost = np.clip(usual - values, 0, None)
    figure = go.Figure(
        go.Heatmap(
            z=lost, colorscale=SEQUENTIAL, zmin=0, zmax=1, xgap=3, ygap=3, showscale=False,
            text=[[f"{value:.0%}" for value in row] for row in values], texttemplate="%{text}",
            hovertemplate="without layer %{y}, head %{x}: %{text} exactly right<extra></extra>",
        )
    )  # fmt: skip
    if chosen is not None:
        layer, head = chosen
        figure.add_shape(
            type="rect", x0=head - 0.5, x1=head + 0.5, y0=layer - 0.5, y1=layer + 0.5, line={"color": QUERY, "width": 2}
        )
    figure.update_xaxes(title="head", dtick=1, showgrid=False, zeroline=False)
    figure.update_yaxes(title="layer", dtick=1, autorange="reversed", showgrid=False, zeroline=False)
    return figure.update_layout(height=100 + 40 * min(len(values), 10), margin=_MARGIN)
