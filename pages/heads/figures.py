"""Figures of the effects of heads, and of the differences between the heads of two models."""

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import DIVERGING, QUERY, QUIET, VALUE, WEIGHT


def _word_axis(tokens: tuple[str, ...], title: str = "") -> dict:
    return plot.axis(title, **plot.words_along_x(tokens))


def edges_three_ways(keys: tuple[str, ...], weight: np.ndarray, moved: np.ndarray, effect: np.ndarray) -> go.Figure:
    """Three measures of one query's edges (S,), side by side, each as a share of its own maximum to be comparable."""
    traces, notes = [], []
    for n, (name, values, colour) in enumerate(
        (("weight", weight, WEIGHT), ("weight × |value|", moved, VALUE), ("effect if cut", effect, QUIET))
    ):
        traces.append(
            go.Bar(
                x=values / (values.max() or 1.0),
                y=list(range(len(keys))),
                orientation="h",
                name=name,
                marker_color=colour,
                customdata=list(zip(values, plot.numbered(keys), strict=True)),
                xaxis=f"x{n + 1}" if n else "x",
                hovertemplate=f"%{{customdata[1]}}<br>{name} %{{customdata[0]:.4f}}<extra></extra>",
            )
        )
        notes.append(
            {
                "text": f"{name}<br>up to {values.max():.2g}",
                "x": 0,
                "xref": f"x{n + 1} domain" if n else "x domain",
                "xanchor": "left",
                "y": 1,
                "yref": "paper",
                "yanchor": "bottom",
                "showarrow": False,
                "align": "left",
                "font": {"size": 12.5},
            }
        )
    plain = {"visible": False, "range": [0, 1.05]}
    return plot.figure(
        traces,
        68 + 20 * len(keys),
        annotations=notes,
        margin={"l": 76, "r": 4, "t": 44, "b": 8},
        xaxis={**plain, "domain": [0, 0.26]},
        xaxis2={**plain, "domain": [0.30, 0.60]},
        xaxis3={**plain, "domain": [0.68, 1]},
        yaxis=plot.word_rows(keys),
        bargap=0.35,
    )


def part_sizes(tokens: tuple[str, ...], parts: np.ndarray, head: int | None = None) -> go.Figure:
    """The length of what each head adds to each token, parts (H, T, D) -> a map (T, H); the chosen head is framed."""
    size = np.linalg.norm(parts, axis=-1).T  # (T, H)
    T, H = size.shape
    cells = go.Heatmap(
        z=size,
        **plot.magnitude_colours(float(size.max()) or 1.0),
        xgap=2,
        ygap=2,
        colorbar=plot.colour_bar_below("length"),
        customdata=[[place] * H for place in plot.numbered(tokens)],
        hovertemplate="head %{x} adds a vector of length %{z:.3f} to %{customdata}<extra></extra>",
    )
    return plot.figure(
        [cells],
        110 + 22 * T,
        shapes=[] if head is None else [plot.frame(head - 0.5, head + 0.5, -0.5, T - 0.5)],
        margin={"l": 76, "r": 8, "t": 4, "b": 90},
        xaxis=plot.axis("head", dtick=1),
        yaxis=plot.word_rows(tokens),
    )


def bands(weight: np.ndarray, head: int) -> go.Figure:
    """W_O as bands (H, d_k, D), one row per feature of a head, with the rows of one head framed."""
    H, d_k, D = weight.shape
    largest = float(np.abs(weight).max())
    figure = go.Figure(
        go.Heatmap(
            z=weight.reshape(H * d_k, D),
            colorscale=DIVERGING,
            zmin=-largest,
            zmax=largest,
            showscale=False,
            hovertemplate="from feature %{y} of the heads to feature %{x}: %{z:.3f}<extra></extra>",
        )
    )
    for n in range(H):
        figure.add_shape(
            type="rect",
            x0=-0.5,
            x1=D - 0.5,
            y0=n * d_k - 0.5,
            y1=(n + 1) * d_k - 0.5,
            line={"color": VALUE if n == head else QUIET, "width": 3 if n == head else 0.5},
        )
    middles = [(n + 0.5) * d_k - 0.5 for n in range(H)]
    figure.update_xaxes(title="feature out", showgrid=False, zeroline=False)
    figure.update_yaxes(
        title="head", tickvals=middles, ticktext=[str(n) for n in range(H)], autorange="reversed", showgrid=False
    )
    return figure.update_layout(height=300, margin=plot.THIN_MARGIN)


def stripes(weight: np.ndarray, n_heads: int, head: int) -> go.Figure:
    """A projection W (D, H d_k), one column per output feature, with the columns of one head framed."""
    d_k = weight.shape[1] // n_heads
    largest = float(np.abs(weight).max())
    figure = go.Figure(
        go.Heatmap(
            z=weight,
            colorscale=DIVERGING,
            zmin=-largest,
            zmax=largest,
            showscale=False,
            hovertemplate="from feature %{y} to feature %{x}: %{z:.3f}<extra></extra>",
        )
    )
    for n in range(n_heads):
        mine = n == head
        figure.add_shape(
            type="rect",
            x0=n * d_k - 0.5,
            x1=(n + 1) * d_k - 0.5,
            y0=-0.5,
            y1=len(weight) - 0.5,
            line={"color": QUERY if mine else QUIET, "width": 3 if mine else 0.5},
        )
    middles = [(n + 0.5) * d_k - 0.5 for n in range(n_heads)]
    figure.update_xaxes(title="head", tickvals=middles, ticktext=[str(n) for n in range(n_heads)], showgrid=False)
    figure.update_yaxes(title="feature in", autorange="reversed", showgrid=False, zeroline=False)
    return figure.update_layout(height=300, margin=plot.THIN_MARGIN)


def similarity(cosines: np.ndarray, n_heads: int) -> go.Figure:
    """The cosines of every two heads' maps, (LH, LH); lines separate the layers."""
    names = [f"{n // n_heads}·{n % n_heads}" for n in range(len(cosines))]
    figure = go.Figure(
        go.Heatmap(
            z=cosines,
            x=names,
            y=names,
            **plot.magnitude_colours(1.0),
            xgap=1,
            ygap=1,
            colorbar=plot.colour_bar_below("cosine"),
            hovertemplate="heads %{y} and %{x}: %{z:.3f}<extra></extra>",
        )
    )
    for n in range(n_heads, len(cosines), n_heads):
        start, end, line = -0.5, len(names) - 0.5, {"color": QUIET, "width": 1}
        figure.add_shape(type="line", x0=start, x1=end, y0=n - 0.5, y1=n - 0.5, line=line)
        figure.add_shape(type="line", x0=n - 0.5, x1=n - 0.5, y0=start, y1=end, line=line)
    figure.update_xaxes(title="layer·head", showgrid=False, constrain="domain", type="category")
    figure.update_yaxes(title="layer·head", autorange="reversed", showgrid=False, scaleanchor="x", type="category")
    return figure.update_layout(height=420, margin=plot.THIN_MARGIN | {"b": 90})


def sources(tokens: tuple[str, ...], matrix: np.ndarray) -> go.Figure:
    """Where each token's information comes from, (T, T): one row per token, one column per source."""
    places = plot.numbered(tokens)
    cells = go.Heatmap(
        z=matrix,
        **plot.magnitude_colours(float(matrix.max()) or 1.0),
        xgap=1,
        ygap=1,
        colorbar=plot.colour_bar_below("share"),
        customdata=[[(token, source) for source in places] for token in places],
        hovertemplate="%{z:.3f} of %{customdata[0]} comes from %{customdata[1]}<extra></extra>",
    )
    return plot.figure(
        [cells],
        460,
        margin={"l": 76, "r": 8, "t": 4, "b": 130},
        xaxis={**_word_axis(tokens, "comes from"), "constrain": "domain"},
        yaxis={**plot.word_rows(tokens, "token"), "scaleanchor": "x", "constrain": "domain"},
    )
