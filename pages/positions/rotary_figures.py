"""Figures of rotary positions: how they are stretched, which features turn together, and what either costs."""

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import palette, plot

PAIRS_HEIGHT = 350


def pairs(order: tuple[int, ...], trained: tuple[tuple[int, int], ...], read: tuple[tuple[int, int], ...]) -> go.Figure:
    """The features of a head as dots, and an arc over any two that turn together: as trained above, as read below.

    order  the features as they stand in the head that is read; a dashed arc joins two that training never turned
           together, or not at that pace
    """
    d_k = len(order)
    lanes = (("as trained", tuple(range(d_k)), trained, 1.0), ("as read", order, read, 0.0))
    traces, notes = [], []
    for name, features, joined, floor in lanes:
        place = {feature: x for x, feature in enumerate(features)}
        for kept in (True, False):
            x: list[float | None] = []
            y: list[float | None] = []
            for pair, one in zip(trained, joined, strict=True):
                if (one == pair) is kept:
                    ends = sorted(place[feature] for feature in one)
                    angle = np.linspace(0, np.pi, 24)
                    middle, radius = sum(ends) / 2, (ends[1] - ends[0]) / 2
                    x += [*(middle - radius * np.cos(angle)), None]
                    y += [*(floor + 0.16 + 0.62 * (2 * radius / d_k) ** 0.5 * np.sin(angle)), None]
            line = {"color": palette.INK, "width": 2.2} if kept else {"color": palette.QUIET, "width": 2, "dash": "dot"}
            traces.append(go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip"))
        speed = {feature: n for n, one in enumerate(joined) for feature in one}
        traces.append(
            go.Scatter(
                x=list(range(d_k)),
                y=[floor] * d_k,
                mode="text",
                text=[f"<b>{feature}</b>" for feature in features],
                textfont={"size": 14},
                customdata=[speed.get(feature, "none") for feature in features],
                name=name,
                hovertemplate=f"{name}<br>feature %{{text}}, pair %{{customdata}}<extra></extra>",
            )
        )
        notes.append(
            {
                "text": name,
                "x": (d_k - 1) / 2,
                "y": floor - 0.12,
                "yanchor": "top",
                "showarrow": False,
                "font": {"size": 13.5},
            }
        )
    return plot.figure(
        traces,
        PAIRS_HEIGHT,
        annotations=notes,
        showlegend=False,
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
        xaxis=plot.axis("", range=[-0.7, d_k - 0.3], showticklabels=False, ticks="", showgrid=False),
        yaxis=plot.axis("", range=[-0.32, 1.75], showticklabels=False, ticks="", showgrid=False),
    )


def by_place(edges: np.ndarray, before: np.ndarray, after: np.ndarray, trained: int) -> go.Figure:
    """How sure a model is of the right token by its place in the text, as trained and stretched."""
    middle = (edges[:-1] + edges[1:]) / 2
    traces = [
        go.Scatter(
            x=middle,
            y=100 * values,
            mode="lines+markers",
            name=name,
            line={"color": colour, "width": width, "dash": dash},
            marker={"size": 6},
            hovertemplate=f"{name}, around token %{{x:.0f}}<br>%{{y:.1f}}%<extra></extra>",
        )
        for name, values, colour, width, dash in (
            ("as trained", before, palette.QUIET, 2, "dash"),
            ("stretched", after, palette.INK, 2.5, "solid"),
        )
    ]
    low = float(np.floor(10 * min(np.nanmin(before), np.nanmin(after))) * 10)
    note = {"xref": "x", "yref": "paper", "y": 1, "showarrow": False, "yanchor": "bottom", "font": {"size": 13}}
    return plot.figure(
        traces,
        430,
        annotations=[note | {"text": "training ends", "x": trained, "xanchor": "center"}],
        shapes=[
            {
                "type": "line",
                "xref": "x",
                "yref": "paper",
                "x0": trained,
                "x1": trained,
                "y0": 0,
                "y1": 1,
                "line": {"color": palette.INK, "width": 1.5, "dash": "dot"},
            }
        ],
        showlegend=True,
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom", "font": {"size": 13}},
        margin={**plot.MARGIN, "t": 28, "b": 66},
        xaxis=plot.axis("place of the closing bracket in the text", range=[0, float(edges[-1])]),
        yaxis=plot.axis("given to the right bracket", range=[low, 101], ticksuffix="%"),
    )


def stretched(wavelengths: np.ndarray, pace: np.ndarray, new: np.ndarray, new_before: np.ndarray) -> go.Figure:
    """What a stretch does to every pair of features: above its pace, below how much of what it turns to is new."""
    names = [f"{i}<br>{_tokens(length)}" for i, length in enumerate(wavelengths)]
    x = np.arange(len(names))
    traces = []
    for axis, before, after, what in (("y", np.ones(len(x)), pace, "pace"), ("y2", new_before, new, "new angles")):
        for values, width, colour, when in (
            (before, 0.78, palette.LINE, "as trained"),
            (after, 0.5, palette.INK, "stretched"),
        ):
            traces.append(
                go.Bar(
                    x=x,
                    y=100 * values,
                    yaxis=axis,
                    width=width,
                    marker={"color": colour},
                    name=when,
                    hovertemplate=f"pair %{{x}}, {what} {when}<br>%{{y:.0f}}%<extra></extra>",
                )
            )
    share = {"range": [0, 104], "tickvals": [0, 50, 100], "ticktext": ["0", "50%", "100%"]}
    title = {"xref": "paper", "yref": "paper", "x": 0, "xanchor": "left", "yanchor": "bottom", "showarrow": False}
    return plot.figure(
        traces,
        430,
        barmode="overlay",
        annotations=[
            title | {"text": "<b>pace</b>: % of training’s angle per token", "y": 1, "font": {"size": 13.5}},
            title | {"text": "<b>new</b>: % of distances at angles never met", "y": 0.44, "font": {"size": 13.5}},
        ],
        margin={**plot.MARGIN, "t": 28, "b": 66},
        xaxis=plot.axis("pair of features, and tokens per full turn", tickvals=x, ticktext=names, anchor="y2"),
        yaxis=plot.axis("", domain=[0.58, 1], **share),
        yaxis2=plot.axis("", domain=[0, 0.42], **share),
    )


def _tokens(length: float) -> str:
    return f"{length:,.0f}"
