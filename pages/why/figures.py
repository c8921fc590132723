"""Figures of the page on why attention: times, cheaper ways, and networks that were trained.

Attention is ink, and what it is compared with is grey; lines bear their names at their ends.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import INK, QUIET
from lab.kit.words import in_bytes

_MARGIN = plot.THIN_MARGIN | {"r": 12}
_APART = 0.07  # of the height of a figure, between two names
_TICKS = [mantissa * 10.0**power for power in range(-3, 5) for mantissa in (1, 2, 5)]


def measured(
    at: Sequence[int],
    lines: Mapping[str, Sequence[float]],
    title: str,
    chosen: int | None = None,
    *,
    behind: Sequence[Sequence[float]] = (),
    is_stored: bool = False,
) -> go.Figure:
    """Milliseconds of two ways; the chosen one of `at` as a vertical line.

    behind     stored times of the same two, dotted
    is_stored  whether these themselves are stored ones
    """
    figure = go.Figure()
    for values, colour in zip(behind, (INK, QUIET), strict=False):
        figure.add_scatter(
            x=list(at),
            y=list(values),
            mode="lines",
            name="stored",
            line={"color": colour, "width": 2, "dash": "dot"},
            hovertemplate="stored, %{x:,}: %{y:.3~g} ms<extra></extra>",
        )
    for (name, values), colour in zip(lines.items(), (INK, QUIET), strict=True):
        figure.add_scatter(
            x=list(at),
            y=list(values),
            mode="lines+markers",
            name=name,
            line={"color": colour, "width": 3, "dash": "dot" if is_stored else "solid"},
            marker={"size": 8},
            hovertemplate=f"{name}, %{{x:,}}: %{{y:.3~g}} ms<extra></extra>",
        )
    if chosen is not None:
        figure.add_vline(chosen, line={"color": QUIET, "width": 1, "dash": "dot"})
    axis = _range([*lines.values(), *behind])
    figure.update_xaxes(type="log", title=title, tickvals=list(at), ticktext=[f"{value:,}" for value in at])
    figure.update_yaxes(
        type="log",
        title="milliseconds" if is_stored else "milliseconds, on this machine",
        tickvals=_TICKS,
        ticktext=[f"{tick:g}" for tick in _TICKS],
        range=axis,
    )
    return _named(figure, at, lines, axis).update_layout(height=320)


def held_by_length(lengths: Sequence[int], lines: Mapping[str, Sequence[int]], chosen: str) -> go.Figure:
    """Bytes that a head holds at once by the number of words: full attention and the chosen variant are in ink."""
    axis = _range(lines.values())
    figure = _highlighted(lengths, lines, chosen, in_bytes)
    ticks = [10.0**power for power in range(2, 10)]
    figure.update_yaxes(
        type="log", title="memory", tickvals=ticks, ticktext=[in_bytes(value) for value in ticks], range=axis
    )
    return _named(figure, lengths, _to_be_named(lines, chosen), axis, room=132).update_layout(height=340)


def times_by_length(lengths: Sequence[int], lines: Mapping[str, Sequence[float]], chosen: str) -> go.Figure:
    """Milliseconds by the number of words: full attention and the chosen variant are in ink."""
    axis = _range(lines.values())
    figure = _highlighted(lengths, lines, chosen, lambda value: f"{value:.3g} ms")
    figure.update_yaxes(
        type="log",
        title="milliseconds, on this machine",
        tickvals=_TICKS,
        ticktext=[f"{tick:g}" for tick in _TICKS],
        range=axis,
    )
    return _named(figure, lengths, lines, axis, room=132).update_layout(height=340)


def _highlighted(
    lengths: Sequence[int], lines: Mapping[str, Sequence[float]], chosen: str, written: Callable[[float], str]
) -> go.Figure:
    """Lines on logarithmic axes: the first and the chosen one in ink, the others quiet."""
    figure = go.Figure()
    first = next(iter(lines))
    for name, values in lines.items():
        figure.add_scatter(
            x=list(lengths),
            y=list(values),
            mode="lines",
            name=name,
            customdata=[written(value) for value in values],
            line={
                "color": INK if name in (first, chosen) else QUIET,
                "width": 3.5 if name in (first, chosen) else 1.5,
                "dash": "dot" if name == first else "solid",
            },
            hovertemplate=f"{name}: %{{customdata}} for %{{x:,}} words<extra></extra>",
        )
    figure.update_xaxes(
        type="log", title="words n", tickvals=list(lengths)[::2], ticktext=[f"{n:,}" for n in list(lengths)[::2]]
    )
    return figure


def _to_be_named(lines: Mapping[str, Sequence[float]], chosen: str) -> dict[str, Sequence[float]]:
    """One name for lines that end at the same height, the first or the chosen one's before others'."""
    by_end: dict[float, str] = {}
    for name, values in lines.items():
        if values[-1] not in by_end or name == chosen:
            by_end[values[-1]] = name
    return {name: lines[name] for name in by_end.values()}


def _named(
    figure: go.Figure, at: Sequence[int], lines: Mapping[str, Sequence[float]], axis: list[float], room: int = 96
) -> go.Figure:
    """The figure, on logarithmic axes, with every line's name at its end; `room` pixels at the right are for them."""
    apart = _APART * (axis[1] - axis[0])
    lowest = -np.inf
    for end, name in sorted((float(np.log10(values[-1])), name) for name, values in lines.items()):
        lowest = max(end, lowest + apart)
        figure.add_annotation(
            x=np.log10(at[-1]),
            y=lowest,
            text=name,
            showarrow=False,
            xanchor="left",
            xshift=7,
            font={"size": plot.FONT_SIZE, "color": INK},
        )
    figure.update_xaxes(range=[float(np.log10(at[0])) - 0.05, float(np.log10(at[-1])) + 0.05])
    return figure.update_layout(showlegend=False, margin=_MARGIN | {"r": room})


# ---- networks that were trained ---------------------------------------------------------------------------------

_DASHES = {"attention": "solid", "tanh": "dot", "LSTM": "dash", "GRU": "longdashdot"}


def recalled(lines: Mapping[str, np.ndarray], chance: float) -> go.Figure:
    """Shares of right answers (seeds, distances) by how far back the needed token is: each seed thin, means thick."""
    figure = go.Figure()
    for name, shares in lines.items():
        distances = list(range(1, shares.shape[1] + 1))
        for share in shares if len(shares) > 1 else ():
            figure.add_scatter(
                x=distances,
                y=share,
                mode="lines",
                name=f"{name}, one training",
                hoverinfo="skip",
                line={"color": QUIET, "width": 1.2, "dash": _DASHES[name]},
                opacity=0.7,
            )
        figure.add_scatter(
            x=distances,
            y=shares.mean(0),
            mode="lines",
            name=name,
            line=_line_of(name),
            customdata=np.stack([shares.min(0), shares.max(0)], axis=1),
            hovertemplate=f"{name}, %{{x}} back: %{{y:.0%}} right (%{{customdata[0]:.0%}} to %{{customdata[1]:.0%}})"
            "<extra></extra>",
        )
    figure.add_hline(chance, line={"color": QUIET, "width": 1, "dash": "dot"})
    last = max(shares.shape[1] for shares in lines.values())
    figure.add_annotation(
        x=last, y=chance, text="chance", showarrow=False, xanchor="right", yanchor="top", font={"size": plot.TICK_SIZE}
    )
    ends = {name: float(shares[:, -1].mean()) for name, shares in lines.items()}
    figure.update_xaxes(title="tokens back to the one that is needed", range=[0.5, last], showgrid=False)
    figure.update_yaxes(title="right answers", tickformat=".0%", range=[0, 1.08], zeroline=False, showgrid=False)
    return _named_at(figure, last, ends, (0.0, 1.08)).update_layout(height=330)


def heard(distances: Sequence[int], lines: Mapping[str, np.ndarray]) -> go.Figure:
    """How strongly the last output depends on a token so far back, as a share of the first, on a logarithmic axis."""
    figure = go.Figure()
    shares = {name: np.asarray(values, float) / values[0] for name, values in lines.items()}
    for name, values in shares.items():
        figure.add_scatter(
            x=list(distances),
            y=values,
            mode="lines",
            name=name,
            line=_line_of(name),
            hovertemplate=f"{name}, %{{x}} back: %{{y:.2~g}} of one back<extra></extra>",
        )
    axis = _range(shares.values())
    figure.update_xaxes(title="tokens back", range=[0.5, distances[-1]], showgrid=False)
    figure.update_yaxes(
        type="log",
        title="effect on the last output",
        exponentformat="power",
        dtick=_powers(axis),
        range=axis,
        showgrid=False,
    )
    ends = {name: float(np.log10(values[-1])) for name, values in shares.items()}
    return _named_at(figure, distances[-1], ends, axis).update_layout(height=330)


def _powers(axis: Sequence[float]) -> int:
    """How many powers of ten lie between two ticks, so that there are about five."""
    return max(1, round((axis[1] - axis[0]) / 5))


class Power(Protocol):
    """A law L(x) = a x^-b + c with its c."""

    def at(self, x: np.ndarray | float) -> np.ndarray: ...

    @property
    def floor(self) -> float: ...


def scaled(
    lines: Mapping[str, tuple[Sequence[float], Sequence[float]]], law: Power, x: np.ndarray, title: str
) -> go.Figure:
    """Losses above the floor of the law by size: lines name -> (x, losses), the last of them in ink, and the law."""
    figure, floor = go.Figure(), law.floor
    figure.add_scatter(
        x=list(x),
        y=law.at(x) - floor,
        mode="lines",
        name="law",
        line={"color": QUIET, "width": 1.5, "dash": "dash"},
        hoverinfo="skip",
    )
    for i, (name, (at, losses)) in enumerate(lines.items()):
        is_last = i == len(lines) - 1
        figure.add_scatter(
            x=list(at),
            y=np.asarray(losses) - floor,
            mode="lines+markers",
            name=name,
            customdata=list(losses),
            line={"color": INK if is_last else QUIET, "width": 3.5 if is_last else 2},
            marker={"size": 8},
            hovertemplate=f"{name}, {title} %{{x:.3~s}}: loss %{{customdata:.3f}}, %{{y:.3f}} above the grammar's own"
            "<extra></extra>",
        )
    above = {name: np.asarray(losses) - floor for name, (_, losses) in lines.items()}
    axis = _range(above.values())
    sizes = sorted({size for at, _ in lines.values() for size in at})
    # Few sizes are written out; of many, the powers of ten.
    few = len(sizes) <= 6
    ticks = {"tickvals": sizes, "ticktext": [f"{size:,.0f}" for size in sizes]} if few else {"dtick": 1}
    figure.update_xaxes(
        type="log",
        title=title,
        exponentformat="power",
        showgrid=False,
        **ticks,
        range=[float(np.log10(sizes[0])) - 0.06, float(np.log10(sizes[-1])) + 0.06],
    )
    figure.update_yaxes(
        type="log",
        title="loss above the grammar's own",
        tickvals=_TICKS,
        ticktext=[f"{tick:g}" for tick in _TICKS],
        range=axis,
        showgrid=False,
    )
    ends = {name: float(np.log10(values[-1])) for name, values in above.items()}
    last = max(at[-1] for at, _ in lines.values())
    return _named_at(figure, float(np.log10(last)), ends, axis, room=130).update_layout(height=400)


def _line_of(name: str) -> dict:
    is_ours = name == "attention"
    return {"color": INK if is_ours else QUIET, "width": 3.5 if is_ours else 2.5, "dash": _DASHES[name]}


def _named_at(
    figure: go.Figure, x: float, ends: Mapping[str, float], axis: Sequence[float], room: int = 84
) -> go.Figure:
    """The figure with every line's name beside its end. Ends are heights within the range of the axis."""
    named = sorted((end, name) for name, end in ends.items())
    heights = _spread([end for end, _ in named], 1.2 * _APART * (axis[1] - axis[0]), axis[1])
    for height, (_, name) in zip(heights, named, strict=True):
        figure.add_annotation(
            x=x,
            y=height,
            text=name,
            showarrow=False,
            xanchor="left",
            xshift=7,
            font={"size": plot.FONT_SIZE, "color": INK},
        )
    return figure.update_layout(showlegend=False, margin=_MARGIN | {"r": room})


def _spread(ends: Sequence[float], apart: float, top: float) -> list[float]:
    """Heights near these, which are sorted: in the same order, `apart` from one another, and none above `top`."""
    heights: list[float] = []
    for end in ends:
        heights.append(max(end, heights[-1] + apart) if heights else end)
    for i in reversed(range(len(heights))):
        heights[i] = min(heights[i], heights[i + 1] - apart if i + 1 < len(heights) else top)
    return heights


def _range(lines: Iterable[Iterable[float]]) -> list[float]:
    """The range of a logarithmic axis that holds all the lines, with a little room."""
    values = np.concatenate([np.asarray(list(line), float) for line in lines])
    low, high = np.log10(values.min()), np.log10(values.max())
    room = 0.05 * (high - low) + 0.05
    return [float(low - room), float(high + room)]
