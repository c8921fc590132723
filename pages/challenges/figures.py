"""The pictures of a verdict: numbers beside the line that they have to cross."""

import math
from collections.abc import Sequence
from textwrap import wrap

import plotly.graph_objects as go

from pages.shared import plot
from pages.shared.palette import INK, POSITIVE, QUIET, WEIGHT

ROW = 34  # pixels
LINE, TITLE_SIZE, TITLE_LETTERS = 24, 17, 40  # of a title: pixels, of its letters, and how many go in a line


def bars(
    named: Sequence[tuple[str, float]],
    axis: str,
    goal: float | None,
    *,
    is_weight: bool,
    marked: Sequence[str],
    title: str = "",
) -> go.Figure:
    """One bar per number, from the top down; those that are marked are strong, and a line stands at the goal."""
    lines = wrap(title, TITLE_LETTERS)
    head = 22 + (LINE * len(lines) + 8 if lines else 0)
    names, values = zip(*named, strict=True)
    strong = WEIGHT if is_weight else POSITIVE
    colours = [strong if not marked or name in marked else QUIET for name in names]
    trace = go.Bar(
        x=values, y=list(range(len(names))), orientation="h", marker_color=colours, cliponaxis=False,
        text=[f"{value:.2f}" for value in values], textposition="outside",
        textfont={"size": plot.FONT_SIZE},
        hovertemplate="%{customdata}: %{x:.4f}<extra></extra>", customdata=[plot.escaped(name) for name in names],
    )  # fmt: skip
    drawn = plot.figure(
        [trace],
        34 + head + ROW * max(len(names), 3),
        margin={"l": 126, "r": 44, "t": head, "b": 40},
        xaxis=plot.axis(axis, range=[0, 1], dtick=0.25),
        yaxis=plot.axis(
            "", tickvals=list(range(len(names))), ticktext=[plot.escaped(plot.shorten(name, 18)) for name in names],
            autorange="reversed",
        ),
        bargap=0.35,
        **_line(goal, "x"),
    )  # fmt: skip
    if lines:
        drawn.add_annotation(
            text="<br>".join(plot.escaped(line) for line in lines), xref="paper", yref="paper", x=0, y=1, xshift=-118,
            yshift=24, xanchor="left", yanchor="bottom", align="left", showarrow=False,
            font={"size": TITLE_SIZE, "color": INK},
        )  # fmt: skip
    return drawn


def curve(
    x: Sequence[int], y: Sequence[float], axes: tuple[str, str], goal: float, *, is_log: bool = False
) -> go.Figure:
    """The curve, and the line that it has to cross."""
    trace = go.Scatter(
        x=x, y=y, mode="lines", line={"color": POSITIVE, "width": 2.5},
        hovertemplate=f"{axes[0]} %{{x}}: %{{y:.4f}}<extra></extra>",
    )  # fmt: skip
    kind = {"type": "log", "dtick": 1} if is_log else {}
    return plot.figure(
        [trace],
        250,
        margin={"l": 62, "r": 44, "t": 22, "b": 46},
        xaxis=plot.axis(axes[0]),
        yaxis=plot.axis(axes[1], **kind),
        **_line(goal, "y", is_log=is_log),
    )


def _line(goal: float | None, axis: str, *, is_log: bool = False) -> dict:
    """A dashed line across the figure at this value of an axis, with its name."""
    if goal is None:
        return {}
    other = "y" if axis == "x" else "x"
    ends = {f"{axis}0": goal, f"{axis}1": goal, f"{axis}ref": axis, f"{other}0": 0, f"{other}1": 1}
    look = {"color": INK, "width": 1.5, "dash": "dash"}
    shape = {"type": "line", "line": look, f"{other}ref": f"{other} domain", **ends}
    note = {"text": f"goal {goal:g}", "showarrow": False, "font": {"size": 12.5}}
    if axis == "x":
        note |= {"x": goal, "xref": "x", "y": 1, "yref": "paper", "yanchor": "bottom"}
    else:  # plotly puts a note on a logarithmic axis by the logarithm, and a line by the number
        y = math.log10(goal) if is_log else goal
        note |= {"x": 1, "xref": "paper", "xanchor": "right", "y": y, "yref": "y", "yanchor": "bottom"}
    return {"shapes": [shape], "annotations": [note]}
