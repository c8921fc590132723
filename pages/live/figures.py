"""What else a training leaves: how good its model is on longer texts."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from lab.kit.figures import palette, plot

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
        title={"text": "letters in the text", "font": {"size": plot.FONT_SIZE}}, dtick=2, showgrid=False, zeroline=False
    )
    figure.update_yaxes(range=[-0.03, 1.04], tickformat=".0%", dtick=0.25, zeroline=False)
    return figure
