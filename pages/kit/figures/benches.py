"""Two benches: the same head of two models, in one range of colours, and their difference."""

import numpy as np
import plotly.graph_objects as go

from pages.kit.figures.palette import DIVERGING, SEQUENTIAL

_MARGIN = {"l": 8, "r": 8, "t": 8, "b": 8}


def weights(tokens: tuple[str, ...], matrix: np.ndarray, mask: np.ndarray | None, largest: float) -> go.Figure:
    """The weights (T, S) of one head, its colours ending at `largest`, so that two can be compared."""
    return _map(tokens, matrix, mask, SEQUENTIAL, (0.0, largest), "weight")


def difference(tokens: tuple[str, ...], a: np.ndarray, b: np.ndarray, mask: np.ndarray | None) -> go.Figure:
    """B - A, cell by cell: violet where B looks more, amber where A does. Exactly 0 everywhere where they are equal."""
    gap = b.astype(np.float64) - a.astype(np.float64)
    reach = float(np.abs(gap).max()) or 1.0
    return _map(tokens, gap, mask, DIVERGING, (-reach, reach), "B − A")


def _map(tokens, matrix, mask, colours, ends, name) -> go.Figure:
    places = [f"{token} {n}" for n, token in enumerate(tokens)]
    shown = matrix if mask is None else np.where(mask, matrix, np.nan)  # a blocked cell is a gap, not a zero
    figure = go.Figure(
        go.Heatmap(
            z=shown, x=places, y=places, colorscale=colours, zmin=ends[0], zmax=ends[1], xgap=1, ygap=1,
            hoverongaps=False, colorbar={"thickness": 8, "nticks": 4},
            hovertemplate=f"%{{y}} → %{{x}}: {name} %{{z:.3f}}<extra></extra>",
        )
    )  # fmt: skip
    figure.update_xaxes(title="key", showgrid=False, constrain="domain", type="category")
    figure.update_yaxes(title="query", autorange="reversed", showgrid=False, scaleanchor="x", type="category")
    return figure.update_layout(height=340, margin=_MARGIN)
