"""The figures of the studies: parts of a model as a map, where one head looks, losses, and what would be said."""

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import INK, PANEL, QUIET, SEQUENTIAL, WEIGHT
from lab.kit.words import fixed, shorten

PALER = SEQUENTIAL[4][1]  # attention weight, too
MAX_NUMBERED = 13  # columns of a map whose cells have room for their number
DARK = 0.8  # of the largest: from there on slate and amber are so strong that a number has the panel's colour
MAX_ROWS = 40  # tokens of a table


def parts(
    values: np.ndarray,
    what: str,
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    axes: tuple[str, str],
    name: Callable[[int, int], str],
    chosen: tuple[int, int] | None = None,
    largest: float | None = None,
    is_share: bool = False,
) -> go.Figure:
    """One number per part of a model (R, C), as a map around 0; a part can be clicked, and the chosen one is framed.

    what       a number is, in a few words; name: of a part, by its row and column
    is_share   whether the numbers are shares, from 0 on, in per cent
    """
    R, C = values.shape
    largest = largest or float(np.abs(values).max()) or 1.0
    numbered = C <= MAX_NUMBERED
    colours = plot.magnitude_colours(largest) if is_share else plot.diverging_colours(largest)
    text = [[f"{x:.0%}" if is_share else fixed(x) for x in row] for row in values]
    cells = go.Heatmap(
        z=values,
        **colours,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
        showscale=not numbered,
        colorbar=_scale(what, largest, from_zero=is_share),
    )
    traces = [cells, _targets(values, what, name)]
    if numbered:
        shares = np.abs(values) / largest
        traces.append(_in_two_inks(shares > DARK, text))
    frames = [plot.frame(chosen[1] - 0.5, chosen[1] + 0.5, chosen[0] - 0.5, chosen[0] + 0.5)] if chosen else []
    top, bottom = (34, 46) if numbered else (6, 96)  # the name of the numbers stands above them, or at a colour bar
    bottom += 26 if _is_long(columns) else 0
    down = {"tickvals": list(range(R)), "ticktext": [plot.escaped(row) for row in rows], "range": [R - 0.5, -0.5]}
    return plot.figure(
        traces,
        top + bottom + max(150, min(38 * R, 420)),
        shapes=frames,
        annotations=[_heading(what)] if numbered else [],
        hoverdistance=-1,  # the nearest cell, wherever in it the pointer is
        margin={"l": 96 if max(map(len, rows)) > 3 else 44, "r": 8, "t": top, "b": bottom},
        xaxis=plot.axis(axes[1], **_words(columns), range=[-0.5, C - 0.5], fixedrange=True),
        yaxis=plot.axis(axes[0], **down, fixedrange=True),
    )


def _targets(values: np.ndarray, what: str, name: Callable[[int, int], str]) -> go.Scatter:
    """Markers on the cells of a heatmap, which itself hears no clicks in Streamlit."""
    y, x = (place.ravel() for place in np.indices(values.shape))
    return go.Scatter(
        x=x,
        y=y,
        mode="markers",
        marker={"symbol": "square", "size": 30, "opacity": 0, "color": INK},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        customdata=[[plot.escaped(name(i, j)), float(value), i, j] for (i, j), value in np.ndenumerate(values)],
        hovertemplate=f"%{{customdata[0]}}: {what} %{{customdata[1]:.3f}}<extra></extra>",
    )


def _in_two_inks(is_dark: np.ndarray, text: list[list[str]]) -> go.Scatter:
    """Numbers on colours that mean the same everywhere, so that it is the number that has to differ."""
    y, x = (place.ravel() for place in np.indices(is_dark.shape))
    colours = [PANEL if dark else INK for dark in is_dark.ravel()]
    font = {"size": plot.FONT_SIZE, "color": colours}
    return go.Scatter(x=x, y=y, mode="text", text=np.ravel(text), textfont=font, hoverinfo="skip")


def _heading(text: str) -> dict:
    """Above a figure, at its left edge."""
    return {
        "text": f"<b>{text[:1].upper()}{text[1:]}</b>",
        "x": 0,
        "y": 1,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "yshift": 5,
        "showarrow": False,
        "font": {"size": plot.FONT_SIZE, "color": INK},
    }


def _scale(what: str, largest: float, *, from_zero: bool) -> dict:
    """A colour bar with its ends and the middle."""
    ends = [0, largest] if from_zero else [-largest, 0, largest]
    return plot.colour_bar_below(what) | {"tickvals": ends, "ticktext": [f"{end:.2g}" for end in ends]}


def _words(columns: Sequence[str]) -> dict:
    """Names along the x axis, upright where they are short."""
    return plot.words_along_x(columns) | ({} if _is_long(columns) else {"tickangle": 0})


def _is_long(columns: Sequence[str]) -> bool:
    return len(columns) > 4 and any(len(column) > 3 for column in columns)


def two_rows(tokens: Sequence[str], corrupted: Sequence[str], clean: np.ndarray, other: np.ndarray) -> go.Figure:
    """Where one head looks from the last token: the weights (T,) in the clean prompt and in the corrupted one."""
    rows = list(range(len(tokens)))
    names = [a if a == b else f"{a} / {b}" for a, b in zip(tokens, corrupted, strict=True)]
    traces = [
        go.Bar(
            x=values,
            y=rows,
            orientation="h",
            name=f"{name}&nbsp;&nbsp;",
            width=0.38,
            offset=offset,
            marker={"color": colour},
            customdata=[plot.escaped(label) for label in names],
            hovertemplate=f"%{{customdata}}: attention weight %{{x:.3f}}, {name}<extra></extra>",
        )
        for values, name, offset, colour in ((clean, "first text", -0.4, WEIGHT), (other, "second text", 0.02, PALER))
    ]
    return plot.figure(
        traces,
        76 + 22 * len(rows),
        margin={"l": 92, "r": 10, "t": 26, "b": 42},
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "title": None},
        xaxis=plot.axis("attention weight", rangemode="tozero"),
        yaxis=plot.word_rows(tuple(shorten(name) for name in names)),
    )


def losses(values: np.ndarray, n: int, guess: float) -> go.Figure:
    """The loss (2 n - 1,) of every token of a text that comes twice, and that of guessing evenly."""
    places = np.arange(2, 2 * n + 1)
    line = go.Scatter(
        x=places,
        y=values,
        mode="lines+markers",
        line={"color": INK, "width": 2.5},
        marker={"size": 6},
        hovertemplate="token %{x}: loss %{y:.2f}<extra></extra>",
        cliponaxis=False,
    )
    even = go.Scatter(
        x=[1, 2 * n],
        y=[guess, guess],
        mode="lines",
        line={"color": QUIET, "dash": "dot", "width": 1.5},
        hovertemplate=f"guessing evenly: {guess:.2f}<extra></extra>",
    )
    figure = plot.figure(
        [line, even],
        250,
        margin={"l": 52, "r": 12, "t": 26, "b": 46},
        xaxis=plot.axis("position in the text", range=[0.5, 2 * n + 0.5]),
        yaxis=plot.axis("loss (nats)", rangemode="tozero"),
    )
    figure.add_vline(x=n + 0.5, line={"color": QUIET, "width": 1})
    for x, text in ((n / 2 + 0.5, "first time"), (1.5 * n + 0.5, "again")):
        figure.add_annotation(x=x, y=1, yref="paper", yanchor="bottom", text=text, showarrow=False)
    figure.add_annotation(x=2 * n, y=guess, xanchor="right", yanchor="bottom", text="guessing evenly", showarrow=False)
    return figure
