"""What the figures of all pages share: a figure in the house's frame, axes, colour bars, and maps in tiles."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import palette
from lab.kit.words import shorten

FONT_SIZE = 13.5
TICK_SIZE = 12.5  # the smallest text of a figure
WORD_ANGLE = -60  # of words along the x axis, as in the picture of heads; few or single signs stay upright
PALE = 2.0  # colours behind numbers end at so many times the largest, so that ink is readable on all of them
MARGIN = {"l": 58, "r": 14, "t": 14, "b": 46}
THIN_MARGIN = {"l": 8, "r": 8, "t": 8, "b": 8}  # where plotly itself makes room for labels


def figure(traces: list, height: int, **layout) -> go.Figure:
    """A figure of these traces in the house's frame; `layout` overrides it."""
    frame = {
        "height": height,
        "margin": MARGIN,
        "font": {"size": FONT_SIZE},
        "showlegend": False,
        "hovermode": "closest",
    }
    return go.Figure(data=traces, layout={**frame, **layout})


def words_along_x(labels: Sequence[str], max_letters: int = 12) -> dict:
    """The part of an x axis that names its places with words, each shortened and turned as all of the house's are."""
    shown = [escaped(shorten(label, max_letters)) for label in labels]
    upright = len(shown) <= 4 or all(len(label) <= 2 for label in labels)
    return {"tickvals": list(range(len(shown))), "ticktext": shown, "tickangle": 0 if upright else WORD_ANGLE}


def axis(title: str, **more) -> dict:
    return {
        "title": {"text": title, "standoff": 8, "font": {"size": FONT_SIZE}},
        "tickfont": {"size": TICK_SIZE},
        "showgrid": False,
        "zeroline": False,
        **more,
    }


def colour_bar(title: str) -> dict:
    return {
        "title": {"text": title, "side": "right", "font": {"size": FONT_SIZE}},
        "thickness": 10,
        "len": 0.9,
        "outlinewidth": 0,
        "xpad": 4,
    }


def colour_bar_below(title: str) -> dict:
    """A colour bar at the foot of the figure, where it takes no room from a map on a phone."""
    return {
        "title": {"text": f"{title}&nbsp;&nbsp;", "side": "right", "font": {"size": FONT_SIZE}}, "thickness": 8,
        "nticks": 4, "tickfont": {"size": TICK_SIZE}, "tickangle": 0, "outlinewidth": 0, "orientation": "h",
        "len": 150 + 8 * len(title), "lenmode": "pixels",  # its title counts
        "y": 0, "yref": "container", "yanchor": "bottom", "ypad": 4,
    }  # fmt: skip


def escaped(label: str) -> str:
    """The label as plotly shows it sign by sign, since it reads &, < and > as markup. Shorten it before."""
    return label.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def numbered(tokens: tuple[str, ...]) -> list[str]:
    """Tokens with their positions, for hovering, since the same word may come twice."""
    return [f"{escaped(token)} {n}" for n, token in enumerate(tokens)]


def word_rows(tokens: tuple[str, ...], title: str = "") -> dict:
    """A y axis of words, from the top down."""
    labels = [escaped(shorten(token)) for token in tokens]
    return axis(title, tickvals=list(range(len(labels))), ticktext=labels, autorange="reversed")


def frame(x0: float, x1: float, y0: float, y1: float) -> dict:
    """Around what is chosen."""
    return {"type": "rect", "x0": x0, "x1": x1, "y0": y0, "y1": y1, "line": {"color": palette.INK, "width": 2}}


def magnitude_colours(largest: float) -> dict:
    """Colours of sizes from 0 that are no attention weights."""
    return {"colorscale": palette.MAGNITUDE, "zmin": 0, "zmax": largest}


def diverging_colours(largest: float) -> dict:
    return {"colorscale": palette.DIVERGING, "zmin": -largest, "zmax": largest}


def hatch(
    blocked: np.ndarray, columns: Sequence[str] | None = None, rows: Sequence[str] | None = None, size: float = 5
) -> go.Scatter:
    """A stroke of `size` pixels on every cell of a map (R, C) that is blocked.

    columns, rows  the places of the axes, if they are no numbers
    """
    down, across = (places.tolist() for places in np.nonzero(blocked))
    return go.Scatter(
        x=across if columns is None else [columns[n] for n in across],
        y=down if rows is None else [rows[n] for n in down],
        mode="markers", hoverinfo="skip", showlegend=False,
        marker={"symbol": "line-ne", "size": size, "opacity": 0.55, "line": {"color": palette.QUIET, "width": 1}},
    )  # fmt: skip


def tiles(
    planes: np.ndarray,
    names: list[str],
    *,
    columns: int,
    value: str,
    diverging: bool,
    height: int = 420,
    largest: float | None = None,
) -> go.Figure:
    """Square maps (n, T, T) on one colour scale, in rows of `columns`: one row per query, one column per key.

    planes   NaN where a query may not look: such cells are hatched
    largest  where the colours end; None for the largest number of these maps

    They travel as one heatmap with gaps between the tiles, which costs a tenth of as many subplots.
    """
    n, T, _ = planes.shape
    rows = -(-n // columns)
    n_lines = 1 + max(name.count("<br>") for name in names)
    gap, head = (
        max(1, round(T * 0.14)),
        max(2, round(T * 0.26 * n_lines)),
    )  # between columns; above a tile, for its name
    z = np.full((rows * (T + head) - head, columns * (T + gap) - gap), np.nan, "f4")
    query, key = np.full(z.shape, -1, "i2"), np.full(z.shape, -1, "i2")
    ticks_x, ticks_y, notes = [], [], []
    blocked = np.zeros(z.shape, bool)
    place = np.arange(T)
    for i in range(n):
        top, left = (i // columns) * (T + head), (i % columns) * (T + gap)
        z[top : top + T, left : left + T] = planes[i]
        blocked[top : top + T, left : left + T] = np.isnan(planes[i])
        query[top : top + T, left : left + T] = place[:, None]
        key[top : top + T, left : left + T] = place[None, :]
        notes.append(
            {
                "text": names[i], "x": left + (T - 1) / 2, "y": top - 0.5, "xanchor": "center", "yanchor": "bottom",
                "showarrow": False, "font": {"size": 13.5}, "xref": "x", "yref": "y",
            }
        )  # fmt: skip
        ticks_x += [(left, "0"), (left + T - 1, str(T - 1))] if top + 1 + 2 * T > len(z) else []
        ticks_y += [(top, "0"), (top + T - 1, str(T - 1))] if left == 0 else []
    largest = largest or float(np.nanmax(np.abs(z))) or 1.0
    colours = (
        diverging_colours(largest) if diverging else {"colorscale": palette.SEQUENTIAL, "zmin": 0, "zmax": largest}
    )
    trace = go.Heatmap(
        z=z,
        **colours,
        customdata=np.stack([query, key], axis=-1),
        hoverongaps=False,
        # Below the tiles: beside them it would leave a phone no room for them.
        colorbar={
            **colour_bar(value),
            "orientation": "h",
            "y": -0.16,
            "yanchor": "top",
            "len": 0.6,
            "ypad": 0,
            "tickangle": 0,
        },
        hovertemplate=f"query at %{{customdata[0]}}, key at %{{customdata[1]}}<br>{value} %{{z:.3f}}<extra></extra>",
    )
    traces: list = [trace]
    if blocked.any():
        traces.append(hatch(blocked))
    return figure(
        traces,
        height,
        annotations=notes,
        margin={"l": 58, "r": 10, "t": 10, "b": 90},
        xaxis=axis(
            "key", tickangle=0, tickvals=[t for t, _ in ticks_x], ticktext=[t for _, t in ticks_x], constrain="domain"
        ),
        yaxis=axis(
            "query",
            tickvals=[t for t, _ in ticks_y],
            ticktext=[t for _, t in ticks_y],
            scaleanchor="x",
            constrain="domain",
            range=[len(z) - 0.5, -0.5 - head],
        ),
    )
