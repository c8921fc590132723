"""What else a training leaves: how good its model is on longer texts, and where the rows of its tables went."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from pages.shared import palette

_FONT = {"size": 13.5}


def by_length(measured: Mapping[str, Sequence[tuple[int, float, float]]], shortest: int, longest: int) -> go.Figure:
    """Share of tokens (line) and of whole answers (dots) that are right, by length: name -> (length, tokens, exact).

    The lengths that were trained on, shortest to longest, are shaded.
    """
    colours = (palette.WEIGHT, palette.NEGATIVE)
    figure = go.Figure()
    figure.add_vrect(x0=shortest - 0.5, x1=longest + 0.5, fillcolor=palette.QUIET, opacity=0.12, line_width=0)
    for (name, rows), colour in zip(measured.items(), colours, strict=False):
        lengths = [row[0] for row in rows]
        for values, what, line in (
            ([row[1] for row in rows], "tokens right", {"color": colour, "width": 2.5}),
            ([row[2] for row in rows], "whole answers right", {"color": colour, "width": 1.5, "dash": "dot"}),
        ):
            figure.add_scatter(
                x=lengths,
                y=values,
                name=f"{name}: {what}" if name else what,
                mode="lines+markers",
                line=line,
                marker={"size": 5, "color": colour},
                hovertemplate=f"%{{x}} letters: %{{y:.0%}} {what}<extra>{name}</extra>",
            )
    figure.update_xaxes(title={"text": "letters in the text", "font": _FONT}, dtick=2, showgrid=False, zeroline=False)
    figure.update_yaxes(range=[-0.03, 1.04], tickformat=".0%", dtick=0.25, zeroline=False)
    return figure.update_layout(
        height=300,
        margin={"l": 48, "r": 12, "t": 12, "b": 44},
        font=_FONT,
        legend={"orientation": "h", "y": 1.14, "x": 0},
        hovermode="x",
    )


def drift(places: np.ndarray, steps: Sequence[int], names: Sequence[str]) -> go.Figure:
    """Rows of a table on their way: places (N, V, 2) at N steps, with a slider over them; opens on the last.

    A thin line leads from where a row was first to where it is.
    """

    def traces(n: int) -> list[go.Scatter]:
        here, first = places[n], places[0]
        gap = np.full(len(here), np.nan)
        ways = [np.column_stack([first[:, axis], here[:, axis], gap]).ravel() for axis in (0, 1)]
        return [
            go.Scatter(x=ways[0], y=ways[1], mode="lines", line={"color": palette.QUIET, "width": 1}, hoverinfo="skip"),
            go.Scatter(
                x=here[:, 0],
                y=here[:, 1],
                text=list(names),
                mode="markers+text",
                textposition="top center",
                marker={"color": palette.WEIGHT, "size": 7},
                hovertemplate="%{text}: %{x:.3f}, %{y:.3f}<extra></extra>",
            ),
        ]

    last = len(steps) - 1
    figure = go.Figure(traces(last), frames=[go.Frame(data=traces(n), name=str(step)) for n, step in enumerate(steps)])
    now = {"mode": "immediate", "frame": {"duration": 0, "redraw": False}, "transition": {"duration": 0}}
    stops = [{"label": str(step), "method": "animate", "args": [[str(step)], now]} for step in steps]
    all_places = places.reshape(-1, 2)
    low, high = all_places.min(0), all_places.max(0)
    room = 0.08 * np.maximum(high - low, 1e-6)
    for axis, update in ((0, figure.update_xaxes), (1, figure.update_yaxes)):
        update(
            range=[low[axis] - room[axis], high[axis] + room[axis]],
            showgrid=False,
            zeroline=False,
            showticklabels=False,
        )
    return figure.update_layout(
        height=460,
        margin={"l": 12, "r": 12, "t": 12, "b": 12},
        font=_FONT,
        showlegend=False,
        sliders=[{"active": last, "steps": stops, "currentvalue": {"prefix": "step "}, "pad": {"t": 12}}],
    )
