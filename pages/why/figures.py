"""Figures of the page on why attention: paths through networks, their costs, and times.

Green is what is passed on from word to word; violet is attention and its weights; grey is what it is compared with.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from pages.shared import plot
from pages.shared.palette import QUIET, VALUE, WEIGHT

_MARGIN = plot.THIN_MARGIN | {"r": 12}
_LEGEND = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
_TICKS = [mantissa * 10.0**power for power in range(-3, 5) for mantissa in (1, 2, 5)]
Node = tuple[int, int]  # (layer, position)


def network(
    n: int, edges: Sequence[tuple[Node, Node]], path: Sequence[Node], n_layers: int, max_layers: int = 0
) -> go.Figure:
    """The nodes that the last output depends on, and the shortest path to it: words to the right, layers up.

    max_layers: the height has room for so many, so that networks side by side can be compared.
    """
    figure = go.Figure()
    x, y = [], []
    for (low, a), (high, b) in edges:
        x += [a + 1, b + 1, None]
        y += [low, high, None]
    figure.add_scatter(x=x, y=y, mode="lines", line={"color": QUIET, "width": 1}, opacity=0.4, hoverinfo="skip")
    nodes = sorted({node for edge in edges for node in edge} | {(0, i) for i in range(n)})
    figure.add_scatter(
        x=[i + 1 for _, i in nodes],
        y=[layer for layer, _ in nodes],
        mode="markers",
        marker={"color": QUIET, "size": 5 if n <= 16 else 3},
        customdata=["word" if layer == 0 else f"layer {layer}" for layer, _ in nodes],
        hovertemplate="%{customdata}, place %{x}<extra></extra>",
    )
    figure.add_scatter(
        x=[i + 1 for _, i in path],
        y=[layer for layer, _ in path],
        mode="lines+markers",
        line={"color": VALUE, "width": 3.5},
        marker={"color": VALUE, "size": 8},
        customdata=list(range(len(path))),
        hovertemplate="after %{customdata} steps<extra></extra>",
    )
    top = max(n_layers, max_layers)
    ticks = [1, n] if n > 1 else [1]
    figure.update_xaxes(
        range=[0.2, n + 0.8], tickvals=ticks, title={"text": "word", "standoff": 2}, showgrid=False, zeroline=False
    )
    figure.update_yaxes(range=[-0.08 * top, 1.06 * top], visible=False)
    return figure.update_layout(height=250, margin=_MARGIN, showlegend=False)


def steps_by_length(lengths: Sequence[int], lines: Mapping[str, Sequence[int]], n: int) -> go.Figure:
    """The maximum path length by the number of words, on logarithmic axes; n, the chosen number, as a line."""
    figure = go.Figure()
    for name, steps in lines.items():
        colour, width = (WEIGHT, 3.5) if name.startswith("attention") else (QUIET, 2)
        figure.add_scatter(
            x=list(lengths), y=list(steps), mode="lines", name=name,
            line={"color": colour, "width": width, "dash": _dash(lines, name)},
            hovertemplate=f"{name}: %{{y:,}} steps for %{{x:,}} words<extra></extra>",
        )  # fmt: skip
    figure.add_vline(n, line={"color": QUIET, "width": 1, "dash": "dot"})
    figure.update_xaxes(type="log", title="words n", dtick=1)
    figure.update_yaxes(type="log", title="longest way, in steps", dtick=1, range=[-0.15, np.log10(max(lengths)) + 0.1])
    return figure.update_layout(height=340, margin=_MARGIN | {"t": 30}, legend=_LEGEND)


def _dash(lines: Mapping[str, Sequence[int]], name: str) -> str:
    return ("solid", "dash", "dot", "solid", "dashdot")[list(lines).index(name) % 5]


def ratios(lengths: Sequence[int], lines: Mapping[str, Sequence[float]], n: int, d: int) -> go.Figure:
    """Costs of attention as multiples of a recurrent layer's, by the number of words; n = d is marked."""
    styles = zip(lines.items(), (VALUE, QUIET, WEIGHT), ("solid", "dash", "solid"), strict=False)
    figure = go.Figure()
    for (name, values), colour, dash in styles:
        figure.add_scatter(
            x=list(lengths), y=list(values), mode="lines", name=name, line={"color": colour, "width": 3, "dash": dash},
            hovertemplate=f"{name}: %{{y:.3~g}} times a recurrent layer's, at %{{x:,}} words<extra></extra>",
        )  # fmt: skip
    figure.add_hline(1, line={"color": QUIET, "width": 1})
    figure.add_vline(n, line={"color": QUIET, "width": 1, "dash": "dot"})
    figure.add_scatter(
        x=[d], y=[1], mode="markers", showlegend=False,
        marker={"color": QUIET, "size": 10},
        hovertemplate=f"n = d = {d}: as many operations<extra></extra>",
    )  # fmt: skip
    figure.update_xaxes(type="log", title="words n", dtick=1)
    figure.update_yaxes(
        type="log", title="attention ÷ recurrent", dtick=1, exponentformat="power", range=_range(lines.values())
    )
    return figure.update_layout(height=380, margin=_MARGIN | {"t": 30}, legend=_LEGEND)


def memory(lengths: Sequence[int], weights: Sequence[int], states: Sequence[int], n: int) -> go.Figure:
    """Bytes of a layer's attention weights, and of a recurrent layer's states, by the number of words."""
    figure = go.Figure()
    for name, values, colour in (
        ("attention weights", weights, WEIGHT),
        ("states of a recurrent layer", states, QUIET),
    ):
        figure.add_scatter(
            x=list(lengths), y=list(values), mode="lines", name=name, line={"color": colour, "width": 3},
            customdata=[in_bytes(value) for value in values],
            hovertemplate=f"{name}: %{{customdata}} for %{{x:,}} words<extra></extra>",
        )  # fmt: skip
    figure.add_vline(n, line={"color": QUIET, "width": 1, "dash": "dot"})
    ticks = [10**power for power in range(3, 15, 3)]
    figure.update_xaxes(type="log", title="words n", dtick=1)
    figure.update_yaxes(
        type="log", title="memory of one layer", tickvals=ticks, ticktext=[in_bytes(value) for value in ticks],
        range=_range((weights, states)),
    )  # fmt: skip
    return figure.update_layout(height=380, margin=_MARGIN | {"t": 30}, legend=_LEGEND)


def measured(
    at: Sequence[int], lines: Mapping[str, Sequence[float]], title: str, chosen: int | None = None
) -> go.Figure:
    """Medians in milliseconds, the first line violet; the chosen one of `at` as a vertical line."""
    figure = go.Figure()
    for (name, values), colour in zip(lines.items(), (WEIGHT, QUIET), strict=True):
        figure.add_scatter(
            x=list(at), y=list(values), mode="lines+markers", name=name, line={"color": colour, "width": 3},
            marker={"size": 8}, hovertemplate=f"{name}, %{{x:,}}: %{{y:.3~g}} ms<extra></extra>",
        )  # fmt: skip
    if chosen is not None:
        figure.add_vline(chosen, line={"color": QUIET, "width": 1, "dash": "dot"})
    figure.update_xaxes(type="log", title=title, tickvals=list(at), ticktext=[f"{value:,}" for value in at])
    figure.update_yaxes(
        type="log", title="milliseconds, on this machine", tickvals=_TICKS, ticktext=[f"{tick:g}" for tick in _TICKS],
        range=_range(lines.values()),
    )  # fmt: skip
    return figure.update_layout(height=360, margin=_MARGIN | {"t": 30}, legend=_LEGEND)


def operations(lengths: Sequence[int], lines: Mapping[str, Sequence[int]], d: int) -> go.Figure:
    """Multiplications of a layer by the number of words, attention violet; n = d is marked."""
    figure = go.Figure()
    for (name, values), colour, dash in zip(
        lines.items(), (WEIGHT, WEIGHT, QUIET, QUIET), ("solid", "dot", "solid", "dot"), strict=False
    ):
        figure.add_scatter(
            x=list(lengths), y=list(values), mode="lines", name=name,
            line={"color": colour, "width": 3 if dash == "solid" else 2, "dash": dash},
            hovertemplate=f"{name}: %{{y:.3~s}} for %{{x:,}} words<extra></extra>",
        )  # fmt: skip
    figure.add_vline(d, line={"color": QUIET, "width": 1, "dash": "dot"})
    figure.add_annotation(
        x=np.log10(d), y=0, yref="paper", text=f"n = d = {d}", showarrow=False, xanchor="left", yanchor="bottom"
    )
    figure.update_xaxes(type="log", title="words n", tickvals=list(lengths), ticktext=[f"{n:,}" for n in lengths])
    figure.update_yaxes(type="log", title="multiplications of a layer", dtick=1, exponentformat="SI")
    return figure.update_layout(height=360, margin=_MARGIN | {"t": 30}, legend=_LEGEND)


def in_bytes(value: float) -> str:
    """A size with its unit: 512 B, 1.02 kB, 33.6 MB; a kB is 1000 B."""
    units = ["B", "kB", "MB", "GB", "TB"]
    while value >= 1000 and len(units) > 1:
        value /= 1000
        del units[0]
    return f"{value:.3g} {units[0]}" if value < 1000 else f"{value:,.0f} {units[0]}"


def _range(lines: Iterable[Iterable[float]]) -> list[float]:
    """The range of a logarithmic axis that holds all the lines, with a little room."""
    values = np.concatenate([np.asarray(list(line), float) for line in lines])
    low, high = np.log10(values.min()), np.log10(values.max())
    room = 0.05 * (high - low) + 0.05
    return [float(low - room), float(high + room)]
