"""Figures of a translation: what an ablation costs."""

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import INK, MAGNITUDE, QUIET
from lab.kit.words import as_chance


def shares(names: tuple[str, ...], values: tuple[float, ...], chosen: int) -> go.Figure:
    """Share of held-out sentences exactly right, one bar per ablation; the chosen one is marked."""
    trace = go.Bar(
        y=[f"<b>{name}</b>" if n == chosen else name for n, name in enumerate(names)],
        x=list(values),
        orientation="h",
        text=[f"{as_chance(value)}" for value in values],
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
        text=[[f"{as_chance(value)}" for value in row] for row in values],
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
