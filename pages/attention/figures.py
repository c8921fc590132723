"""Figures of the attention page: what wide vectors do to softmax, how vectors are made, and one head beside two."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import INK, POSITIVE, QUIET, SEQUENTIAL, VALUE, WEIGHT

_END = "\u00a0" * 3  # plotly measures a name before its font has come, and cuts off what is longer


def score_histogram(scores: np.ndarray, spread: float, scaled: bool) -> go.Figure:
    """A histogram of the scores that enter softmax, and the bell curve with standard deviation `spread`."""
    bound = float(np.ceil(np.abs(scores).max(initial=1e-9)))
    heights, edges = np.histogram(scores, bins=60, range=(-bound, bound), density=True)
    centres = (edges[1:] + edges[:-1]) / 2
    curve = np.linspace(-bound, bound, 181)
    bell = np.exp(-0.5 * (curve / spread) ** 2) / (spread * np.sqrt(2 * np.pi))
    figure = go.Figure(
        [
            go.Bar(
                x=centres,
                y=heights,
                width=edges[1] - edges[0],
                marker={"color": POSITIVE, "line": {"width": 0}},
                name="scores",
                hovertemplate="score %{x:.2f}: density %{y:.3f}<extra></extra>",
            ),
            go.Scatter(
                x=curve,
                y=bell,
                mode="lines",
                line={"color": QUIET, "width": 2},
                name="bell of spread 1" if scaled else "bell of spread √d_k",
                hoverinfo="skip",
            ),
        ]
    )
    figure.update_xaxes(title="score that softmax is given", zeroline=False, fixedrange=True)
    figure.update_yaxes(title="how often", showticklabels=False, fixedrange=True, rangemode="tozero")
    figure.update_layout(
        height=225,
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        bargap=0,
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0},
    )
    return figure


def ranked_weights(weights: np.ndarray) -> go.Figure:
    """Bars (n,) of the mean largest weight of a row, the second largest, and so on; a dotted line at 1/n."""
    n = len(weights)
    ranks = list(range(1, n + 1))
    figure = go.Figure(
        go.Bar(
            x=ranks,
            y=weights,
            marker={"color": WEIGHT},
            name="weight",
            hovertemplate="largest no. %{x}: %{y:.4f}<extra></extra>",
        )
    )
    figure.add_hline(
        y=1 / n,
        line={"color": QUIET, "width": 1.5, "dash": "dot"},
        annotation_text=f"all alike: 1/{n}",
        annotation_position="top right",
        annotation_font={"size": 12, "color": QUIET},
    )
    figure.update_xaxes(title=f"the {n} keys, most looked at first", tickvals=[1, n // 2, n], fixedrange=True)
    figure.update_yaxes(title="mean attention weight", range=[0, 1.02], fixedrange=True)
    figure.update_layout(height=215, margin={"l": 10, "r": 10, "t": 10, "b": 10}, bargap=0.25, showlegend=False)
    return figure


def saturation_curves(
    widths: Sequence[int], measures: Mapping[str, tuple[Sequence[float], Sequence[float]]], d_k: int, scaled: bool
) -> go.Figure:
    """Curves over d_k, one small panel per measure.

    measures  title -> (values at every width with the division, and without it)
    d_k, scaled  the chosen point, which has a ring
    """
    figure = go.Figure()
    n = len(measures)
    gap = 0.09
    panel_height = (1 - gap * (n - 1)) / n
    lines = ((True, "divided by √d_k", INK, "solid"), (False, "not divided", QUIET, "dash"))
    for panel, (name, series) in enumerate(measures.items()):
        axis = "" if panel == 0 else str(panel + 1)
        top = 1 - panel * (panel_height + gap)
        for (is_scaled, label, colour, dash), values in zip(lines, series, strict=True):
            figure.add_scatter(
                x=list(widths),
                y=list(values),
                xaxis="x",
                yaxis=f"y{axis}",
                name=label,
                legendgroup=label,
                mode="lines+markers",
                showlegend=panel == 0,
                line={"color": colour, "dash": dash, "width": 2},
                marker={"color": colour, "size": 5},
                hovertemplate=f"{name}, d_k = %{{x}}: %{{y:.3f}}<extra>{label}</extra>",
            )
            if is_scaled == scaled:
                figure.add_scatter(
                    x=[d_k],
                    y=[values[list(widths).index(d_k)]],
                    xaxis="x",
                    yaxis=f"y{axis}",
                    mode="markers",
                    marker={"size": 13, "symbol": "circle-open", "color": colour, "line": {"width": 2.5}},
                    showlegend=False,
                    hoverinfo="skip",
                    name="chosen",
                )
        highest = max(max(values) for values in series)
        figure.update_layout(
            {
                f"yaxis{axis}": {
                    "domain": [max(0.0, top - panel_height), top],
                    "range": [-0.08 * highest, 1.16 * highest],
                    "title": {"text": name, "font": {"size": 12.5}},
                    "nticks": 4,
                    "fixedrange": True,
                    "anchor": "x",
                }
            }
        )
    figure.update_xaxes(
        type="log",
        title="d_k, the width of queries and keys",
        tickvals=[1, 4, 16, 64, 256, 1024],
        ticktext=["1", "4", "16", "64", "256", "1024"],
        fixedrange=True,
        anchor=f"y{n if n > 1 else ''}",
    )
    figure.update_layout(
        height=450,
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        legend={"orientation": "h", "y": 1.01, "yanchor": "bottom", "x": 0},
    )
    return figure


def two_places(
    weights: np.ndarray,
    output: np.ndarray,
    sentences: tuple[tuple[str, ...], ...],
    words: tuple[str, ...],
    title: str = "",
) -> go.Figure:
    """The weights of two sentences' last words (2, H, T), and below them their heads' outputs (2, H, words).

    Bars of the second sentence are hatched; bars of equal height mean that the sentences cannot be told apart.
    """
    H = weights.shape[1]
    rows = [(n, h) for n in range(len(sentences)) for h in range(H)]
    labels = [
        [f"{word} {w:.2g}" if w else word for word, w in zip(sentences[n], weights[n, h], strict=True)] for n, h in rows
    ]
    figure = go.Figure(
        go.Heatmap(
            z=[weights[n, h] for n, h in rows],
            y=list(range(len(rows))),
            text=labels,
            texttemplate="%{text}",
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=1,
            showscale=False,
            xgap=3,
            ygap=3,
            yaxis="y2",
            xaxis="x2",
            hovertemplate="%{text}<extra></extra>",
        )
    )
    names = [word if H == 1 else f"{word} " + " " * h for h in range(H) for word in words]
    for n, sentence in enumerate(sentences):
        figure.add_bar(
            x=list(range(len(names))),
            y=output[n].ravel(),
            name=" ".join(sentence[:-1]) + _END,
            customdata=names,
            marker={"color": VALUE, "pattern": {"shape": ["", "/"][n], "fillmode": "replace"}},
            hovertemplate="%{customdata}: %{y:.3g}<extra>" + " ".join(sentence[:-1]) + "</extra>",
        )
    figure.update_layout(
        height=530,  # the text begins on the next screen
        margin=plot.THIN_MARGIN | {"t": 34},
        title={"text": title, "x": 0, "y": 0.99, "yanchor": "top", "font": {"size": 15}},
        barmode="group",
        bargap=0.35,
        legend={"orientation": "h", "y": 0.50, "yanchor": "bottom", "x": 0},
        xaxis={"tickvals": list(range(len(names))), "ticktext": names, "anchor": "y", "tickangle": 0},
        xaxis2={"visible": False, "anchor": "y2"},
        yaxis={"domain": [0, 0.46], "range": [0, 1.18], "title": "what comes out", "tickvals": [0, 0.5, 1]},
        yaxis2={
            "domain": [0.62, 1],
            "autorange": "reversed",
            "tickvals": list(range(len(rows))),
            "ticktext": [" ".join(sentences[n][:-1]) + (f", head {h}" if H > 1 else "") for n, h in rows],
            "showgrid": False,
            "zeroline": False,
        },
    )
    figure.add_shape(
        type="line", x0=0, x1=1, xref="paper", y0=H - 0.5, y1=H - 0.5, yref="y2", line={"color": QUIET, "width": 1}
    )
    for h in range(H):
        figure.add_annotation(
            x=(h + 0.5) * len(words) - 0.5, y=1.1, yref="y", text=f"head {h}", showarrow=False, yanchor="middle"
        )
    for h in range(1, H):
        x = h * len(words) - 0.5
        figure.add_shape(type="line", x0=x, x1=x, y0=0, y1=1, yref="y domain", line={"color": QUIET, "width": 1})
    return figure
