"""The figure of what changes without heads, per token."""

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import POSITIVE


def moved_tokens(tokens: tuple[str, ...], change: np.ndarray) -> go.Figure:
    """The change of each token's final vector, (T,), relative to its length, as bars from the token's name."""
    bars = go.Bar(
        x=change,
        y=list(range(len(tokens))),
        orientation="h",
        marker_color=POSITIVE,
        customdata=plot.numbered(tokens),
        text=[f"{x:.2f}" for x in change],
        textposition="outside",
        cliponaxis=False,
        textfont={"size": plot.TICK_SIZE},
        constraintext="none",
        hovertemplate="%{customdata} moved by %{x:.3f}<extra></extra>",
    )
    return plot.figure(
        [bars],
        48 + 20 * len(tokens),
        margin={"l": 76, "r": 40, "t": 4, "b": 28},
        xaxis=plot.axis("change of the vector, as a share of its length", showticklabels=False, rangemode="tozero"),
        yaxis=plot.word_rows(tokens),
        bargap=0.35,
    )
