"""How good trained models are on texts longer than those they were trained on."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from pages.kit.figures import palette

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
