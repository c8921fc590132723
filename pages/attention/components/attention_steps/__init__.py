"""One attention, stage by stage: the formula, the matrices and the code, linked; one row is marked in all stages.

Choosing a term, a stage, a row or a cell happens in the browser and is mirrored to the address bar. Only an edited
number goes to the server, which answers with the stages that the code makes of it.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lab.kit.components import component
from pages.attention.code_links import Excerpt

_mount = component("attention_steps", Path(__file__).parent)


def attention_steps(
    matrices: dict[str, np.ndarray],
    stages: dict[str, np.ndarray],
    labels: tuple[str, ...],
    code: list[Excerpt],
    *,
    key: str,
    start: tuple[int, int] = (0, 0),
    show: tuple[str, int] | None = None,
    limit: float | None = None,
    unread: Sequence[bool] = (),
    on_edit: Callable[[], None] = lambda: None,
) -> None:
    """Show it.

    matrices  q, k and v, (T, features)
    stages    name -> matrix, in their order; -inf is a blocked cell
    labels    T names, for queries and keys alike
    code      excerpts of the source with the terms of each line, from code_links
    start     the row and the column that are held at first
    show      the stage to go to, and the number of this wish: it is followed once
    limit     the largest number that can be typed into the matrices; None: they cannot be edited
    unread    which labels are words that the model has never read
    on_edit   called after an edit, which is then in st.session_state[key].edit as [matrix, row, column, text]
    """
    data: dict[str, Any] = {
        "matrices": {name: _rows(matrix) for name, matrix in matrices.items()},
        "stages": [{"name": name, "rows": _rows(matrix)} for name, matrix in stages.items()],
        "labels": list(labels),
        "code": code,
        "start": {"row": start[0], "col": start[1]},
        "limit": limit,
        "unread": list(unread),
    }
    if show:
        data["show"] = {"stage": show[0], "n": show[1]}
    _mount(data=data, key=key, on_edit_change=on_edit)


def _rows(matrix: np.ndarray) -> list[list[float | None]]:
    """Rows that JSON can carry: nine digits, which a float32 never needs more of; blocked cells become None."""
    return [[float(f"{x:.9g}") if np.isfinite(x) else None for x in row] for row in matrix.tolist()]
