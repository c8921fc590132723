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
        "title": {"text": f"{title}&nbsp;&nbsp;", "side": "right", "font": {"size": FONT_SIZE}},
        "thickness": 8,
        "nticks": 4,
        "tickfont": {"size": TICK_SIZE},
        "tickangle": 0,
        "outlinewidth": 0,
        "orientation": "h",
        "len": 150 + 8 * len(title),
        "lenmode": "pixels",  # its title counts
        "y": 0,
        "yref": "container",
        "yanchor": "bottom",
        "ypad": 4,
    }


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
        mode="markers",
        hoverinfo="skip",
        showlegend=False,
        marker={"symbol": "line-ne", "size": size, "opacity": 0.55, "line": {"color": palette.QUIET, "width": 1}},
    )


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
    rows, n_lines = -(-n // columns), 1 + max(name.count("<br>") for name in names)
    gap, head = max(1, round(T * 0.14)), max(2, round(T * 0.26 * n_lines))  # between columns; above, for its name
    z = np.full((rows * (T + head) - head, columns * (T + gap) - gap), np.nan, "f4")
    query_and_key, blocked = np.full((*z.shape, 2), -1, "i2"), np.zeros(z.shape, bool)
    corners = [(n // columns * (T + head), n % columns * (T + gap)) for n in range(n)]  # top, left
    for (top, left), plane in zip(corners, planes, strict=True):
        tile = slice(top, top + T), slice(left, left + T)
        z[tile], blocked[tile] = plane, np.isnan(plane)
        query_and_key[tile] = np.moveaxis(np.indices((T, T)), 0, -1)
    largest = largest or float(np.nanmax(np.abs(z))) or 1.0
    from_zero = {"colorscale": palette.SEQUENTIAL, "zmin": 0, "zmax": largest}
    # Below the tiles: beside them it would leave a phone no room for them.
    below = {"orientation": "h", "y": -0.16, "yanchor": "top", "len": 0.6, "ypad": 0, "tickangle": 0}
    heat = go.Heatmap(
        z=z,
        **(diverging_colours(largest) if diverging else from_zero),
        customdata=query_and_key,
        hoverongaps=False,
        colorbar=colour_bar(value) | below,
        hovertemplate=f"query at %{{customdata[0]}}, key at %{{customdata[1]}}<br>{value} %{{z:.3f}}<extra></extra>",
    )
    across = _ends([left for top, left in corners if top + 1 + 2 * T > len(z)], T)
    down = _ends([top for top, left in corners if left == 0], T)
    return figure(
        [heat, hatch(blocked)] if blocked.any() else [heat],
        height,
        annotations=[
            _above(name, left + (T - 1) / 2, top - 0.5) for name, (top, left) in zip(names, corners, strict=True)
        ],
        margin={"l": 58, "r": 10, "t": 10, "b": 90},
        xaxis=axis("key", tickangle=0, **across, constrain="domain"),
        yaxis=axis("query", **down, scaleanchor="x", constrain="domain", range=[len(z) - 0.5, -0.5 - head]),
    )


def _ends(starts: list[int], T: int) -> dict:
    """Ticks at the first and the last place of every tile that starts there."""
    ticks = [tick for start in starts for tick in ((start, "0"), (start + T - 1, str(T - 1)))]
    return {"tickvals": [place for place, _ in ticks], "ticktext": [text for _, text in ticks]}


def _above(text: str, x: float, y: float) -> dict:
    """A name that ends above this place of a map."""
    return {
        "text": text,
        "x": x,
        "y": y,
        "xanchor": "center",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": FONT_SIZE},
        "xref": "x",
        "yref": "y",
    }
