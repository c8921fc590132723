"""Figures of the page on embeddings: the spread of cosines, the size of vectors, and the gradient of every row."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from pages.shared import palette, plot

MAX_NAMED = 40  # names side by side above a strip


def _names(labels: Sequence[str], max_letters: int = 12) -> list[str]:
    """Shortened labels, escaped: plotly would read some signs as HTML."""
    return [plot.escaped(plot.shorten(label, max_letters)) for label in labels]


def _power(n: int) -> str:
    """10 to the n: "0.01", and "10⁻⁷" where that is shorter."""
    return f"{10.0**n:g}" if -4 <= n <= 4 else "10" + str(n).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def spread(
    edges: np.ndarray, counts: np.ndarray, expected: float, marks: Sequence[tuple[str, float]] = ()
) -> go.Figure:
    """A histogram of the cosines of all pairs of rows, the normal curve of deviation `expected`, and named pairs."""
    middles = (edges[1:] + edges[:-1]) / 2
    width = float(edges[1] - edges[0])
    bars = go.Bar(
        x=middles,
        y=counts,
        width=width,
        marker={"color": palette.POSITIVE, "opacity": 0.6, "line": {"width": 0}},
        hovertemplate="cosine about %{x:.2f}: %{y:,} pairs<extra></extra>",
    )
    x = np.linspace(-1, 1, 401)
    bell = counts.sum() * width * np.exp(-((x / expected) ** 2) / 2) / (expected * np.sqrt(2 * np.pi))
    curve = go.Scatter(
        x=x, y=bell, mode="lines", line={"color": palette.INK, "width": 2}, hoverinfo="skip",
    )  # fmt: skip
    top = max(float(counts.max(initial=0)), float(bell.max())) or 1.0
    named = go.Scatter(
        x=[value for _, value in marks],
        y=[top * (1.1 + 0.11 * n) for n in range(len(marks))],
        mode="markers+text",
        marker={"symbol": "triangle-down", "size": 10, "color": palette.INK},
        text=_names([name for name, _ in marks], 32),
        textposition="middle right",
        textfont={"size": 13},
        showlegend=False,
        hovertemplate="%{text}: %{x:.3f}<extra></extra>",
    )
    note = {"showarrow": False, "font": {"size": plot.FONT_SIZE}, "xref": "x", "yref": "y", "align": "left"}
    notes = [
        {
            **note, "text": "the normal curve of<br>random rows, σ = 1/√d", "x": -1.25 * expected, "xanchor": "right",
            "y": float(bell.max()) * 0.46, "yanchor": "middle", "xshift": -10,
        },
        {**note, "text": "bars: pairs in this table", "x": 0.98, "xanchor": "right", "y": top * 0.94},
    ]  # fmt: skip
    return plot.figure(
        [bars, curve, named],
        400,
        bargap=0,
        annotations=notes,
        margin={**plot.MARGIN, "t": 20},
        xaxis=plot.axis("cosine of two rows of the table", range=[-1, 1], zeroline=True),
        yaxis=plot.axis("pairs", range=[0, top * (1.1 + 0.11 * max(1, len(marks)))]),
    )


def gradients(tables: Sequence[tuple[str, np.ndarray]], labels: Sequence[str]) -> go.Figure:
    """The length of the gradient of every row of every table (V,), one strip per table, on a logarithmic scale.

    A gradient of exactly 0 has no logarithm; its row has the colour of the panel, and the least gradient is stronger.
    Tokens whose rows learn are named above the first strip, as far as there is room, unless all do.
    """
    z = [[float(np.log10(norm)) if norm > 0 else None for norm in norms.tolist()] for _, norms in tables]
    logarithms = [value for row in z for value in row if value is not None] or [0.0]
    # A decade below the least, so that the least can be told from the ground.
    low, high = min(logarithms) - 1, max(logarithms)
    decades = list(range(int(np.ceil(low)), int(np.floor(high)) + 1))
    ids = np.arange(len(labels))
    names = [_names(labels, 24)] * len(tables)
    strips = go.Heatmap(
        z=z,
        x=ids,
        y=list(range(len(tables))),
        text=[
            [f"{row[id]}, id {id}<br>gradient of its row: {norm:.3g}" for id, norm in enumerate(norms)]
            for row, (_, norms) in zip(names, tables, strict=True)
        ],
        colorscale=palette.MAGNITUDE,
        zmin=low,
        zmax=high,
        ygap=14,
        hoverongaps=False,
        hovertemplate="%{text}<extra></extra>",
        colorbar={
            "title": {"text": "length of gradient", "side": "right"}, "thickness": 10, "len": 0.9, "outlinewidth": 0,
            "xpad": 4, "tickvals": decades, "ticktext": [_power(n) for n in decades],
        },
    )  # fmt: skip
    ground = go.Heatmap(
        z=[[0 if value is None else None for value in row] for row in z],
        x=ids,
        y=list(range(len(tables))),
        customdata=names,
        colorscale=[[0, palette.PANEL], [1, palette.PANEL]],
        showscale=False,
        ygap=14,
        hoverongaps=False,
        hovertemplate="%{customdata}, id %{x}<br>its row gets no gradient: exactly 0<extra></extra>",
    )
    frames = [
        {
            "type": "rect", "xref": "x", "yref": "y", "x0": -0.5, "x1": len(labels) - 0.5, "y0": n - 0.41,
            "y1": n + 0.41, "line": {"color": palette.LINE, "width": 1},
        }
        for n in range(len(tables))
    ]  # fmt: skip
    learns = np.flatnonzero(tables[0][1]) if tables else np.array([])
    # Where every row learns, names would say nothing of the text.
    shown = _apart(learns.tolist(), len(labels) / MAX_NAMED) if len(learns) < len(labels) else []
    learned = [f"{np.count_nonzero(norms):,} of {len(norms):,} rows" for _, norms in tables]
    return plot.figure(
        [ground, strips],
        120 + 78 * max(1, len(tables)),
        shapes=frames,
        annotations=[
            {
                "text": name,
                "x": id,
                "y": -0.43,
                "xanchor": "left",
                "yanchor": "bottom",
                "showarrow": False,
                "textangle": plot.WORD_ANGLE,
                "font": {"size": plot.TICK_SIZE},
                "xshift": -4,
            }
            for id, name in zip(shown, _names([labels[id] for id in shown]), strict=True)
        ],
        xaxis=plot.axis("id: the row of the table", range=[-0.5, len(labels) - 0.5]),
        yaxis=plot.axis(
            "",
            tickvals=list(range(len(tables))),
            ticktext=[
                f"{name.replace(' = ', '<br>= ')}<br><b>{rows}</b>"
                for (name, _), rows in zip(tables, learned, strict=True)
            ],
            range=[len(tables) - 0.5, -0.5],
            tickfont={"size": 13.5},
        ),
        margin={**plot.MARGIN, "l": 112, "t": 64},
    )


def _apart(places: Sequence[int], distance: float) -> list[int]:
    """Those of these ascending places that are at least so far from the last one that is taken."""
    taken: list[int] = []
    for place in places:
        if not taken or place - taken[-1] >= distance:
            taken.append(place)
    return taken
