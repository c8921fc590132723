"""A strip of tokens with a light for each network that still knows a name from there."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import INK, LINE, PANEL, POSITIVE, QUIET
from lab.kit.words import percent

ROW = 44  # pixels
SMALLEST, LARGEST = 5, 24  # pixels across: a light that is out, and one of a network that is always right
NAME, QUESTION = "anna=red", "anna?"


def strip(shares: Mapping[str, np.ndarray], chance: float) -> go.Figure:
    """Lights by network and by how far back the name stands, the farthest on the left, the question on the right.

    shares  network -> the shares of right answers (seeds, distances from 1 on); a light shows their mean above chance,
            and has a ring where it is nearer to always right than to chance
    """
    networks, n = list(shares), max(line.shape[1] for line in shares.values())
    right = np.stack([line.mean(0) for line in shares.values()])  # (networks, distances)
    top = len(networks)  # where the tokens stand: above all networks
    known = np.clip((right - chance) / (1 - chance), 0, 1)
    rows, columns = np.indices(known.shape)
    sizes = SMALLEST + (LARGEST - SMALLEST) * known
    knows = known.ravel() >= 0.5
    lamps = go.Scatter(
        x=-(columns.ravel() + 1),
        y=top - 1 - rows.ravel(),
        mode="markers",
        marker={
            "size": sizes.ravel(),
            "color": [POSITIVE if lit else QUIET for lit in knows],
            "opacity": 1,
            "line": {"width": [2.0 if lit else 0.0 for lit in knows], "color": INK},
        },
        text=[
            f"{name}, the name {d} back: {percent(float(share))} right"
            for name, line in zip(networks, right, strict=True)
            for d, share in enumerate(line, 1)
        ],
        hovertemplate="%{text}<extra></extra>",
    )
    figure = plot.figure(
        [lamps],
        110 + ROW * (len(networks) + 1),
        margin=plot.THIN_MARGIN,
        xaxis=plot.axis(
            "how many tokens before the question the name stands",
            tickvals=[-d for d in (1, *range(4, n + 1, 4))],
            ticktext=[str(d) for d in (1, *range(4, n + 1, 4))],
            tickangle=0,
            range=[-n - 0.7, 1.2],
        ),
        yaxis=plot.axis("", tickvals=list(range(top)), ticktext=networks[::-1], range=[-0.6, top + 0.5]),
    )
    for place in range(-n, 1):
        box = {"x0": place - 0.42, "x1": place + 0.42, "y0": top - 0.3, "y1": top + 0.3}
        figure.add_shape(type="rect", **box, line={"color": LINE, "width": 1.5}, fillcolor=PANEL, layer="below")
    for place, text, anchor in ((-n - 0.42, NAME, "left"), (0.62, QUESTION, "right")):
        figure.add_annotation(
            text=f"<b>{text}</b>",
            x=place,
            y=top,
            xanchor=anchor,
            showarrow=False,
            bgcolor=PANEL,
            bordercolor=INK,
            borderpad=3,
            font={"size": plot.FONT_SIZE, "color": INK},
        )
    return figure
