"""Figures of the page on fine-tuning: curves, a map of what moved, a low-rank update, heads side by side."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from pages.shared import palette, plot
from pages.shared.palette import INK, POSITIVE, QUIET

STYLES = {  # of each way
    "from scratch": {"color": QUIET, "width": 2.5, "dash": "dash"},
    "output only": {"color": QUIET, "width": 2.5},
    "last layer": {"color": POSITIVE, "width": 2.5, "dash": "dot"},
    "all weights": {"color": POSITIVE, "width": 3},
    "LoRA": {"color": INK, "width": 3},
}
PALE = 1.5  # colours end at so many times the largest number, so that ink is readable on all of them
ROOM = 92  # pixels at the right end, for names
APART = 0.062  # of the height of a figure, between two names


def curves(
    lines: Mapping[str, tuple[np.ndarray, np.ndarray]], title: str, *, target: float | None = None, share: bool = True
) -> go.Figure:
    """A line per way, (steps, values), with its name at its end; the target is dotted. share: values go from 0 to 1."""
    top = 1.03 if share else 1.05 * max(float(values.max()) for _, values in lines.values())
    last = max(int(steps[-1]) for steps, _ in lines.values())
    figure = plot.figure([], 380, margin={**plot.THIN_MARGIN, "r": ROOM})
    for way, (steps, values) in lines.items():
        figure.add_scatter(
            x=steps, y=values, mode="lines", name=way, line=STYLES[way],
            hovertemplate=f"{way}, step %{{x}}: %{{y:{'.1%' if share else '.3f'}}}<extra></extra>",
        )  # fmt: skip
    if target is not None:
        figure.add_hline(target, line={"color": QUIET, "width": 1, "dash": "dot"})
    ends = sorted((float(values[-1]), way) for way, (_, values) in lines.items())
    for height, (_, way) in zip(spread_out([end for end, _ in ends], APART * top), ends, strict=True):
        figure.add_annotation(
            x=last, y=height, text=way, showarrow=False, xanchor="left", xshift=6,
            font={"size": plot.FONT_SIZE, "color": INK},
        )  # fmt: skip
    figure.update_xaxes(plot.axis("step of training", range=[0, last]))
    figure.update_yaxes(
        plot.axis(title, range=[0, top], showgrid=True, gridcolor=palette.LINE, tickformat=".0%" if share else "")
    )
    return figure


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
        z=values, x=list(range(len(columns))), y=list(range(len(names))), **plot.magnitude_colours(PALE * largest),
        xgap=2, ygap=2, hoverongaps=False, showscale=False,
        customdata=np.array([[(name, way) for way in columns] for name in names]),
        hovertemplate="%{customdata[1]}: %{customdata[0]} moved by %{z:.3f} of its size<extra></extra>",
    )  # fmt: skip
    rows, places = np.indices(values.shape).reshape(2, -1)
    flat = is_frozen.ravel()
    words = go.Scatter(
        x=places, y=rows, mode="text", hoverinfo="skip",
        text=["frozen" if frozen else f"{value:.2f}" for frozen, value in zip(flat, values.ravel(), strict=True)],
        textfont={"size": plot.TICK_SIZE, "color": [QUIET if frozen else INK for frozen in flat]},
    )  # fmt: skip
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
                z=matrix, xaxis=axes[0], yaxis=axes[1], showscale=False,
                **plot.diverging_colours(float(np.abs(matrix).max()) or 1.0),
                hovertemplate=f"{name}: row %{{y}}, column %{{x}}: %{{z:.3f}}<extra></extra>",
            )
        )  # fmt: skip
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
                "text": f"A: {r} × {a.shape[1]}", "x": left - 0.02, "y": 1 - top / 2, "xref": "paper", "yref": "paper",
                "xanchor": "right", "showarrow": False, "font": {"size": plot.FONT_SIZE},
            }
        ],
    )  # fmt: skip


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
        np.where(hidden, np.nan, np.stack(planes)), names, columns=H, value="attention weight", diverging=False,
        height=470, largest=1.0,
    )  # fmt: skip
