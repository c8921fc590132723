"""The figures of "Experts": what the router gives each expert, token by token, and which words each expert gets."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from pages.shared import plot
from pages.shared.palette import INK

MAX_WORDS = 36


def routing(shares: np.ndarray, experts: np.ndarray, tokens: Sequence[str]) -> go.Figure:
    """shares (L, T, E) as a map, a row per layer and expert, the last layer on top; a ring marks the experts (L, T, k)
    that were chosen."""
    L, T, E = shares.shape
    rows = [(layer, expert) for layer in reversed(range(L)) for expert in [*range(E), None]][:-1]
    z = np.full((len(rows), T), np.nan)
    for y, (layer, expert) in enumerate(rows):
        if expert is not None:
            z[y] = shares[layer, :, expert]
    chosen = [
        (t, rows.index((layer, int(e)))) for layer in range(L) for t in range(T) for e in experts[layer, t]
    ]  # fmt: skip
    names = [f"layer {layer}, expert {expert}" if expert is not None else "" for layer, expert in rows]
    labels = [
        f"<b>layer {layer}</b>  0" if expert == 0 else str(expert) for layer, expert in rows if expert is not None
    ]
    traces = [
        go.Heatmap(
            z=z, **plot.magnitude_colours(1.0), hoverongaps=False, xgap=1, ygap=1,
            colorbar=plot.colour_bar_below("router’s share"),
            customdata=[[f"{plot.escaped(token)}: {name}" for token in tokens] for name in names],
            hovertemplate="%{customdata} %{z:.2f}<extra></extra>",
        ),
        go.Scatter(
            x=[t for t, _ in chosen], y=[y for _, y in chosen], mode="markers", hoverinfo="skip",
            marker={"symbol": "circle-open", "size": 11, "color": INK, "line": {"width": 2}},
        ),
    ]  # fmt: skip
    return plot.figure(
        traces,
        150 + 24 * len(rows),
        margin={"l": 78, "r": 10, "t": 8, "b": 110},
        xaxis=plot.axis("", **plot.words_along_x(tokens)),
        yaxis=plot.axis(
            "",
            autorange="reversed",
            ticktext=labels,
            tickvals=[y for y, (_, expert) in enumerate(rows) if expert is not None],
        ),
    )


def words(counts: np.ndarray, vocabulary: Sequence[str]) -> go.Figure:
    """counts (W, E): the most frequent words by the expert that gets most of them, as shares of each word's tokens."""
    totals = counts.sum(1)
    frequent = np.argsort(-totals, kind="stable")[:MAX_WORDS]
    frequent = frequent[totals[frequent] > 0]
    shares = counts[frequent] / totals[frequent, None]  # (n, E)
    order = np.lexsort((-shares.max(1), shares.argmax(1)))
    frequent, shares = frequent[order], shares[order]
    labels = [vocabulary[word] for word in frequent]
    notes = [f"{plot.escaped(label)}, {totals[word]} times" for label, word in zip(labels, frequent, strict=True)]
    trace = go.Heatmap(
        z=shares.T, **plot.magnitude_colours(1.0), xgap=1, ygap=1,
        colorbar=plot.colour_bar_below("share of the word"),
        customdata=[notes] * counts.shape[1],
        hovertemplate="%{customdata}: %{z:.0%} to this expert<extra></extra>",
    )  # fmt: skip
    return plot.figure(
        [trace],
        150 + 24 * counts.shape[1],
        margin={"l": 58, "r": 10, "t": 8, "b": 110},
        xaxis=plot.axis("", **plot.words_along_x(labels)),
        yaxis=plot.axis(
            "expert", autorange="reversed", tickvals=list(range(counts.shape[1])),
            ticktext=[str(e) for e in range(counts.shape[1])],
        ),
    )  # fmt: skip
