"""The figure of one number per head: a map of layers and heads."""

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import INK


def by_head(values: np.ndarray, name: str, *, chosen: tuple[int, int] | None = None) -> go.Figure:
    """One number per head, (L, H), as a map of layers and heads, layer 0 lowest; the chosen head is framed."""
    L, H = values.shape
    small = H <= 8
    end = (plot.PALE if small else 1.0) * (float(values.max()) or 1.0)
    cells = go.Heatmap(
        z=values,
        **plot.magnitude_colours(end),
        xgap=3,
        ygap=3,
        showscale=not small,
        colorbar=plot.colour_bar_below(name),
        texttemplate="%{z:.2f}" if small else "",
        textfont={"size": plot.TICK_SIZE, "color": INK},
        hovertemplate=f"layer %{{y}}, head %{{x}}: {name} %{{z:.3f}}<extra></extra>",
    )
    frames = [plot.frame(chosen[1] - 0.5, chosen[1] + 0.5, chosen[0] - 0.5, chosen[0] + 0.5)] if chosen else []
    return plot.figure(
        [cells],
        (60 if small else 110) + 32 * min(L, 10),
        shapes=frames,
        margin={"l": 44, "r": 8, "t": 4, "b": 46 if small else 96},
        xaxis=plot.axis("head", dtick=1),
        yaxis=plot.axis("layer", dtick=1),
    )
