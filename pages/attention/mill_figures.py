"""Three mills: the vector of a word goes into three matrices, and its query, its key and its value come out."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import INK, PANEL, QUIET
from lab.kit.words import fixed, shorten

MATRICES, STRIPS = (0.24, 1.0), (0.02, 0.13)  # their places from the foot of the figure to its head
FIRST, GAP = 0.13, 0.025  # where the mills begin, and what is between them
_MAX_WRITTEN = 8  # numbers of a strip, up to which they are written into it
_STRONG = 0.66  # of the largest number: above it, a number is easier to read in the colour of the panel


class Mill(NamedTuple):
    """A matrix (D, d_k), what it makes of the vector, (d_k,), and how both are called; the name has this colour."""

    w: np.ndarray
    y: np.ndarray
    matrix: str
    made: str
    colour: str


def mills(x: np.ndarray, each: Mapping[str, Mill], chosen: str, feature: int, *, word: str) -> go.Figure:
    """The vector x (D,) on the left, its rows those of every matrix; below each matrix the product.

    chosen   the mill of which one column is framed, with the number that it makes
    feature  which column
    """
    shown = plot.escaped(shorten(word))
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True, "showticklabels": False, "ticks": ""}
    D = len(x)
    maps = [_map(x[:, None], "x", "y", f"vector of {shown}, number %{{y}}: %{{z:.3f}}")]
    axes: dict[str, Any] = {
        "xaxis": {**bare, "domain": [0.0, 0.055], "anchor": "y"},
        "yaxis": {**bare, "domain": list(MATRICES), "range": [D + 0.5, 0.5], "anchor": "x"},
        "yaxis2": {**bare, "domain": list(STRIPS), "range": [1.5, 0.5], "anchor": "x2"},
    }
    notes = [_note(f"the vector<br>of <b>{shown}</b>", 0, 1, "bottom", xanchor="left", align="left")]
    notes.append(_note("×", (0.055 + FIRST) / 2, 0.62, "middle", size=24))
    shapes = []
    width = (1 - FIRST - GAP * (len(each) - 1)) / len(each)
    for n, (name, mill) in enumerate(each.items()):
        across, left = f"x{n + 2}", FIRST + n * (width + GAP)
        d_k = mill.w.shape[1]
        axes[f"xaxis{n + 2}"] = {**bare, "domain": [left, left + width], "anchor": "y2", "range": [0.5, d_k + 0.5]}
        maps.append(_map(mill.w, across, "y", f"{mill.matrix}, row %{{y}}, column %{{x}}: %{{z:.3f}}"))
        maps.append(_map(mill.y[None, :], across, "y2", f"{mill.made}, number %{{x}}: %{{z:.3f}}"))
        notes += [
            _note(f"<b>{mill.matrix}</b>", left + width / 2, 1, "bottom"),
            _note("▼", left + width / 2, (MATRICES[0] + STRIPS[1]) / 2, "middle", colour=mill.colour),
            _note(f"<b>{mill.made}</b>", left + width / 2, 0, "top", size=16, colour=mill.colour),
            *_written(mill.y, across),
        ]
        is_chosen = name == chosen
        shapes += [
            _outline(left, left + width, *MATRICES, mill.colour, is_chosen),
            _outline(left, left + width, *STRIPS, mill.colour, is_chosen),
        ]
        if is_chosen:
            column = feature + 0.5, feature + 1.5
            shapes.append({**plot.frame(*column, 0.5, D + 0.5), "xref": across, "yref": "y"})
            shapes.append({**plot.frame(*column, 0.5, 1.5), "xref": across, "yref": "y2"})
    margin = {"l": 8, "r": 8, "t": 48, "b": 34}
    return plot.figure(maps, 470, shapes=shapes, annotations=notes, margin=margin, **axes)


def _map(z: np.ndarray, across: str, down: str, text: str) -> go.Heatmap:
    rows, columns = z.shape
    return go.Heatmap(
        z=z,
        x=list(range(1, columns + 1)),
        y=list(range(1, rows + 1)),
        xaxis=across,
        yaxis=down,
        hovertemplate=f"{text}<extra></extra>",
        **plot.diverging_colours(float(np.abs(z).max()) or 1.0),
        showscale=False,
        xgap=1 if columns <= 32 else 0,
        ygap=1 if rows <= 64 else 0,
    )


def _note(text: str, x: float, y: float, yanchor: str, *, size: float = plot.FONT_SIZE, **more: Any) -> dict[str, Any]:
    """Words at a place of the whole figure; `colour` is that of the letters."""
    font = {"size": size, "color": more.pop("colour", INK if yanchor != "middle" else QUIET)}
    place = {"x": x, "y": y, "xref": "paper", "yref": "paper", "xanchor": "center", "yanchor": yanchor}
    return {"text": text, "showarrow": False, "font": font, **place, **more}


def _written(y: np.ndarray, across: str) -> list[dict[str, Any]]:
    """The numbers of a strip, where they have room."""
    is_strong = np.abs(y) > _STRONG * float(np.abs(y).max(initial=0))
    return [
        {
            "text": fixed(value),
            "x": n + 1,
            "y": 1,
            "xref": across,
            "yref": "y2",
            "showarrow": False,
            "textangle": -90,
            "font": {"size": plot.TICK_SIZE, "color": PANEL if is_strong[n] else INK},
        }
        for n, value in enumerate(y if len(y) <= _MAX_WRITTEN else ())
    ]


def _outline(x0: float, x1: float, y0: float, y1: float, colour: str, is_chosen: bool) -> dict[str, Any]:
    line = {"color": colour, "width": 3.5 if is_chosen else 1.5}
    return {"type": "rect", "x0": x0, "x1": x1, "y0": y0, "y1": y1, "xref": "paper", "yref": "paper", "line": line}
