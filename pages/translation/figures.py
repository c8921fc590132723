"""Figures of a translation: what an edit changes, what an ablation costs."""

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import DIVERGING, INK, MAGNITUDE, QUIET, SEQUENTIAL
from lab.kit.words import fixed


def cross_attention(
    queries: tuple[str, ...], keys: tuple[str, ...], weights: np.ndarray, largest: float, title: str
) -> go.Figure:
    """Where every target word looks, (T, S); colours end at `largest`, so that two maps can be compared."""
    return _map(queries, keys, weights, SEQUENTIAL, (0.0, largest), "attention weight", title)


def attention_change(queries: tuple[str, ...], keys: tuple[str, ...], difference: np.ndarray) -> go.Figure:
    """What an edit changed, (T, S): slate where B looks more, amber where A did; NaN where a word is in one only."""
    largest = float(np.nanmax(np.abs(difference), initial=0.0)) or 1.0
    return _map(queries, keys, difference, DIVERGING, (-largest, largest), "B − A", "B − A, cell by cell")


def _map(
    queries: tuple[str, ...],
    keys: tuple[str, ...],
    values: np.ndarray,
    colours: list,
    ends: tuple[float, float],
    name: str,
    title: str,
) -> go.Figure:
    """Axes count, words stand on them: the same word may come twice."""
    T = len(values)
    low, high = ends
    ticks = [low, 0.0, high] if low < 0 else [0.0, high / 2, high]
    labels = np.array([[f"{query} → {key}" for key in keys] for query in queries])
    trace = go.Heatmap(
        z=values,
        colorscale=colours,
        zmin=ends[0],
        zmax=ends[1],
        xgap=1,
        ygap=1,
        hoverongaps=False,
        text=labels,
        colorbar={"thickness": 8, "tickvals": ticks, "ticktext": [_number(tick) for tick in ticks]},
        hovertemplate=f"%{{text}}: {name} %{{z:.3f}}<extra></extra>",
    )
    return plot.figure(
        [trace],
        max(400, 160 + 32 * T),
        margin=plot.THIN_MARGIN | {"t": 34},
        title={"text": title, "x": 0, "xref": "paper", "y": 1, "yanchor": "top", "pad": {"t": 6}, "font": {"size": 15}},
        xaxis=plot.axis("key", **plot.words_along_x(keys)),
        yaxis=plot.axis("query", tickvals=list(range(T)), ticktext=list(queries), autorange="reversed"),
    )


def _number(x: float) -> str:
    return "0" if x == 0 else fixed(x)


def shares(names: tuple[str, ...], values: tuple[float, ...], chosen: int) -> go.Figure:
    """Share of held-out sentences exactly right, one bar per ablation; the chosen one is marked."""
    trace = go.Bar(
        y=[f"<b>{name}</b>" if n == chosen else name for n, name in enumerate(names)],
        x=list(values),
        orientation="h",
        text=[f"{value:.0%}" for value in values],
        textposition="outside",
        cliponaxis=False,
        marker_color=[INK if n == chosen else QUIET for n in range(len(names))],
        hovertemplate="%{y}: %{x:.0%}<extra></extra>",
    )
    return plot.figure(
        [trace],
        64 + 30 * len(names),
        margin=plot.THIN_MARGIN,
        bargap=0.4,
        yaxis={"autorange": "reversed", "showgrid": False},
    ).update_xaxes(
        plot.axis("exactly right", range=[0, 1.12], tickformat=".0%", tickvals=[0, 0.25, 0.5, 0.75, 1], showgrid=None)
    )


def head_ablations(values: np.ndarray, baseline: float, *, chosen: tuple[int, int] | None = None) -> go.Figure:
    """What each head's ablation costs, (L, H): the share of sentences that were right (`baseline`) and no longer are.

    values  the shares that are left
    """
    cost = np.clip(baseline - values, 0, None)
    trace = go.Heatmap(
        z=cost,
        colorscale=MAGNITUDE,
        zmin=0,
        zmax=1,
        xgap=3,
        ygap=3,
        showscale=False,
        text=[[f"{value:.0%}" for value in row] for row in values],
        texttemplate="%{text}",
        hovertemplate="without layer %{y}, head %{x}: %{text} exactly right<extra></extra>",
    )
    marks = []
    if chosen is not None:
        layer, head = chosen
        marks.append(
            {
                "type": "rect",
                "x0": head - 0.5,
                "x1": head + 0.5,
                "y0": layer - 0.5,
                "y1": layer + 0.5,
                "line": {"color": INK, "width": 2},
            }
        )
    return plot.figure(
        [trace],
        100 + 40 * min(len(values), 10),
        margin=plot.THIN_MARGIN,
        shapes=marks,
        xaxis=plot.axis("head", dtick=1),
        yaxis=plot.axis("layer", dtick=1, autorange="reversed"),
    )
