"""What else a training leaves: how good its model is on longer texts, and where the rows of its tables went."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from pages.shared import palette, plot

_COLOURS = (palette.INK, "#d8388f")  # of A and of B, as in the film


def by_length(scores: Mapping[str, Sequence[tuple[int, float, float]]], shortest: int, longest: int) -> go.Figure:
    """The shares of tokens (line) and of whole answers (dots) that are right, by length of the text.

    scores             name of the model -> (length, share of tokens, share of whole answers)
    shortest, longest  the lengths of the training, which are shaded
    """
    traces = []
    for (name, rows), colour in zip(scores.items(), _COLOURS, strict=False):
        for column, label, line in (
            (1, "tokens right", {"color": colour, "width": 2.5}),
            (2, "whole answers right", {"color": colour, "width": 1.5, "dash": "dot"}),
        ):
            traces.append(
                go.Scatter(
                    x=[row[0] for row in rows],
                    y=[row[column] for row in rows],
                    name=f"{name}: {label}" if name else label,
                    mode="lines+markers",
                    line=line,
                    marker={"size": 5, "color": colour},
                    hovertemplate=f"%{{x}} letters: %{{y:.0%}} {label}<extra>{name}</extra>",
                )
            )
    figure = plot.figure(
        traces,
        340,
        margin={"l": 48, "r": 12, "t": 12, "b": 84},
        showlegend=True,
        legend={"orientation": "h", "y": -0.2, "yanchor": "top", "x": 0},  # off the lines
        hovermode="x",
    )
    figure.add_vrect(x0=shortest - 0.5, x1=longest + 0.5, fillcolor=palette.QUIET, opacity=0.12, line_width=0)
    figure.update_xaxes(
        title={"text": "letters in the text", "font": {"size": plot.FONT_SIZE}},
        dtick=2,
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(range=[-0.03, 1.04], tickformat=".0%", dtick=0.25, zeroline=False)
    return figure


def drift(places: np.ndarray, steps: Sequence[int], names: Sequence[str]) -> go.Figure:
    """The rows of a table on their way: places (N, V, 2) at N steps, with a slider over them; it opens on the last.

    A thin line leads from the first place of a row to its present one.
    """
    frames = [
        go.Frame(data=_dots_and_paths(places[0], now, names), name=str(s)) for s, now in zip(steps, places, strict=True)
    ]
    jump = {"mode": "immediate", "frame": {"duration": 0, "redraw": False}, "transition": {"duration": 0}}
    stops = [{"label": str(step), "method": "animate", "args": [[str(step)], jump]} for step in steps]
    figure = plot.figure(
        _dots_and_paths(places[0], places[-1], names),
        460,
        margin={"l": 12, "r": 12, "t": 12, "b": 12},
        sliders=[{"active": len(steps) - 1, "steps": stops, "currentvalue": {"prefix": "step "}, "pad": {"t": 12}}],
    )
    figure.frames = frames
    low, high = places.min((0, 1)), places.max((0, 1))
    room = 0.08 * np.maximum(high - low, 1e-6)
    for axis, update in ((0, figure.update_xaxes), (1, figure.update_yaxes)):
        update(
            range=[low[axis] - room[axis], high[axis] + room[axis]],
            showgrid=False,
            zeroline=False,
            showticklabels=False,
        )
    return figure


def _dots_and_paths(first: np.ndarray, now: np.ndarray, names: Sequence[str]) -> list[go.Scatter]:
    """The rows where they are now, (V, 2), and a line to each from where it was first."""
    gap = np.full(len(now), np.nan)
    paths = [np.column_stack([first[:, axis], now[:, axis], gap]).ravel() for axis in (0, 1)]
    return [
        go.Scatter(x=paths[0], y=paths[1], mode="lines", line={"color": palette.QUIET, "width": 1}, hoverinfo="skip"),
        go.Scatter(
            x=now[:, 0],
            y=now[:, 1],
            text=list(names),
            mode="markers+text",
            textposition="top center",
            marker={"color": palette.INK, "size": 7},
            hovertemplate="%{text}: %{x:.3f}, %{y:.3f}<extra></extra>",
        ),
    ]
