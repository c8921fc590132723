"""Figures of the page on embeddings: cosines of vectors, their map, their size, and the gradient of every row."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from pages.shared import palette, plot


def _names(labels: Sequence[str], max_letters: int = 12) -> list[str]:
    """Shortened labels, escaped: plotly would read some signs as HTML."""
    return [plot.escaped(plot.shorten(label, max_letters)) for label in labels]


def _ticks(labels: Sequence[str], max_ticks: int = 26) -> dict:
    """Ticks for at most max_ticks labels, evenly spaced."""
    step = max(1, -(-len(labels) // max_ticks))
    return {"tickvals": list(range(0, len(labels), step)), "ticktext": _names(labels)[::step]}


def similarity(cosines: np.ndarray, labels: Sequence[str], chosen: int) -> go.Figure:
    """The cosine (n, n) of every two tokens, from -1 to 1; the row and column of the chosen one are framed."""
    n = len(labels)
    names = _names(labels, 24)
    trace = go.Heatmap(
        z=cosines.astype("f4"),
        colorscale=palette.DIVERGING,
        zmin=-1,
        zmax=1,
        xgap=1.5 if n <= 40 else 0,
        ygap=1.5 if n <= 40 else 0,
        customdata=[[f"{a} and {b}" for b in names] for a in names] if n <= 64 else None,
        hovertemplate=("%{customdata}<br>" if n <= 64 else "%{y}, %{x}: ") + "cosine %{z:.3f}<extra></extra>",
        colorbar={
            "title": {"text": "cosine", "side": "right"}, "thickness": 10, "len": 0.9, "outlinewidth": 0, "xpad": 4,
            "tickvals": [-1, 0, 1],
        },
    )  # fmt: skip
    line = {"color": palette.QUIET, "width": 1.5}
    ticks = _ticks(labels, 48 if n <= 48 else 26)
    frames = [
        {"type": "rect", "x0": -0.5, "x1": n - 0.5, "y0": chosen - 0.5, "y1": chosen + 0.5, "line": line},
        {"type": "rect", "y0": -0.5, "y1": n - 0.5, "x0": chosen - 0.5, "x1": chosen + 0.5, "line": line},
    ]
    return plot.figure(
        [trace],
        400 if n <= 26 else 580,
        shapes=frames,
        xaxis=plot.axis("token", tickangle=-55, **_ticks(labels)),
        yaxis=plot.axis("token", autorange="reversed", **ticks),
        margin={**plot.MARGIN, "l": 92, "b": 84, "t": 6},
    )


def plane(places: np.ndarray, shares: np.ndarray, labels: Sequence[str], chosen: int) -> go.Figure:
    """Tokens on a map (n, 2), with the share of the variance that each axis keeps."""
    names = _names(labels, 16)
    trace = go.Scatter(
        x=places[:, 0],
        y=places[:, 1],
        mode="markers+text" if len(labels) <= 60 else "markers",
        text=[f"<b>{name}</b>" if n == chosen else name for n, name in enumerate(names)],
        textposition="top center",
        textfont={"size": 13},
        hovertext=_names(labels, 24),
        hovertemplate="%{hovertext}<br>%{x:.2f}, %{y:.2f}<extra></extra>",
        marker={
            "size": [12 if n == chosen else 7 for n in range(len(labels))],
            "color": palette.QUIET,
            "opacity": [1 if n == chosen else 0.55 for n in range(len(labels))],
        },
        cliponaxis=False,
    )
    reach = 1.18 * float(np.abs(places).max()) if places.size and np.any(places) else 1.0
    line = {"zeroline": True, "zerolinewidth": 1, "range": [-reach, reach]}
    return plot.figure(
        [trace],
        400,
        xaxis=plot.axis(f"first direction: {shares[0]:.0%} of the variance", **line),
        yaxis=plot.axis(f"second direction: {shares[1]:.0%}", **line),
    )


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
        marker={"color": palette.QUIET, "opacity": 0.45, "line": {"width": 0}},
        name="pairs in this table",
        hovertemplate="cosine about %{x:.2f}: %{y:,} pairs<extra></extra>",
    )
    x = np.linspace(-1, 1, 401)
    bell = counts.sum() * width * np.exp(-((x / expected) ** 2) / 2) / (expected * np.sqrt(2 * np.pi))
    curve = go.Scatter(
        x=x, y=bell, mode="lines", line={"color": palette.QUIET, "width": 2},
        name="normal curve, σ = 1/√d", hoverinfo="skip",
    )  # fmt: skip
    top = max(float(counts.max(initial=0)), float(bell.max())) or 1.0
    named = go.Scatter(
        x=[value for _, value in marks],
        y=[top * (1.1 + 0.11 * n) for n in range(len(marks))],
        mode="markers+text",
        marker={"symbol": "triangle-down", "size": 10, "color": palette.QUIET},
        text=_names([name for name, _ in marks], 32),
        textposition="middle right",
        textfont={"size": 13},
        showlegend=False,
        hovertemplate="%{text}: %{x:.3f}<extra></extra>",
    )
    return plot.figure(
        [bars, curve, named],
        400,
        bargap=0,
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"},
        margin={**plot.MARGIN, "t": 36},
        xaxis=plot.axis("cosine of two rows of the table", range=[-1, 1], zeroline=True),
        yaxis=plot.axis("pairs", range=[0, top * (1.1 + 0.11 * max(1, len(marks)))]),
    )


def rms_by_source(tokens: float, positions: float, total: float) -> go.Figure:
    """Three bars: the rms of token vectors, of positions, and of their sum."""
    values = [tokens, positions, total]
    bars = go.Bar(
        x=["token vectors", "positions", "sum"],
        y=values,
        marker={"color": palette.QUIET, "opacity": [0.9, 0.5, 0.25], "line": {"width": 0}},
        text=[f"{value:.2f}" if value >= 0.1 else f"{value:.3f}" for value in values],
        textposition="outside",
        textfont={"size": 15},
        width=0.56,
        cliponaxis=False,
        hovertemplate="%{x}: rms %{y:.4f}<extra></extra>",
    )
    return plot.figure(
        [bars],
        340,
        xaxis=plot.axis("", tickfont={"size": 14}),
        yaxis=plot.axis("rms of one number", range=[0, 1.16 * max(values) or 1], rangemode="tozero"),
        margin={**plot.MARGIN, "b": 34, "t": 20},
    )


def rms_ratio_by_width(
    widths: Sequence[int], cases: Mapping[str, tuple[Sequence[float], Sequence[float]]], chosen: str, d_model: int
) -> go.Figure:
    """The rms of tokens over that of positions, by d_model.

    cases   name -> (measured ratios, expected ratios), one of each per width; the chosen case is drawn strong, and
            the chosen width has a larger dot
    """
    traces = []
    for name, (measured, expected) in cases.items():
        strong = name == chosen
        colour = {"color": palette.QUIET, "width": 2.4 if strong else 1.2, "dash": "solid" if strong else "dot"}
        traces.append(
            go.Scatter(x=widths, y=expected, mode="lines", line=colour, hoverinfo="skip", opacity=1 if strong else 0.7)
        )
        traces.append(
            go.Scatter(
                x=widths,
                y=measured,
                mode="markers",
                marker={
                    "size": [15 if strong and d == d_model else 8 if strong else 5 for d in widths],
                    "color": palette.QUIET,
                    "opacity": 1 if strong else 0.55,
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
    notes = [
        {
            "x": np.log10(widths[-1]), "y": at, "xref": "x", "yref": "y", "showarrow": False,
            "text": "<br>".join(f"<b>{name}</b>" if name == chosen else name for name in names),
            "xanchor": "left", "xshift": 10, "align": "left", "font": {"size": 12.5},
            "yanchor": "bottom" if len(names) > 1 else "middle", "yshift": -9 if len(names) > 1 else 0,
        }
        for at, names in ends.items()
    ]  # fmt: skip
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
        340,
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
        margin={**plot.MARGIN, "r": 148},
    )


def gradients(tables: Sequence[tuple[str, np.ndarray]], labels: Sequence[str]) -> go.Figure:
    """The length of the gradient of every row of every table (V,), one strip per table, on a logarithmic scale.

    A gradient of exactly 0 has no logarithm; its row is grey, so that no small gradient looks like none.
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
        colorscale=palette.SEQUENTIAL,
        zmin=low,
        zmax=high,
        ygap=14,
        hoverongaps=False,
        hovertemplate="%{text}<extra></extra>",
        colorbar={
            "title": {"text": "length of gradient", "side": "right"}, "thickness": 10, "len": 0.9, "outlinewidth": 0,
            "xpad": 4, "tickvals": decades, "ticktext": [f"{10.0**n:g}" for n in decades],
        },
    )  # fmt: skip
    ground = go.Heatmap(
        z=[[0 if value is None else None for value in row] for row in z],
        x=ids,
        y=list(range(len(tables))),
        customdata=names,
        colorscale=[[0, palette.QUIET], [1, palette.QUIET]],
        showscale=False,
        opacity=0.16,
        ygap=14,
        hoverongaps=False,
        hovertemplate="%{customdata}, id %{x}<br>its row gets no gradient: exactly 0<extra></extra>",
    )
    return plot.figure(
        [ground, strips],
        80 + 78 * max(1, len(tables)),
        xaxis=plot.axis("id: the row of the table", range=[-0.5, len(labels) - 0.5]),
        yaxis=plot.axis(
            "",
            tickvals=list(range(len(tables))),
            ticktext=[name.replace(" = ", "<br>= ") for name, _ in tables],
            autorange="reversed",
            tickfont={"size": 13.5},
        ),
        margin={**plot.MARGIN, "l": 92},
    )
