"""The figure of "Modern blocks": what each switch changes in a training."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import INK, QUIET


class Row(NamedTuple):
    """One trained block: its name, the loss of every seed, and whether it is the one that is looked at."""

    name: str
    losses: Sequence[float]
    chosen: bool


def losses(rows: Sequence[Row]) -> go.Figure:
    """The loss of every block, a dot per seed and a bar at their mean; the band is how far 2017's seeds lie apart."""
    figure = plot.figure([], 60 + 26 * len(rows), margin=plot.THIN_MARGIN | {"l": 190, "b": 46})
    first = rows[0].losses
    band = {
        "type": "rect",
        "x0": min(first),
        "x1": max(first),
        "y0": -0.5,
        "y1": len(rows) - 0.5,
        "line": {"width": 0},
        "fillcolor": QUIET,
        "opacity": 0.18,
        "layer": "below",
    }
    texts: list[dict[str, Any]] = []
    for y, row in enumerate(rows):
        colour = INK if row.chosen else QUIET
        name = f"<b>{row.name}</b>" if row.chosen else row.name
        text = {"y": y, "showarrow": False, "font": {"size": plot.TICK_SIZE, "color": INK}}
        texts.append({"x": 0, "xref": "paper", "xshift": -10, "text": name, "xanchor": "right", **text})
        if not row.losses:
            texts.append({"x": max(first), "text": "diverged", "xanchor": "left", **text})
            continue
        middle = sum(row.losses) / len(row.losses)
        figure.add_scatter(
            x=[middle],
            y=[y],
            mode="markers",
            marker={"symbol": "line-ns", "size": 16, "line": {"color": colour, "width": 3}},
            hovertemplate=f"{row.name}: mean %{{x:.3f}}<extra></extra>",
        )
        figure.add_scatter(
            x=list(row.losses),
            y=[y] * len(row.losses),
            mode="markers",
            marker={"size": 8, "color": colour, "opacity": 0.7},
            hovertemplate=f"{row.name}: %{{x:.3f}}<extra></extra>",
        )
    figure.update_layout(
        shapes=[band],
        annotations=texts,
        xaxis=plot.axis("loss on tales that were held out"),
        yaxis={"visible": False, "range": [len(rows) - 0.5, -0.5], "fixedrange": True},
    )
    return figure
