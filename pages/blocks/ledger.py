"""The parameters of one layer as areas: a rectangle per matrix, as large as its share."""

from collections.abc import Sequence

import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import INK, KEY, PANEL, POSITIVE, QUERY, QUIET, VALUE

Part = tuple[str, str, int]  # what a matrix makes, its group, its parameters
MATRICES = {  # by what they make: name, colour
    "queries": ("W<sub>q</sub>", QUERY),
    "keys": ("W<sub>k</sub>", KEY),
    "values": ("W<sub>v</sub>", VALUE),
    "joined, mapped back": ("W<sub>o</sub>", QUIET),
    "hidden units": ("W<sub>1</sub>", POSITIVE),
    "mapped back": ("W<sub>2</sub>", POSITIVE),
}
SHORT = {"joined, mapped back": "output", "mapped back": "output"}  # in a rectangle of a phone
THREE_LINES, ONE_LINE = 0.2, 0.05  # of the height of the figure: what a label needs


def areas(parts: Sequence[Part]) -> go.Figure:
    """Parameters by part as areas: groups stacked from the top, and the matrices of a group side by side."""
    total = sum(n for _, _, n in parts)
    groups = {group: [part for part in parts if part[1] == group] for group in dict.fromkeys(p[1] for p in parts)}
    figure = go.Figure()
    top = 0.0
    for group in sorted(groups, key=lambda name: name == "norm"):  # the sliver at the foot
        members = groups[group]
        size = sum(n for _, _, n in members)
        share, left = size / total, 0.0
        for made, _, n in members:
            name, colour = MATRICES.get(made, ("norms", INK))
            width = n / size
            figure.add_bar(
                x=[left + width / 2],
                y=[100 * share],
                base=[100 * top],
                width=[width],
                marker={
                    "color": colour,
                    "opacity": 1 if group == "norm" else 0.34,
                    "line": {"width": 0 if group == "norm" else 2, "color": PANEL},
                },
                name=name,
                hovertemplate=f"{name}, {made}: {n:,} parameters, {n / total:.1%}<extra></extra>",
            )
            _label(figure, left + width / 2, 100 * (top + share / 2), share, name, made, n, group)
            left += width
        top += share
        at: dict = {"x": 1.01, "y": 100 * (top - share / 2), "xref": "paper", "xanchor": "left"}
        text = f"{group}<br><b>{share:.0%}</b>"
        if group == "norm":
            at = {"x": 0, "y": 0, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "top", "yshift": -4}
            text = f"The line at the foot: norms, {size:,} parameters, {share:.1%}"
        figure.add_annotation(
            **at, text=text, showarrow=False, align="left", font={"size": plot.FONT_SIZE, "color": INK}
        )
    figure.update_layout(
        height=430,
        margin=plot.THIN_MARGIN | {"r": 104, "b": 30},
        showlegend=False,
        barmode="overlay",
        xaxis={"visible": False, "range": [0, 1]},
        yaxis={
            "title": "share of the layer's parameters",
            "range": [100, 0],
            "showgrid": False,
            "zeroline": False,
            "tickvals": [0, 25, 50, 75, 100],
            "ticktext": ["0%", "25%", "50%", "75%", "100%"],
        },
    )
    return figure


def _label(figure: go.Figure, x: float, y: float, share: float, name: str, made: str, n: int, group: str) -> None:
    """What a rectangle is, inside of it, as far as it fits."""
    if group == "norm" or share < ONE_LINE:
        return
    text = f"<b>{name}</b><br>{SHORT.get(made, made)}<br>{n:,}" if share >= THREE_LINES else f"<b>{name}</b>"
    figure.add_annotation(x=x, y=y, text=text, showarrow=False, font={"size": plot.FONT_SIZE, "color": INK})
