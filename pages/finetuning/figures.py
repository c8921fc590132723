"""Figures of the page on fine-tuning: curves, a map of what moved, a low-rank update, heads; and what was learned of
reviews: by how many, by which layer, by step, and review by review."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import palette, plot
from lab.kit.figures.palette import INK, POSITIVE, QUIET

CHANCE = 0.5
READER_STYLES = {  # of each reader of reviews
    "MiniLM": {"color": INK, "width": 3},
    "all of MiniLM": {"color": POSITIVE, "width": 2.5, "dash": "dot"},
    "word counts": {"color": QUIET, "width": 2.5, "dash": "dash"},
}
PART_STYLES = {  # of each kind of reviews
    "learned": {"color": QUIET, "width": 2.5},
    "plain": {"color": POSITIVE, "width": 2.5},
    "negated": {"color": INK, "width": 3},
}
_BAND = {"MiniLM": 0.16, "all of MiniLM": 0.12, "word counts": 0.14}  # how strongly the spread is drawn
_LOWEST = 0.3  # of the axis of accuracies
ROOM = 92  # pixels at the right end, for names
LEADER = 1.07  # of the last step: where the names are
APART = 0.062  # of the height of a figure, between two names


def spread_out(heights: Sequence[float], distance: float) -> np.ndarray:
    """Growing heights, moved so that each is this far from the next, and no further than that takes."""
    spread: list[float] = []
    for height in heights:
        spread.append(max(height, spread[-1] + distance) if spread else height)
    return np.array(spread) - np.mean(np.subtract(spread, heights))


def moved_map(names: Sequence[str], columns: Mapping[str, Sequence[float | None]]) -> go.Figure:
    """How far every matrix moved, a row per matrix and a column per way; what was frozen says so."""
    values = np.array([[np.nan if x is None else x for x in column] for column in columns.values()], float).T
    largest = float(np.nanmax(values))
    is_frozen = np.isnan(values)
    cells = go.Heatmap(
        z=values,
        x=list(range(len(columns))),
        y=list(range(len(names))),
        **plot.magnitude_colours(plot.PALE * largest),
        xgap=2,
        ygap=2,
        hoverongaps=False,
        showscale=False,
        customdata=np.array([[(name, way) for way in columns] for name in names]),
        hovertemplate="%{customdata[1]}: %{customdata[0]} moved by %{z:.3f} of its size<extra></extra>",
    )
    rows, places = np.indices(values.shape).reshape(2, -1)
    flat = is_frozen.ravel()
    words = go.Scatter(
        x=places,
        y=rows,
        mode="text",
        hoverinfo="skip",
        text=["frozen" if frozen else f"{value:.2f}" for frozen, value in zip(flat, values.ravel(), strict=True)],
        textfont={"size": plot.TICK_SIZE, "color": [QUIET if frozen else INK for frozen in flat]},
    )
    return plot.figure(
        [cells, words],
        30 + 29 * len(names),
        margin={**plot.THIN_MARGIN, "t": 30},
        xaxis=plot.axis("", tickvals=list(range(len(columns))), ticktext=[_short(way) for way in columns], side="top"),
        yaxis=plot.word_rows(tuple(names)),
    )


def _short(way: str) -> str:
    """A way in two lines, for a narrow column."""
    return way.replace(" ", "<br>", 1)


def low_rank(b: np.ndarray, a: np.ndarray, update: np.ndarray, scale: float) -> go.Figure:
    """B (d_out, r) left of the update, A (r, d_in) above it, and their product where they meet, each around zero."""
    left, top = 0.2, 0.2  # shares of the figure that the narrow ones take
    traces = []
    for matrix, axes, name in ((b, ("x", "y"), "B"), (a, ("x2", "y2"), "A"), (update, ("x2", "y"), "(α / r) B A")):
        traces.append(
            go.Heatmap(
                z=matrix,
                xaxis=axes[0],
                yaxis=axes[1],
                showscale=False,
                **plot.diverging_colours(float(np.abs(matrix).max()) or 1.0),
                hovertemplate=f"{name}: row %{{y}}, column %{{x}}: %{{z:.3f}}<extra></extra>",
            )
        )
    r = a.shape[0]
    none = {"showticklabels": False, "ticks": "", "showgrid": False, "zeroline": False}

    def titled(text: str, **more: object) -> dict:
        return {**plot.axis(text), **none, **more}

    return plot.figure(
        traces,
        400,
        margin={**plot.THIN_MARGIN, "t": 24},
        xaxis=titled(f"B: {b.shape[0]} × {r}", domain=[0, left - 0.04], anchor="y"),
        xaxis2=titled(f"{scale:g} · B A: {update.shape[0]} × {update.shape[1]}", domain=[left, 1], anchor="y"),
        yaxis=titled("", domain=[0, 1 - top - 0.02], autorange="reversed", anchor="x"),
        yaxis2=titled("", domain=[1 - top + 0.02, 1], autorange="reversed", anchor="x2"),
        annotations=[
            {
                "text": f"A: {r} × {a.shape[1]}",
                "x": left - 0.02,
                "y": 1 - top / 2,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "right",
                "showarrow": False,
                "font": {"size": plot.FONT_SIZE},
            }
        ],
    )


def heads(before: np.ndarray, after: np.ndarray, moved: np.ndarray) -> go.Figure:
    """All heads, (L, H, T, T), a row of tiles per layer before and one after; moved (L, H) is said above the latter."""
    L, H = moved.shape
    planes, names = [], []
    for layer in range(L):
        planes += [*before[layer], *after[layer]]
        names += [f"head {layer}.{head}" for head in range(H)]
        names += [f"{share:.0%} moved" for share in moved[layer]]
    hidden = np.triu(np.ones(before.shape[-2:], bool), 1)
    return plot.tiles(
        np.where(hidden, np.nan, np.stack(planes)),
        names,
        columns=H,
        value="attention weight",
        diverging=False,
        height=470,
        largest=1.0,
    )


# ---- reviews --------------------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """Shares of right answers by number of reviews, (draws, sizes)."""

    sizes: tuple[int, ...]
    shares: np.ndarray


def by_reviews(title: str, lines: Mapping[str, Line], begun: Line | None = None) -> go.Figure:
    """A line per way: means over draws, with a band of one standard deviation, and its name at its end.

    begun  where the draws of one way began, as open circles
    """
    figure = plot.figure([], 430, margin={"l": 54, "r": ROOM, "t": 44, "b": 46})
    sizes = sorted({size for line in lines.values() for size in line.sizes})
    figure.add_hline(CHANCE, line={"color": QUIET, "width": 1, "dash": "dot"})
    for name, line in lines.items():
        mean, deviation = line.shares.mean(0), line.shares.std(0)
        figure.add_scatter(
            x=[*line.sizes, *line.sizes[::-1]],
            y=[*(mean + deviation), *(mean - deviation)[::-1]],
            fill="toself",
            fillcolor=READER_STYLES[name]["color"],
            opacity=_BAND[name],
            line={"width": 0},
            mode="lines",
            hoverinfo="skip",
        )
        figure.add_scatter(
            x=line.sizes,
            y=mean,
            mode="lines+markers",
            name=name,
            line=READER_STYLES[name],
            marker={"size": 7},
            customdata=np.stack([deviation, np.full(len(line.sizes), len(line.shares))], axis=-1),
            hovertemplate=f"{name}, %{{x}} reviews: %{{y:.0%}} ± %{{customdata[0]:.0%}}"
            " in %{customdata[1]} draws<extra></extra>",
        )
    if begun is not None:
        figure.add_scatter(
            x=begun.sizes,
            y=begun.shares.mean(0),
            mode="markers",
            name="began at",
            showlegend=False,
            marker={"size": 9, "symbol": "circle-open", "color": INK, "line": {"width": 2}},
            hovertemplate="the same draws before: %{y:.0%}<extra></extra>",
        )
    ends = sorted((float(line.shares.mean(0)[-1]), name) for name, line in lines.items())
    heights = spread_out([end for end, _ in ends], APART * (1 - _LOWEST))
    for height, (_, name) in zip(heights, ends, strict=True):
        figure.add_annotation(
            xref="paper",
            x=1,
            y=height,
            text=name,
            showarrow=False,
            xanchor="left",
            xshift=8,
            font={"size": plot.FONT_SIZE, "color": INK},
        )
    figure.add_annotation(
        text=title,
        xref="paper",
        yref="paper",
        x=0,
        y=1,
        yshift=6,
        xanchor="left",
        yanchor="bottom",
        showarrow=False,
        align="left",
        font={"size": plot.FONT_SIZE, "color": INK},
    )
    ends_of_axis = [float(np.log10(sizes[0])) - 0.03, float(np.log10(sizes[-1])) + 0.03]
    figure.update_xaxes(
        plot.axis("reviews to learn from", tickvals=sizes, ticktext=[str(n) for n in sizes], range=ends_of_axis),
        type="log",
    )
    figure.update_yaxes(
        plot.axis("tests right", range=[_LOWEST, 1.0], tickformat=".0%", showgrid=True, gridcolor=palette.LINE)
    )
    return figure


def by_depth(depths: Sequence[int], lines: Mapping[str, np.ndarray], chosen: int) -> go.Figure:
    """Mean shares of right answers by how many layers the vectors went through: (len(depths),) per kind of test."""
    figure = plot.figure([], 250, margin={"l": 54, "r": 80, "t": 14, "b": 46})
    figure.add_hline(CHANCE, line={"color": QUIET, "width": 1, "dash": "dot"})
    figure.add_vline(chosen, line={"color": palette.LINE, "width": 2})
    for name, values in lines.items():
        figure.add_scatter(
            x=list(depths),
            y=values,
            mode="lines+markers",
            name=name,
            line=PART_STYLES[name],
            marker={"size": 7},
            hovertemplate=f"{name}, after %{{x}} layers: %{{y:.0%}}<extra></extra>",
        )
        figure.add_annotation(
            x=depths[-1],
            y=values[-1],
            text=name,
            showarrow=False,
            xanchor="left",
            xshift=8,
            font={"size": plot.FONT_SIZE, "color": INK},
        )
    figure.update_xaxes(plot.axis("layers that the vectors went through", tickvals=list(depths)))
    figure.update_yaxes(
        plot.axis("tests right", range=[_LOWEST, 1.0], tickformat=".0%", showgrid=True, gridcolor=palette.LINE)
    )
    return figure


def losses(values: Mapping[str, np.ndarray], best: float, step: int) -> go.Figure:
    """The loss by step of each part, (steps + 1,); where the learned reviews' ends, dotted; the step that is shown."""
    top = 1.05 * max(float(line.max()) for line in values.values())
    last = max(len(line) for line in values.values()) - 1
    figure = plot.figure([], 376, margin={"l": 58, "r": 74, "t": 44, "b": 46})
    _head(figure, "<b>How wrong it is</b>, while it learns", 20)
    figure.add_vline(step, line={"color": palette.LINE, "width": 2})
    figure.add_hline(best, line={"color": QUIET, "width": 1, "dash": "dot"})
    figure.add_hline(np.log(2), line={"color": QUIET, "width": 1, "dash": "dot"})
    for name, line in values.items():
        figure.add_scatter(
            x=np.arange(len(line)),
            y=line,
            mode="lines",
            name=name,
            line=PART_STYLES[name],
            hovertemplate=f"{name}, step %{{x}}: %{{y:.3f}} nats<extra></extra>",
        )
    ends = {name: (float(line[-1]), PART_STYLES[name]) for name, line in values.items()}
    _name_lines(figure, ends, last, APART * top)
    figure.update_xaxes(plot.axis("step of training"))
    figure.update_yaxes(plot.axis("loss (nats per review)", range=[0, top], showgrid=True, gridcolor=palette.LINE))
    return figure


def _name_lines(figure: go.Figure, ends: Mapping[str, tuple[float, dict]], x: float, apart: float) -> None:
    """The name of each line, (its end, its style), right of step x, as far from the others as a line of text is high;
    a thin line leads to it, which is no part of the curve."""
    lowest_first = sorted(ends, key=lambda name: (ends[name][0], name))
    heights = [ends[name][0] for name in lowest_first]
    for name, end, y in zip(lowest_first, heights, spread_out(heights, apart), strict=True):
        figure.add_shape(type="line", x0=x, x1=LEADER * x, y0=end, y1=y, line={"color": QUIET, "width": 1})
        figure.add_annotation(
            x=LEADER * x,
            y=y,
            text=name,
            showarrow=False,
            xanchor="left",
            xshift=4,
            font={"size": plot.FONT_SIZE, "color": INK},
        )
    figure.update_xaxes(range=[0, LEADER * x])


def _head(figure: go.Figure, text: str, above: int) -> None:
    """What a figure shows, so many pixels above it."""
    figure.add_annotation(
        text=text,
        xref="paper",
        yref="paper",
        x=0,
        y=1,
        yshift=above,
        xanchor="left",
        yanchor="bottom",
        showarrow=False,
        font={"size": plot.FONT_SIZE, "color": INK},
    )


class Dots(NamedTuple):
    """Tests of one kind on one line: their texts, and the probabilities of praise that they got."""

    texts: tuple[str, ...]
    probabilities: np.ndarray
    is_positive: bool


def tests(rows: Mapping[str, Dots], asked: float | None) -> go.Figure:
    """Every test at its probability of praise, a row per kind from the top down; mistakes are crosses.

    asked  the probability of the review that was asked about, a line; None for none
    """
    figure = plot.figure([], 376, margin={"l": 8, "r": 14, "t": 44, "b": 46})
    n_tests = sum(len(dots.texts) for dots in rows.values())
    _head(figure, f"<b>What it says</b> of {n_tests} tests: ✖ is a mistake", 20)
    figure.add_vline(0.5, line={"color": QUIET, "width": 1, "dash": "dot"})
    for place, dots in enumerate(rows.values()):
        is_right = (dots.probabilities > 0.5) == dots.is_positive
        n = len(dots.texts)
        figure.add_scatter(
            x=dots.probabilities,
            y=place + 0.3 * np.sin(2.4 * np.arange(n)),
            mode="markers",
            customdata=dots.texts,
            marker={
                "symbol": ["circle" if right else "x" for right in is_right],
                "size": 9,
                "color": [POSITIVE if right else INK for right in is_right],
            },
            hovertemplate="%{customdata}<br>praise: %{x:.0%}<extra></extra>",
        )
    if asked is not None:
        figure.add_vline(asked, line={"color": INK, "width": 2})
        figure.add_annotation(
            x=asked,
            y=1,
            yref="paper",
            text="this review",
            showarrow=False,
            yanchor="bottom",
            xanchor="left" if asked < 0.5 else "right",
            font={"size": plot.FONT_SIZE, "color": INK},
        )
    figure.update_xaxes(plot.axis("probability that it is praise", range=[-0.02, 1.02], tickformat=".0%"))
    figure.update_yaxes(plot.word_rows(()) | {"tickvals": list(range(len(rows))), "ticktext": list(rows)})
    figure.update_yaxes(range=[len(rows) - 0.5, -0.5], autorange=False)
    return figure
