"""The figures of the page on vision: numbers and labels in, plotly out."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from pages.shared import plot
from pages.shared.palette import DIVERGING, INK, LINE, QUIET

GAP = 1  # empty cells between two maps


def position_maps(similarity: np.ndarray) -> go.Figure:
    """A map for every patch: the cosine of its row of the table with every row, laid out as the picture. (n, n)"""
    across = round(len(similarity) ** 0.5)
    step = across + GAP
    cells = np.full((across * step - GAP, across * step - GAP), np.nan)
    hover = np.full(cells.shape, "", object)
    for n, row in enumerate(similarity):
        top, left = n // across * step, n % across * step
        cells[top : top + across, left : left + across] = row.reshape(across, across)
        for m, value in enumerate(row):
            hover[top + m // across, left + m % across] = f"{_place(n, across)} and {_place(m, across)}: {value:.2f}"
    ticks = {
        "tickvals": [n * step + (across - 1) / 2 for n in range(across)],
        "ticktext": [str(n + 1) for n in range(across)],
        "showline": False,
    }
    # Every patch is like itself, so the colours end with the largest cosine of two different ones.
    others = similarity[~np.eye(len(similarity), dtype=bool)]
    end = float(np.abs(others).max()) or 1.0
    trace = go.Heatmap(
        z=cells, text=hover, hovertemplate="%{text}<extra></extra>", colorscale=DIVERGING, zmin=-end, zmax=end,
        xgap=0.5, ygap=0.5, colorbar=plot.colour_bar("cosine"),
    )  # fmt: skip
    rows = plot.axis("row of the patch", **ticks, autorange="reversed", scaleanchor="x", constrain="domain")
    columns = plot.axis("column of the patch", **ticks, constrain="domain")
    return plot.figure([trace], 430, xaxis=columns, yaxis=rows)


def _place(n: int, across: int) -> str:
    return f"row {n // across + 1}, column {n % across + 1}"


def pictures(images: Sequence[np.ndarray], titles: Sequence[str]) -> go.Figure:
    """Small pictures (side, side, 3) side by side, each below its title."""
    n = len(images)
    layout: dict = {"margin": {"l": 4, "r": 4, "t": 28, "b": 4}, "annotations": []}
    traces = []
    for k, (image, title) in enumerate(zip(images, titles, strict=True)):
        suffix = "" if k == 0 else str(k + 1)
        traces.append(go.Image(z=image, xaxis=f"x{suffix}", yaxis=f"y{suffix}", hoverinfo="skip"))
        domain = [k / n + 0.02, (k + 1) / n - 0.02]
        hidden = {"visible": False, "fixedrange": True}
        layout[f"xaxis{suffix}"] = {**hidden, "domain": domain, "constrain": "domain"}
        layout[f"yaxis{suffix}"] = {
            **hidden,
            "anchor": f"x{suffix}",
            "scaleanchor": f"x{suffix}",
            "constrain": "domain",
            "autorange": "reversed",
        }
        layout["annotations"].append(
            {
                "text": title,
                "x": sum(domain) / 2,
                "y": 1,
                "xref": "paper",
                "yref": "paper",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": plot.FONT_SIZE},
            }
        )
    return plot.figure(traces, 250, **layout)


def answers(
    questions: Mapping[str, tuple[str, ...]],
    shares: Mapping[str, tuple[Sequence[np.ndarray], Sequence[np.ndarray]]],
) -> go.Figure:
    """Probabilities before (outlined) and after (filled): a row of panels per model, a panel per question."""
    n_rows, n = len(shares), len(questions)
    layout: dict = {"margin": {"l": 8, "r": 8, "t": 46, "b": 8}, "annotations": [], "barmode": "overlay"}
    traces = []
    for row, (title, (before, after)) in enumerate(shares.items()):
        top, bottom = 1 - row / n_rows, 1 - (row + 1) / n_rows
        layout["annotations"].append(_note(f"<b>{title}</b>", 0, top - 0.005, "left"))
        for k, (question, options) in enumerate(questions.items()):
            suffix = str(row * n + k + 1) if row + k else ""
            left, right = k / n, (k + 1) / n - 0.03
            x, y = f"x{suffix}", f"y{suffix}"
            layout[f"xaxis{suffix}"] = {
                "domain": [left + 0.11, right], "range": [0, 1.02], "visible": False, "fixedrange": True, "anchor": y,
            }  # fmt: skip
            layout[f"yaxis{suffix}"] = plot.axis(
                "", domain=[bottom + 0.01, top - 0.13], tickvals=list(range(len(options))), ticktext=list(options),
                range=[len(options) - 0.4, -0.6], anchor=x, fixedrange=True,
            )  # fmt: skip
            if row == 0:
                layout["annotations"].append(_note(question, left + 0.11, 1.02, "left"))
            for name, values, style in (
                ("shuffled", after[k], {"color": QUIET}),
                ("as it is", before[k], {"color": "rgba(0,0,0,0)", "line": {"color": INK, "width": 1.6}}),
            ):
                traces.append(
                    go.Bar(
                        x=np.asarray(values),
                        y=list(range(len(options))),
                        orientation="h",
                        name=name,
                        xaxis=x,
                        yaxis=y,
                        marker=style,
                        width=0.62,
                        customdata=list(options),
                        showlegend=row + k == 0,
                        hovertemplate="%{customdata}, " + name + ": %{x:.1%}<extra></extra>",
                    )
                )
    legend = {"orientation": "h", "x": 1, "xanchor": "right", "y": 1.02, "yanchor": "bottom", "traceorder": "reversed"}
    return plot.figure(traces, 150 * n_rows + 60, showlegend=True, legend=legend, **layout)


def _note(text: str, x: float, y: float, anchor: str) -> dict:
    return {
        "text": text, "x": x, "y": y, "xref": "paper", "yref": "paper", "xanchor": anchor, "yanchor": "top",
        "showarrow": False, "font": {"size": plot.FONT_SIZE},
    }  # fmt: skip


def accuracy(questions: Sequence[str], shares: Mapping[str, Sequence[float]], chance: float) -> go.Figure:
    """Shares of right answers by question, a line of points per model and condition; and where guessing is."""
    marks = {"as they are": "circle", "shuffled": "circle-open"}
    traces = []
    for n, (name, values) in enumerate(shares.items()):
        model, condition = name.split(", ")
        colour = INK if model.startswith("with ") else QUIET
        traces.append(
            go.Scatter(
                x=list(values),
                y=[k + (n - 1.5) * 0.16 for k in range(len(questions))],
                mode="markers",
                name=name,
                marker={"symbol": marks[condition], "size": 12, "color": colour, "line": {"width": 2, "color": colour}},
                hovertemplate=f"{name}: " + "%{x:.1%}<extra></extra>",
            )
        )
    guess = {"type": "line", "x0": chance, "x1": chance, "y0": 0, "y1": 1, "yref": "paper"}
    return plot.figure(
        traces, 300,
        xaxis=plot.axis("right answers", range=[0, 1.03], tickformat=".0%", gridcolor=LINE, showgrid=True),
        yaxis=plot.axis("", tickvals=list(range(len(questions))), ticktext=list(questions),
                        range=[len(questions) - 0.5, -0.5]),
        shapes=[guess | {"line": {"color": QUIET, "dash": "dot", "width": 1.5}}],
        showlegend=True, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        margin={**plot.MARGIN, "t": 62, "l": 70},
    )  # fmt: skip
