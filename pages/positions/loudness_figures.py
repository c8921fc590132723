"""How much louder tokens are than the codes of their positions, by width."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from pages.shared import palette, plot


def ratio_by_width(
    widths: Sequence[int], cases: Mapping[str, tuple[Sequence[float], Sequence[float]]], chosen: str, d_model: int
) -> go.Figure:
    """The rms of tokens over that of positions, by d_model.

    cases   name -> (measured ratios, expected ratios), one of each per width; the chosen case is drawn strong, and
            the chosen width has a larger dot
    """
    traces = []
    for name, (measured, expected) in cases.items():
        strong = name == chosen
        colour = palette.INK if strong else palette.POSITIVE
        line = {"color": colour, "width": 2.4 if strong else 1.4}
        traces.append(go.Scatter(x=widths, y=expected, mode="lines", line=line, hoverinfo="skip"))
        traces.append(
            go.Scatter(
                x=widths,
                y=measured,
                mode="markers",
                marker={
                    "size": [15 if strong and d == d_model else 8 if strong else 5 for d in widths],
                    "color": colour,
                },
                name=name,
                hovertemplate=f"{name}<br>d_model %{{x}}: tokens %{{y:.3g}} times as loud<extra></extra>",
            )
        )
    low = min(min(min(m), min(e)) for m, e in cases.values())
    high = max(max(max(m), max(e)) for m, e in cases.values())
    ends = {}
    for name, (_, expected) in cases.items():
        ends.setdefault(round(float(np.log10(expected[-1])), 3), []).append(name)
    notes = []
    for at, names in ends.items():
        # Of two cases on one line, the chosen one stands above it and the other below.
        for n, name in enumerate(sorted(names, key=lambda name: name != chosen)):
            text = f"<b>{name}</b>" if name == chosen else name
            side = "middle" if len(names) == 1 else "top" if n else "bottom"
            notes.append(
                {
                    "x": np.log10(widths[-1]), "y": at, "xref": "x", "yref": "y", "showarrow": False,
                    "text": f"and {text}" if n else text, "xanchor": "left", "xshift": 10, "align": "left",
                    "font": {"size": 12.5}, "yanchor": side,
                }
            )  # fmt: skip
    level = {
        "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 1, "y1": 1,
        "line": {"color": palette.QUIET, "width": 1, "dash": "dash"},
    }  # fmt: skip
    alike = {
        "xref": "paper", "x": 0.01, "y": 0, "yref": "y", "text": "equally loud", "showarrow": False, "xanchor": "left",
        "yanchor": "top", "font": {"size": 12.5},
    }  # fmt: skip
    marks = [d for d in (4, 8, 16, 32, 64, 128, 256, 512) if widths[0] <= d <= widths[-1]]
    return plot.figure(
        traces,
        370,
        shapes=[level],
        annotations=[*notes, alike],
        xaxis=plot.axis(
            "d_model",
            type="log",
            range=[np.log10(widths[0]) - 0.06, np.log10(widths[-1]) + 0.06],
            tickvals=marks,
            ticktext=[str(d) for d in marks],
        ),
        yaxis=plot.axis(
            "rms of tokens / rms of positions",
            type="log",
            range=[np.log10(low) - 0.15, np.log10(high) + 0.15],
            tickvals=[0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100],
            ticktext=["0.01", "0.03", "0.1", "0.3", "1", "3", "10", "30", "100"],
        ),
        margin={**plot.MARGIN, "r": 130},
    )
