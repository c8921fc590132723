"""The figures below the walk: what happens at one station of a layer."""

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import DIVERGING, INK, LINE, MAGNITUDE, QUIET, SEQUENTIAL
from pages.blocks import figures

STATIONS = {
    "in": "stream in",
    "norm1": "norm 1",
    "attention": "attention",
    "add1": "add 1",
    "norm2": "norm 2",
    "feed_forward": "feed-forward",
    "add2": "add 2",
}
HELP = {
    "in": "One vector per token comes in.",
    "norm1": "Each token's vector, on its own, is shifted to mean 0 and scaled to standard deviation 1.",
    "attention": "Tokens look at one another: only here does a token learn about the others.",
    "add1": "The result of attention is added to the stream; nothing that was there is overwritten.",
    "norm2": "Each token's vector, on its own, is shifted to mean 0 and scaled to standard deviation 1.",
    "feed_forward": "Two matrices with an activation function between them: each token passes through them on its own.",
    "add2": "The result of the feed-forward layer is added to the stream.",
}
MAX_TICKS = 4000  # of all tokens together, in a picture of single numbers
MAX_MAP = 24  # tokens of a map per head
SIDE_BY_SIDE = 4  # maps


def vectors(values: np.ndarray, tokens: tuple[str, ...]) -> go.Figure:
    """The vectors of all tokens, one per row."""
    values, tokens = values[: figures.MAX_ROWS], tokens[: figures.MAX_ROWS]
    figure = go.Figure(_vectors(values, tokens, figures.extent(values)))
    figure.update_layout(
        height=figures.height_of(len(tokens)),
        margin=figures.MARGIN,
        xaxis={"title": "feature of the stream", "showgrid": False, "zeroline": False},
        yaxis=figures.word_axis(tokens),
    )
    return figure


def addition(met: np.ndarray, push: np.ndarray, tokens: tuple[str, ...], finder: str) -> go.Figure:
    """The stream that comes, what is added to it, and their sum, on one scale of colours."""
    met, push, tokens = met[: figures.MAX_ROWS], push[: figures.MAX_ROWS], tokens[: figures.MAX_ROWS]
    panels = (("the stream", met), (f"+  the result of {finder}", push), ("=  the stream goes on", met + push))
    largest = max(figures.extent(values) for _, values in panels)
    figure = go.Figure()
    layout: dict = {"yaxis": figures.word_axis(tokens)}
    for n, (name, values) in enumerate(panels):
        left, right = n / 3 + 0.01, (n + 1) / 3 - 0.01
        axis = f"x{n + 1}" if n else "x"
        figure.add_trace(_vectors(values, tokens, largest, xaxis=axis, showscale=n == 2))
        layout[f"xaxis{n + 1 if n else ''}"] = {
            "domain": [left, right],
            "showgrid": False,
            "zeroline": False,
            "nticks": 4,
            "tickfont": {"color": QUIET},
            "title": "feature" if n == 1 else "",
        }
        figure.add_annotation(_above(name, (left + right) / 2))
    figure.update_layout(height=figures.height_of(len(tokens)), margin=figures.MARGIN, **layout)
    return figure


def normalised(before: np.ndarray, after: np.ndarray, tokens: tuple[str, ...], names: tuple[str, str]) -> go.Figure:
    """Every number of each token's vector as a tick, before a norm and after it, with their mean and deviation."""
    before, after, tokens = before[: figures.MAX_ROWS], after[: figures.MAX_ROWS], tokens[: figures.MAX_ROWS]
    T, D = before.shape
    every = max(1, -(-T * D // MAX_TICKS))
    rows = np.arange(T)
    figure = go.Figure()
    for values, axis in ((before, "x"), (after, "x2")):
        ticks = values[:, ::every]
        figure.add_scatter(
            x=ticks.ravel(),
            y=np.repeat(rows, ticks.shape[1]),
            mode="markers",
            marker={"symbol": "line-ns", "size": 11, "line": {"width": 1, "color": QUIET}, "color": QUIET},
            opacity=0.5,
            xaxis=axis,
            hoverinfo="skip",
        )
        mean, deviation = values.mean(-1), values.std(-1)
        figure.add_scatter(
            x=mean,
            y=rows,
            error_x={"array": deviation, "color": INK, "thickness": 3, "width": 0},
            mode="markers",
            marker={"color": INK, "size": 8},
            xaxis=axis,
            customdata=np.column_stack([figures.shortened(tokens), [f"{d:.2f}" for d in deviation]]),
            hovertemplate="%{customdata[0]}: mean %{x:.2f}, standard deviation %{customdata[1]}<extra></extra>",
        )
    reach = 1.05 * max(figures.extent(before), figures.extent(after))
    across = {
        "range": [-reach, reach],
        "tickfont": {"color": QUIET},
        "zeroline": True,
        "zerolinecolor": LINE,
        "showgrid": False,
        "nticks": 7,
    }
    figure.update_layout(
        height=figures.height_of(len(tokens)),
        margin=figures.MARGIN,
        showlegend=False,
        xaxis={"domain": [0, 0.49], "title": "value of a feature", **across},
        xaxis2={"domain": [0.51, 1], "title": "value of a feature", **across},
        yaxis=figures.word_axis(tokens),
        annotations=[_above(name, x) for name, x in zip(names, (0.245, 0.755), strict=True)],
    )
    return figure


def head_maps(weights: np.ndarray, tokens: tuple[str, ...]) -> go.Figure:
    """The attention weights (H, T, T) of every head, a map each on one scale; what is masked is empty.

    Rows look at columns. A cell that no head fills, to the right of the diagonal of a decoder, is masked.
    """
    weights, tokens = weights[:, :MAX_MAP, :MAX_MAP], tokens[:MAX_MAP]
    H, T, _ = weights.shape
    columns = min(H, SIDE_BY_SIDE)
    lines = -(-H // columns)
    masked = np.triu(np.ones((T, T), bool), 1) if T > 1 and not np.triu(weights, 1).any() else np.zeros((T, T), bool)
    side, head, foot = 180, 26, 76
    height = lines * (side + head) + foot
    figure = go.Figure()
    layout: dict = {}
    rows, across = figures.word_ticks(tokens), figures.word_ticks(tokens, most=12)
    for n in range(H):
        line, column = divmod(n, columns)
        key = n + 1 if n else ""
        left, right = column / columns + 0.008, (column + 1) / columns - 0.008
        top = 1 - (line * (side + head) + head) / (height - foot)
        bottom = 1 - (line + 1) * (side + head) / (height - foot)
        is_last = n + columns >= H
        plain = {"showgrid": False, "zeroline": False, "ticks": ""}
        layout[f"xaxis{key}"] = {
            "domain": [left, right],
            "anchor": f"y{key}",
            **plain,
            **across,
            "tickangle": plot.WORD_ANGLE,
            "showticklabels": is_last,
        }
        layout[f"yaxis{key}"] = {
            "domain": [bottom, top],
            "anchor": f"x{key}",
            "autorange": "reversed",
            **plain,
            **rows,
            "showticklabels": column == 0,
        }
        figure.add_heatmap(
            z=np.where(masked, np.nan, weights[n]),
            xaxis=f"x{key}",
            yaxis=f"y{key}",
            zmin=0,
            zmax=float(weights.max()) or 1.0,
            colorscale=SEQUENTIAL,
            xgap=1,
            ygap=1,
            customdata=np.array(
                [[f"{q} looks at {k}" for k in figures.shortened(tokens)] for q in figures.shortened(tokens)]
            ),
            hovertemplate=f"head {n}, %{{customdata}}: %{{z:.2f}}<extra></extra>",
            hoverongaps=False,
            showscale=n == 0,
            colorbar=figures.colour_bar("attention<br>weight"),
        )
        figure.add_annotation(_above(f"head {n}", (left + right) / 2, top))
    figure.update_layout(height=height, margin=figures.MARGIN | {"t": 4}, **layout)
    return figure


def _vectors(values: np.ndarray, tokens: tuple[str, ...], largest: float, **more: object) -> go.Heatmap:
    return go.Heatmap(
        z=values,
        y=np.arange(len(tokens)),
        zmin=-largest,
        zmax=largest,
        colorscale=DIVERGING,
        customdata=np.repeat(np.array(figures.shortened(tokens))[:, None], values.shape[1], 1),
        hovertemplate="%{customdata}, feature %{x}: %{z:.2f}<extra></extra>",
        ygap=2,
        colorbar=figures.colour_bar("value"),
        **more,
    )


def _above(text: str, x: float, y: float = 1.0) -> dict:
    return {
        "text": text,
        "x": x,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "center",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": plot.FONT_SIZE},
    }


def firing(hidden: np.ndarray, fires: np.ndarray, tokens: tuple[str, ...]) -> go.Figure:
    """Which hidden units let something through for which word, the most active ones first; silent ones are empty."""
    tokens = tokens[: figures.MAX_ROWS]
    rows = np.arange(len(tokens))
    share = 100 * fires[: figures.MAX_ROWS].mean(-1)
    hidden, fires = hidden[: figures.MAX_ROWS, : figures.MAX_UNITS], fires[: figures.MAX_ROWS, : figures.MAX_UNITS]
    order = np.argsort(-fires.sum(0), kind="stable")
    z = np.where(hidden == 0, np.nan, hidden)[:, order]
    signed = bool((hidden < 0).any())
    largest = figures.extent(hidden)
    figure = go.Figure(
        [
            go.Heatmap(
                z=z,
                y=rows,
                zmin=-largest if signed else 0,
                zmax=largest,
                colorscale=DIVERGING if signed else MAGNITUDE,
                customdata=np.broadcast_to(order, z.shape),
                hovertemplate="unit %{customdata}: %{z:.3f}<extra></extra>",
                hoverongaps=False,
                xgap=0.5,
                ygap=2,
                colorbar=figures.colour_bar("value"),
            ),
            go.Bar(
                x=share,
                y=rows,
                orientation="h",
                xaxis="x2",
                marker={"color": QUIET, "opacity": 0.5},
                width=0.6,
                text=[f"{s:.0f}%" for s in share],
                textposition="outside",
                cliponaxis=False,
                hovertemplate="%{x:.0f}% of the units fire<extra></extra>",
            ),
        ]
    )
    figure.update_layout(
        height=figures.height_of(len(tokens)),
        margin=figures.MARGIN,
        showlegend=False,
        xaxis={"domain": [0, 0.75], "showgrid": False, "showticklabels": False, "ticks": "", "zeroline": False},
        xaxis2={"domain": [0.79, 0.97], "range": [0, 130], "showticklabels": False, "ticks": "", "showgrid": False},
        yaxis=figures.word_axis(tokens),
        annotations=[_above(f"hidden units ({z.shape[1]})", 0.375), _above("firing", 0.83)],
    )
    return figure


def activation(x: np.ndarray, curves: dict[str, np.ndarray], chosen: str, before: np.ndarray) -> go.Figure:
    """The bends, and below them where this sentence's numbers fall."""
    counts, edges = np.histogram(before, bins=48, range=(float(x[0]), float(x[-1])))
    figure = go.Figure(
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=100 * counts / max(before.size, 1),
            width=np.diff(edges) * 0.9,
            yaxis="y2",
            marker={"color": QUIET, "opacity": 0.5},
            hovertemplate="around %{x:.2f}: %{y:.1f}% of the numbers<extra></extra>",
        )
    )
    for name, y in curves.items():
        figure.add_scatter(
            x=x,
            y=y,
            mode="lines",
            name=name,
            line={"color": INK if name == chosen else QUIET, "width": 3.5 if name == chosen else 1.8},
            hovertemplate=f"{name}(%{{x:.2f}}) = %{{y:.3f}}<extra></extra>",
        )
    # Point at the line, label beside it.
    where = {"ReLU": (-2.2, 0.0, 0, -26), "GELU": (-0.75, -0.17, 0, 30), "SiLU": (-2.6, -0.18, -20, 30)}
    for name, (at, y, right, down) in ((name, where[name]) for name in curves):
        used = ", in use here" if name == chosen else ""
        figure.add_annotation(
            x=at,
            y=y,
            ax=right,
            ay=down,
            text=f"{name}{used}",
            arrowcolor=QUIET,
            arrowwidth=1,
            arrowhead=0,
            font={"size": plot.FONT_SIZE},
        )
    figure.update_layout(
        height=400,
        margin=figures.MARGIN | {"t": 8},
        showlegend=False,
        xaxis={"title": "what comes in: x W₁ + b₁", "zeroline": True, "range": [-3, 3], "anchor": "y2"},
        yaxis={"title": "what passes", "zeroline": True, "domain": [0.34, 1], "range": [-0.75, 3], "dtick": 1},
        yaxis2={
            "title": "how often",
            "domain": [0, 0.24],
            "showgrid": False,
            "zeroline": False,
            "ticksuffix": "%",
            "nticks": 3,
            "rangemode": "tozero",
        },
    )
    return figure


def xor(inputs: np.ndarray, answers: np.ndarray, linear_answers: np.ndarray) -> go.Figure:
    """Exactly one of two: the answers of two ReLU units, and those of the best linear map."""
    names = [f"{a:.0f} and {b:.0f}" for a, b in inputs]
    figure = go.Figure()
    for name, y, colour in (("with the bend", answers, INK), ("without it, at best", linear_answers, QUIET)):
        figure.add_bar(
            x=names,
            y=y,
            name=name,
            marker={"color": colour},
            text=[f"{v + 0:.1f}" for v in np.round(y, 6)],
            textposition="outside",
            cliponaxis=False,
            hovertemplate=f"{name}: %{{y:.2f}}<extra></extra>",
        )
    figure.update_layout(
        height=340,
        margin=figures.MARGIN,
        legend=figures.legend(),
        barmode="group",
        bargap=0.4,
        xaxis={"title": "the two inputs", "type": "category"},
        yaxis={"title": "is exactly one of them 1?", "range": [0, 1.15]},
    )
    return figure
