"""The figures of the blocks page: one layer, its parts, and what breaks without them.

Green is the stream, what is passed on; violet is attention; grey is everything else.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go

from pages.shared import plot
from pages.shared.compare_figures import Sheet
from pages.shared.model_map import BOX, Block, Frame, Map
from pages.shared.palette import DIVERGING, QUIET, SEQUENTIAL, VALUE, WEIGHT

STAGES = {
    "in": "stream in",
    "norm1": "norm 1",
    "attention": "attention",
    "add1": "add 1",
    "norm2": "norm 2",
    "feed_forward": "feed-forward",
    "add2": "add 2",
}
HELP = {
    "in": "One vector a word, as the layer below left it.",
    "norm1": "Every word's vector alone is shifted to mean 0 and scaled to standard deviation 1.",
    "attention": "Words look at words: the only step where one word learns of another.",
    "add1": "What attention found is added to the stream; nothing that was there is overwritten.",
    "norm2": "Every word's vector alone is shifted to mean 0 and scaled to standard deviation 1.",
    "feed_forward": "The same two matrices with a bend between, at every word by itself.",
    "add2": "What the feed-forward layer found is added to the stream.",
}
MAX_UNITS = 256  # columns of a map of features, more cannot be told apart
MAX_ROWS = 64
Statistics = tuple[np.ndarray, np.ndarray]  # mean and standard deviation of every word
Pair = tuple[np.ndarray, np.ndarray]  # attention of a mixture, and the mixture of attentions
_MARGIN = plot.THIN_MARGIN | {"t": 28}


def layer_map(order: tuple[str, ...], selected: str, *, T: int, d_model: int, n_heads: int, d_ff: int) -> Map:
    """The parts of one layer in their order; the selected one is framed. Each opens its stage."""
    gap, top, x = 34.0, 52.0, 8.0
    blocks = []
    for name in order:
        width = {"attention": 158.0, "feed_forward": 168.0, "in": 118.0}.get(name, 112.0)
        shape = {"attention": f"({n_heads}, {T}, {T})", "feed_forward": f"({T}, {d_model}) via {d_ff}"}
        label = STAGES[name].capitalize() if not name.startswith("add") else "Add +"
        label = "Layer norm" if name.startswith("norm") else label
        colour = "weight" if name == "attention" else "quiet"
        size = shape.get(name, f"({T}, {d_model})")
        blocks.append(Block(x, top, width, label, size, HELP[name], colour, page=name))
        x += width + gap
    width = x - gap + 8
    arrows = [f"M{a.x + a.width} {top + BOX / 2} H{b.x - 3}" for a, b in pairwise(blocks)]
    at = dict(zip(order, blocks, strict=True))
    for sublayer, add in (("attention", "add1"), ("feed_forward", "add2")):
        # The detour round the sublayer leaves where the stream does: before the norm, if one stands before it.
        before = order.index(sublayer) - 1
        if order[before].startswith("norm") and order.index(add) == order.index(sublayer) + 1 and _pre(order):
            before -= 1
        source, target = at[order[before]], at[add]
        start, end = source.x + source.width + gap / 2 - 4, target.x + target.width / 2
        arrows.append(f"M{start} {top + BOX / 2} V{top - 24} q0 -8 8 -8 H{end - 8} q8 0 8 8 V{top - 3}")
    chosen = at[selected]
    frames = [Frame(chosen.x - 6, top - 6, chosen.width + 12, BOX + 12, "")]
    steps = ", then ".join(block.label.lower() for block in blocks)
    alt = (
        f"One layer: {steps}. Two detours, the residual connections, lead the stream around attention and around the"
        f" feed-forward layer to the additions. Shown below: {STAGES[selected]}."
    )
    hint = "Point at a part to read what it does, choose it to look inside. Sizes are (words, features)."
    return Map(width, top + BOX + 12, blocks, frames, arrows, alt, hint)


def _pre(order: tuple[str, ...]) -> bool:
    return order.index("norm1") < order.index("attention")


def stage(values: np.ndarray, tokens: tuple[str, ...]) -> go.Figure:
    """The stream after one step, word by feature, and beside it each word's mean and standard deviation."""
    values, tokens = values[:MAX_ROWS], tokens[:MAX_ROWS]
    largest = _largest(values)
    mean, deviation = values.mean(-1), values.std(-1)
    rows = np.arange(len(tokens))
    figure = go.Figure(
        [
            go.Heatmap(
                z=values,
                y=rows,
                zmin=-largest,
                zmax=largest,
                colorscale=DIVERGING,
                customdata=np.repeat(np.array(_short(tokens))[:, None], values.shape[1], 1),
                hovertemplate="%{customdata}, feature %{x}: %{z:.3f}<extra></extra>",
                colorbar=_bar("value"),
            ),
            go.Scatter(
                x=mean,
                y=rows,
                error_x={"array": deviation, "color": VALUE, "thickness": 2, "width": 0},
                mode="markers",
                marker={"color": VALUE, "size": 8},
                xaxis="x2",
                customdata=np.column_stack([_short(tokens), [f"{d:.3f}" for d in deviation]]),
                hovertemplate="%{customdata[0]}: mean %{x:.3f}, standard deviation %{customdata[1]}<extra></extra>",
            ),
        ]
    )
    reach = max(1.25, 1.1 * float(np.abs(mean).max() + deviation.max())) if len(tokens) else 1.25
    figure.update_layout(
        height=_tall(len(tokens)),
        margin=_MARGIN,
        showlegend=False,
        xaxis={"domain": [0, 0.70], "title": "feature of the stream", "showgrid": False, "zeroline": False},
        xaxis2={"domain": [0.76, 1], "title": "mean ± sd", "range": [-reach, reach], "zeroline": True},
        yaxis=_words(tokens),
    )
    return figure


def stream_sheet(values: np.ndarray, tokens: tuple[str, ...]) -> Sheet:
    """What A | B compares of a stream (T, D): as many rows and features as are drawn."""
    return Sheet(values[:MAX_ROWS, :MAX_UNITS], "value", ("token", "feature"), tokens[:MAX_ROWS])


def layer_norm(before: Statistics, after: Statistics, tokens: tuple[str, ...]) -> go.Figure:
    """Mean and standard deviation of every word's features, before and after layer norm."""
    tokens = tokens[:MAX_ROWS]
    rows = np.arange(len(tokens))
    figure = go.Figure()
    for name, (mean, deviation), colour, shift, symbol in (
        ("before the norm", before, QUIET, -0.14, "circle-open"),
        ("after the norm", after, VALUE, 0.14, "circle"),
    ):
        mean, deviation = mean[:MAX_ROWS], deviation[:MAX_ROWS]
        figure.add_scatter(
            x=mean,
            y=rows + shift,
            error_x={"array": deviation, "color": colour, "thickness": 2, "width": 4},
            mode="markers",
            name=name,
            marker={"color": colour, "size": 9, "symbol": symbol},
            customdata=np.column_stack([_short(tokens), [f"{d:.4f}" for d in deviation]]),
            hovertemplate=f"%{{customdata[0]}}, {name}: mean %{{x:.4f}}, sd %{{customdata[1]}}<extra></extra>",
        )
    figure.update_layout(
        height=_tall(len(tokens)),
        margin=_MARGIN,
        legend=_legend(),
        xaxis={"title": "mean ± standard deviation over the features of one word", "zeroline": True},
        yaxis=_words(tokens),
    )
    return figure


def firing(hidden: np.ndarray, fires: np.ndarray, tokens: tuple[str, ...]) -> go.Figure:
    """Which hidden units let something through for which word, the most active ones first; silent ones are empty."""
    tokens = tokens[:MAX_ROWS]
    rows = np.arange(len(tokens))
    share = 100 * fires[:MAX_ROWS].mean(-1)
    hidden, fires = hidden[:MAX_ROWS, :MAX_UNITS], fires[:MAX_ROWS, :MAX_UNITS]
    order = np.argsort(-fires.sum(0), kind="stable")
    z = np.where(hidden == 0, np.nan, hidden)[:, order]
    signed = bool((hidden < 0).any())
    largest = _largest(hidden)
    figure = go.Figure(
        [
            go.Heatmap(
                z=z,
                y=rows,
                zmin=-largest if signed else 0,
                zmax=largest,
                colorscale=DIVERGING if signed else SEQUENTIAL,
                customdata=np.broadcast_to(order, z.shape),
                hovertemplate="unit %{customdata}: %{z:.3f}<extra></extra>",
                hoverongaps=False,
                xgap=0.5,
                ygap=2,
                colorbar=_bar("value"),
            ),
            go.Bar(
                x=share,
                y=rows,
                orientation="h",
                xaxis="x2",
                marker={"color": QUIET},
                width=0.6,
                hovertemplate="%{x:.0f}% of the units fire<extra></extra>",
            ),
        ]
    )
    figure.update_layout(
        height=_tall(len(tokens)),
        margin=_MARGIN,
        showlegend=False,
        xaxis={
            "domain": [0, 0.75],
            "title": f"{z.shape[1]} hidden units, the most active first",
            "showgrid": False,
            "showticklabels": False,
            "zeroline": False,
        },
        xaxis2={"domain": [0.79, 1], "title": "firing", "range": [0, 100], "ticksuffix": "%", "nticks": 3},
        yaxis=_words(tokens),
    )
    return figure


def activation(x: np.ndarray, curves: dict[str, np.ndarray], chosen: str, before: np.ndarray) -> go.Figure:
    """The bends, and under them where this sentence's numbers fall."""
    counts, edges = np.histogram(before, bins=48, range=(float(x[0]), float(x[-1])))
    share = 100 * counts / max(before.size, 1)
    top = max(float(share.max()), 2.0)
    figure = go.Figure(
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=share,
            width=np.diff(edges) * 0.9,
            yaxis="y2",
            name="this sentence's numbers",
            marker={"color": QUIET, "opacity": 0.28},
            hovertemplate="around %{x:.2f}: %{y:.1f}% of the numbers<extra></extra>",
        )
    )
    for name, y in curves.items():
        figure.add_scatter(
            x=x,
            y=y,
            mode="lines",
            name=name,
            line={
                "color": VALUE if name == chosen else QUIET,
                "width": 4 if name == chosen else 1.5,
                "dash": "dot" if "tanh" in name else "solid",
            },
            hovertemplate=f"{name}(%{{x:.2f}}) = %{{y:.3f}}<extra></extra>",
        )
    figure.update_layout(
        height=380,
        margin=_MARGIN,
        legend=_legend(),
        xaxis={"title": "what comes in: x W₁ + b₁", "zeroline": True},
        yaxis={"title": "what goes on", "zeroline": True, "overlaying": "y2", "range": [-0.4, 4], "dtick": 1},
        yaxis2={
            "title": "share of the numbers",
            "side": "right",
            "showgrid": False,
            "zeroline": False,
            "ticksuffix": "%",
            "range": [-0.25 * top, 2.5 * top],  # its zero stands where that of the curves does
            "tickvals": [0, round(top / 2), round(top)],
        },
    )
    return figure


def xor(inputs: np.ndarray, answers: np.ndarray, linear_answers: np.ndarray) -> go.Figure:
    """Exactly one of two: the answers of two ReLU units, and those of the best linear map."""
    names = [f"{a:.0f} and {b:.0f}" for a, b in inputs]
    figure = go.Figure()
    for name, y, colour in (("with the bend", answers, VALUE), ("without it, at best", linear_answers, QUIET)):
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
        margin=_MARGIN,
        legend=_legend(),
        barmode="group",
        bargap=0.4,
        xaxis={"title": "the two inputs", "type": "category"},
        yaxis={"title": "is exactly one of them 1?", "range": [0, 1.15]},
    )
    return figure


def path(points: np.ndarray, heights: tuple[str, ...], share: float, word: str) -> go.Figure:
    """One word's way through the stream, push by push, in the plane that shows most of it."""
    figure = go.Figure()
    for kind, colour in (("attention", WEIGHT), ("feed-forward", QUIET)):
        x, y, sizes, names = [], [], [], []
        for i, name in enumerate(heights[1:]):
            if name.startswith(kind):
                x += [points[i, 0], points[i + 1, 0], None]
                y += [points[i, 1], points[i + 1, 1], None]
                sizes += [0, 11, 0]
                names += ["", name, ""]
        figure.add_scatter(
            x=x,
            y=y,
            mode="lines+markers",
            name=f"pushed by {kind}",
            line={"color": colour, "width": 2.5},
            marker={"color": colour, "size": sizes, "symbol": "arrow", "angleref": "previous"},
            customdata=names,
            hovertemplate="after %{customdata}<extra></extra>",
        )
    ends = points[[0, -1]]
    figure.add_scatter(
        x=ends[:, 0],
        y=ends[:, 1],
        mode="markers+text",
        showlegend=False,
        marker={"color": VALUE, "size": 12},
        text=[f"“{_short((word,))[0]}” as it came in", "after the last layer"],
        textposition="top center",
        cliponaxis=False,
        hoverinfo="skip",
    )
    low, high = points.min(0), points.max(0)
    room = 0.16 * max(float((high - low).max()), 1e-6)
    (left, bottom), (right, top) = low - room, high + room
    figure.update_layout(
        height=400,
        margin=_MARGIN,
        legend=_legend(),
        xaxis={
            "title": f"first direction (both together show {100 * share:.0f}% of the way)",
            "range": [left - room, right + room],
            "zeroline": False,
        },
        yaxis={
            "title": "second direction",
            "scaleanchor": "x",  # or lengths and angles would lie
            "range": [bottom, top],
            "zeroline": False,
        },
    )
    return figure


def pushes(states: np.ndarray, updates: np.ndarray, heights: tuple[str, ...]) -> go.Figure:
    """How long each push is, as a share of the stream that it meets."""
    lengths, met = np.linalg.norm(updates, axis=-1), np.linalg.norm(states[:-1], axis=-1)
    share = 100 * np.divide(lengths, met, out=np.zeros_like(lengths), where=met > 0)
    figure = go.Figure()
    for kind, colour in (("attention", WEIGHT), ("feed-forward", QUIET)):
        which = [i for i, name in enumerate(heights[1:]) if name.startswith(kind)]
        figure.add_bar(
            x=[heights[i + 1].rpartition(" ")[2] for i in which],
            y=share[which],
            name=kind,
            marker={"color": colour},
            customdata=np.column_stack([lengths[which], met[which]]),
            hovertemplate=kind
            + " %{x}: a push of length %{customdata[0]:.2f} on a stream of %{customdata[1]:.2f}<extra></extra>",
        )
    figure.update_layout(
        height=400,
        margin=_MARGIN,
        legend=_legend(),
        bargap=0.35,
        barmode="group",
        xaxis={"title": "layer", "type": "category"},
        yaxis={"title": "push, as a share of the stream it meets", "ticksuffix": "%", "rangemode": "tozero"},
    )
    return figure


def lens(
    logits: np.ndarray,
    ranks: np.ndarray,
    words: tuple[str, ...],
    heights: tuple[str, ...],
    title: str = "words of this sentence",
) -> go.Figure:
    """The vocabulary read out at every height, for some words: logit as colour, place among all as a number."""
    largest = _largest(logits)
    columns, rows = np.arange(len(words)), np.arange(len(heights))
    figure = go.Figure(
        go.Heatmap(
            z=logits,
            x=columns,
            y=rows,
            zmin=-largest,
            zmax=largest,
            colorscale=DIVERGING,
            customdata=ranks,
            text=ranks,
            texttemplate="%{text:,}" if len(words) <= 14 else None,
            hovertemplate="%{y}, %{x}: logit %{z:.2f}, place %{customdata:,}<extra></extra>",
            xgap=2,
            ygap=2,
            colorbar=_bar("logit"),
        )
    )
    figure.update_layout(
        height=max(320, 26 * len(heights) + 90),
        margin=_MARGIN,
        xaxis={
            "title": title,
            "tickvals": columns,
            "ticktext": _short(words),
            "showgrid": False,
            "zeroline": False,
        },
        yaxis={
            "title": "read out after",
            "tickvals": rows,
            "ticktext": list(heights),
            "showgrid": False,
            "zeroline": False,
        },
    )
    return figure


def by_height(whole: np.ndarray, ablated: np.ndarray, ablation: str, title: str, *, log: bool) -> go.Figure:
    """One number of the stream after every layer: of the whole model, and of the ablated one."""
    layers = np.arange(len(whole))
    figure = go.Figure()
    for name, y, colour, dash in (("everything in", whole, VALUE, "solid"), (ablation, ablated, QUIET, "dash")):
        figure.add_scatter(
            x=layers,
            y=y,
            name=name,
            mode="lines+markers",
            line={"color": colour, "width": 3, "dash": dash},
            marker={"size": 8},
            hovertemplate=f"after %{{x}} layers, {name}: %{{y:.4g}}<extra></extra>",
        )
    figure.update_layout(
        height=380,
        margin=_MARGIN,
        legend=_legend(),
        xaxis={"title": "layers passed", "dtick": 1 if len(layers) < 16 else 4, "zeroline": False},
        yaxis=_log(title) if log else {"title": title, "rangemode": "tozero"},
    )
    return figure


def two_maps(left: np.ndarray, right: np.ndarray, names: tuple[str, str], tokens: tuple[str, ...]) -> go.Figure:
    """Two maps of attention weights, on one scale of colours."""
    return _pair(left, right, names, tokens, tokens, "weight", "looks at", 0.0)


def depths(depth: list[int], lines: dict[str, np.ndarray], title: str, x: str, *, log: bool) -> go.Figure:
    """A measure against depth, a line for each of the four models. Green keeps the residual, dotted lacks the norm."""
    figure = go.Figure()
    for name, y in lines.items():
        y = np.asarray(y, dtype=float)
        figure.add_scatter(
            x=depth,
            y=np.where(y > 0, y, np.nan) if log else y,
            name=name,
            mode="lines+markers",
            line={
                "color": QUIET if name in ("no residual", "neither") else VALUE,
                "width": 3,
                "dash": "dot" if name in ("no norm", "neither") else "solid",
            },
            marker={"size": 7 if len(depth) < 12 else 4},
            hovertemplate=f"{name}, %{{x}}: %{{y:.3g}}<extra></extra>",
        )
    figure.update_layout(
        height=380,
        margin=_MARGIN,
        legend=_legend(),
        xaxis={"title": x, "range": [-0.8, 33], "tickvals": [0, 4, 8, 12, 16, 20, 24, 28, 32], "zeroline": False},
        yaxis=_log(title) if log else {"title": title},
    )
    return figure


def superposition(live: Pair, frozen: Pair) -> go.Figure:
    """Every number of attention of a mixture, against the mixture of attentions: linear is on the line."""
    figure = go.Figure()
    largest = max(_largest(part) for part in (*live, *frozen)) * 1.05
    figure.add_scatter(
        x=[-largest, largest],
        y=[-largest, largest],
        mode="lines",
        line={"color": QUIET, "width": 1},
        hoverinfo="skip",
        showlegend=False,
    )
    for name, (whole, parts), colour, size in (
        ("weights follow the input", live, WEIGHT, 5),
        ("weights held fixed", frozen, VALUE, 4),
    ):
        step = max(1, whole.size // 1500)
        figure.add_scatter(
            x=parts.ravel()[::step],
            y=whole.ravel()[::step],
            mode="markers",
            name=name,
            marker={"color": colour, "size": size, "opacity": 0.65},
            hovertemplate=f"{name}: %{{x:.3f}} expected, %{{y:.3f}} came<extra></extra>",
        )
    figure.update_layout(
        height=380,
        margin=_MARGIN,
        legend=_legend(),
        xaxis={"title": "a f(X) + b f(Y): outputs, then mixed", "range": [-largest, largest]},
        yaxis={"title": "f(aX + bY): mixed, then output", "range": [-largest, largest]},
    )
    return figure


def scaling(factors: Sequence[float], live: np.ndarray, frozen: np.ndarray) -> go.Figure:
    """How far attention of a scaled input is from scaled attention, by the factor."""
    figure = go.Figure()
    for name, y, colour, dash in (
        ("weights follow the input", live, WEIGHT, "solid"),
        ("weights held fixed", frozen, VALUE, "solid"),
    ):
        figure.add_scatter(
            x=factors,
            y=100 * y,
            mode="lines+markers",
            name=name,
            line={"color": colour, "width": 3, "dash": dash},
            marker={"size": 6},
            hovertemplate=f"c = %{{x}}, {name}: %{{y:.3g}}%<extra></extra>",
        )
    figure.update_layout(
        height=380,
        margin=_MARGIN,
        legend=_legend(),
        xaxis={"title": "input stretched by c", "zeroline": False},
        yaxis={"title": "f(cX) is off from c f(X) by", "ticksuffix": "%", "rangemode": "tozero"},
    )
    return figure


def dropped(before: np.ndarray, after: np.ndarray, what: str, tokens: tuple[str, ...], averaged: bool) -> go.Figure:
    """A tensor before and after dropout, on one scale of colours; what a single draw dropped is grey."""
    names = ("before", "mean of draws" if averaged else "after")
    if what == "weights":
        figure = _pair(before, after, names, tokens, tokens, "weight", "looks at", 0.0)
    else:
        figure = _pair(before, after, names, tokens, None, "value", "feature", None)
    is_dropped = ((after == 0) & (before != 0))[:MAX_ROWS, : MAX_ROWS if what == "weights" else None]
    if not averaged and is_dropped.any():
        figure.data[1].z = np.where(is_dropped, np.nan, figure.data[1].z)
        figure.add_heatmap(
            z=np.where(is_dropped, 1.0, np.nan),
            xaxis="x2",
            colorscale=[[0, QUIET], [1, QUIET]],
            opacity=0.4,
            showscale=False,
            xgap=figure.data[1].xgap,
            ygap=1,
            hovertemplate="row %{y}, column %{x}: dropped<extra></extra>",
            hoverongaps=False,
        )
    return figure


def _pair(
    left: np.ndarray,
    right: np.ndarray,
    names: tuple[str, str],
    rows: tuple[str, ...],
    columns: tuple[str, ...] | None,
    unit: str,
    along: str,
    floor: float | None,
) -> go.Figure:
    """Two maps on one scale of colours, which begins at `floor`; None for one that is even on both sides of 0."""
    left, right = (m[:MAX_ROWS, : MAX_ROWS if columns else None] for m in (left, right))
    rows, columns = rows[:MAX_ROWS], columns[:MAX_ROWS] if columns else None
    largest = max(_largest(left), _largest(right))
    figure = go.Figure()
    for axis, values in (("x", left), ("x2", right)):
        figure.add_heatmap(
            z=values,
            y=np.arange(len(rows)),
            x=np.arange(values.shape[1]),
            xaxis=axis,
            zmin=-largest if floor is None else floor,
            zmax=largest,
            colorscale=DIVERGING if floor is None else SEQUENTIAL,
            xgap=1 if columns else 0,
            ygap=1,
            hovertemplate="row %{y}, column %{x}: %{z:.4f}<extra></extra>",
            hoverongaps=False,
            showscale=axis == "x2",
            colorbar=_bar(unit),
        )
    across: dict[str, Any] = {"showgrid": False, "zeroline": False, "title": along}
    if columns:
        across |= _ticks(columns) | {"tickangle": -50}
    figure.update_layout(
        height=_tall(len(rows)) + (60 if columns else 0),
        margin=_MARGIN,
        xaxis={"domain": [0, 0.48], **across},
        xaxis2={"domain": [0.52, 1], **across},
        yaxis=_words(rows),
        annotations=[
            {"text": name, "x": x, "y": 1, "xref": "paper", "yref": "paper", "yanchor": "bottom", "showarrow": False}
            for name, x in zip(names, (0.24, 0.76), strict=True)
        ],
    )
    return figure


def shares(groups: dict[str, int]) -> go.Figure:
    """Where the parameters of a layer are."""
    total = sum(groups.values())
    colours = {"attention": WEIGHT, "feed-forward": QUIET, "norm": VALUE}
    figure = go.Figure()
    for name, n in groups.items():
        figure.add_bar(
            x=[100 * n / total],
            y=[""],
            orientation="h",
            name=f"{name} {n:,}",
            marker={"color": colours[name]},
            hovertemplate=f"{name}: {n:,} of {total:,}<extra></extra>",
        )
    figure.update_layout(
        height=170,
        margin=_MARGIN,
        barmode="stack",
        legend=_legend() | {"traceorder": "normal"},
        xaxis={"title": "share of the layer's parameters", "ticksuffix": "%", "range": [0, 100]},
        yaxis={"title": "", "showticklabels": False},
    )
    return figure


def _words(tokens: tuple[str, ...]) -> dict:
    return {
        "autorange": "reversed",
        "showgrid": False,
        "zeroline": False,
        "title": "",
        **_ticks(tokens),
    }


def _ticks(tokens: tuple[str, ...]) -> dict:
    step = math.ceil(len(tokens) / 32) or 1
    at = list(range(0, len(tokens), step))
    return {"tickvals": at, "ticktext": _short([tokens[i] for i in at])}


def _short(tokens: Sequence[str]) -> list[str]:
    return [plot.shorten(token, 14) for token in tokens]


def _tall(rows: int) -> int:
    return int(min(max(22 * rows + 90, 240), 620))


def _largest(values: np.ndarray) -> float:
    return float(np.abs(values).max()) or 1.0 if values.size else 1.0


def _bar(title: str, **where: float) -> dict:
    return {
        "title": {"text": title, "side": "top"},
        "thickness": 10,
        "outlinewidth": 0,
        "len": 0.9,
        "nticks": 5,
        **where,
    }


def _legend() -> dict:
    return {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "title": {"text": ""}}


def _log(title: str) -> dict:
    return {"title": title, "type": "log", "exponentformat": "power", "nticks": 7}
