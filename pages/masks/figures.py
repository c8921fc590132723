"""Figures of the masks page: a row blocked in three ways."""

import math

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import palette, plot


def blocked_rows(
    names: list[str], weights: list[np.ndarray | None], allowed: list[bool], tokens: tuple[str, ...]
) -> go.Figure:
    """One row of weights (S) per way of blocking, the first on top; None for a way that failed.

    Blocked keys are hatched whatever their weight; NaN has no colour, but its name.
    """
    S = len(tokens)
    z, text = [], []
    for row in weights:
        values = [None] * S if row is None else [None if math.isnan(w) else float(w) for w in row]
        z.append(values)
        text.append(["" if w is None else _brief(w) for w in values])
    figure = go.Figure(
        go.Heatmap(
            z=z,
            x=list(range(S)),
            y=list(range(len(names))),
            zmin=0,
            zmax=1,
            colorscale=palette.SEQUENTIAL,
            xgap=3,
            ygap=8,
            showscale=False,
            text=text,
            texttemplate="%{text}",
            textfont={"size": 14},
            customdata=[list(map(plot.escaped, tokens))] * len(names),
            hovertemplate="%{customdata}: %{text}<extra></extra>",
        )
    )
    with_result = [row for row in range(len(names)) if any(w is not None for w in z[row])]
    blocked = [(key, row) for row in with_result for key in range(S) if not allowed[key]]
    figure.add_scatter(
        x=[key + offset for key, _ in blocked for offset in (-0.36, 0.36)],
        y=[row for _, row in blocked for _ in "ab"],
        mode="markers",
        hoverinfo="skip",
        opacity=0.6,
        name="blocked key",
        showlegend=bool(blocked),
        marker={"symbol": "line-ne", "size": 12, "line": {"width": 1.2, "color": palette.QUIET}},
    )
    for row in range(len(names)):
        if row not in with_result:
            words = "no result, but an error" if weights[row] is None else "not a number (NaN), in every cell"
            figure.add_annotation(x=(S - 1) / 2, y=row, text=words, showarrow=False, font={"size": 14})
            figure.add_shape(
                type="rect",
                x0=-0.47,
                x1=S - 0.53,
                y0=row - 0.42,
                y1=row + 0.42,
                line={"color": palette.QUIET, "width": 1, "dash": "dot"},
            )
    figure.update_xaxes(
        title="key",
        showgrid=False,
        zeroline=False,
        side="top",
        tickfont={"size": 13},
        range=[-0.5, S - 0.5],
        **plot.words_along_x(tokens),
    )
    figure.update_yaxes(
        title="blocked with",
        tickvals=list(range(len(names))),
        ticktext=[f"{name}  " for name in names],
        range=[len(names) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        tickfont={"size": 14},
    )
    figure.update_layout(
        height=270,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        legend={"orientation": "h", "y": -0.02, "yanchor": "top", "x": 0, "font": {"size": 13}},
    )
    return figure


def _brief(weight: float) -> str:
    return "0" if weight == 0 else "<0.01" if weight < 0.005 else f"{weight:.2f}"
