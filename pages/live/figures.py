"""What else a training leaves: how good its model is on longer texts, and where the rows of its tables went."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from pages.shared import palette, plot

MAX_NAMED = 40  # dots that bear their names; of more, the one under the pointer does
# Of kinds of words: each is legible in light and dark, and none of them means anything else.
_KINDS = (
    ("#1c93a0", "circle"), ("#d8388f", "square"), ("#8f8f20", "diamond"), ("#b3714a", "triangle-up"),
    ("#7d7886", "cross"), (palette.INK, "circle-open"), (palette.INK, "square-open"), (palette.INK, "diamond-open"),
)  # fmt: skip
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


def drift(places: np.ndarray, steps: Sequence[int], names: Sequence[str], kinds: Sequence[str] = ()) -> go.Figure:
    """The rows of a table on their way: places (N, V, 2) at N steps, with a slider over them; it opens on the last.

    A thin line leads from the first place of a row to its present one.

    kinds  of every row, "" for one without a kind; where there are two or more, they have colours and signs
    """
    known = [kind for kind in dict.fromkeys(kinds) if kind]
    signs = dict(zip(known, _KINDS, strict=False)) if len(known) > 1 else {}
    marker: dict[str, Any] = {"color": palette.INK, "size": 7}
    if signs:
        of_rows = [signs.get(kind, (palette.QUIET, "circle")) for kind in kinds]
        marker = {"color": [colour for colour, _ in of_rows], "symbol": [sign for _, sign in of_rows], "size": 8}

    def drawn(now: np.ndarray) -> list[go.Scatter]:
        return _dots_and_paths(places[0], now, names, marker, kinds if signs else [""] * len(names))

    frames = [go.Frame(data=drawn(now), name=str(step)) for step, now in zip(steps, places, strict=True)]
    legend = [
        go.Scatter(x=[None], y=[None], mode="markers", name=kind, marker={"color": colour, "symbol": sign, "size": 8})
        for kind, (colour, sign) in signs.items()
    ]
    jump = {"mode": "immediate", "frame": {"duration": 0, "redraw": False}, "transition": {"duration": 0}}
    stops = [{"label": str(step), "method": "animate", "args": [[str(step)], jump]} for step in steps]
    figure = plot.figure(
        [*drawn(places[-1]), *legend],
        460,
        margin={"l": 12, "r": 12, "t": 40 if legend else 12, "b": 12},
        showlegend=bool(legend),
        legend={"orientation": "h", "x": 0, "y": 1.01, "yanchor": "bottom", "itemclick": False},
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


def _dots_and_paths(
    first: np.ndarray, now: np.ndarray, names: Sequence[str], marker: dict[str, Any], kinds: Sequence[str]
) -> list[go.Scatter]:
    """The rows where they are now, (V, 2), and a line to each from where it was first."""
    gap = np.full(len(now), np.nan)
    paths = [np.column_stack([first[:, axis], now[:, axis], gap]).ravel() for axis in (0, 1)]
    return [
        go.Scatter(
            x=paths[0],
            y=paths[1],
            mode="lines",
            line={"color": palette.QUIET, "width": 1},
            hoverinfo="skip",
            opacity=0.35 if len(names) > MAX_NAMED else 1,
            showlegend=False,
        ),
        go.Scatter(
            x=now[:, 0],
            y=now[:, 1],
            text=list(names),
            mode="markers+text" if len(names) <= MAX_NAMED else "markers",
            textposition="top center",
            marker=marker,
            customdata=list(kinds),
            hovertemplate="<b>%{text}</b> %{customdata}<br>%{x:.3f}, %{y:.3f}<extra></extra>",
            showlegend=False,
        ),
    ]
