"""The mask brush: a mask to paint on, and beside it the matrices that it changes, cell by cell.

Painting sends no message until the pointer is lifted; then the mask comes back as its short string (code.py), which
is checked here. Hovering over a cell outlines the same cell in every panel of the same rows and columns.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import streamlit as st

from lab.kit.components import component
from pages.masks.components.mask_brush.code import MAX_SIDE, fitted, pack, unpack

__all__ = ["MAX_SIDE", "Answer", "Live", "Panel", "fitted", "mask_brush", "pack", "unpack"]

_mount = component("mask_brush", Path(__file__).parent)


class Panel(NamedTuple):
    """One matrix (T, S).

    kind     "mask" (cells are open or hatched), "weights" (0 to the largest), "scores" (around 0) or "steps" (whole
             numbers, the smaller the stronger)
    values   the numbers, or None for a mask; NaN is an empty cell
    mask     True = may attend; None: nothing is blocked
    blocked  what blocked cells, which are hatched, say
    """

    title: str
    kind: Literal["mask", "weights", "scores", "steps"]
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    values: np.ndarray | None = None
    mask: np.ndarray | None = None
    blocked: str = "blocked"
    note: str = ""


class Live(NamedTuple):
    """Which panels follow the painted mask at once: scores that no mask has touched, and the weights they give.

    inverted  True of the mask is read as blocked
    deep      of a layer above the first: there a mask changes the scores as well, so that what follows at once is a
              preview, of which nothing is said
    """

    scores: int
    weights: int
    inverted: bool = False
    deep: bool = False


class Answer(NamedTuple):
    """What comes next under the painted mask, with this share, and `was` under the model's own; each of the `turning`
    cells (query, key) changes it if it is blocked alone."""

    now: str
    share: float
    was: str
    turning: tuple[tuple[int, int], ...] = ()


def mask_brush(
    panels: list[Panel],
    *,
    key: str,
    alt: str,
    paint: bool = False,
    marked: int | None = None,
    live: Live | None = None,
    answer: Answer | None = None,
    on_paint: Callable[[], None] | None = None,
) -> None:
    """Show panels, side by side where there is room.

    alt       describes them in words
    paint     the first panel is a square mask that can be painted
    marked    a key whose name is highlighted in every panel
    live      what follows the hand at once, with the words of the last row
    answer    what comes next after the last row
    on_paint  called after painting; painted(key) then returns the new mask
    """
    data: dict[str, Any] = {"alt": alt, "paint": paint, "marked": marked, "panels": [_plain(panel) for panel in panels]}
    data["live"] = live._asdict() if live else None
    data["answer"] = answer._asdict() if answer else None
    if paint and panels[0].mask is not None:
        data["code"] = pack(panels[0].mask)
    _mount(data=data, key=key, on_painted_change=on_paint or (lambda: None))


def painted(key: str) -> np.ndarray | None:
    """The mask (T, T) that was last painted in the brush with this key; None if there is none that is valid."""
    return unpack((st.session_state.get(key) or {}).get("painted"))


def _plain(panel: Panel) -> dict[str, Any]:
    """A panel as JSON can carry it."""
    out = {**panel._asdict(), "values": None, "mask": None}
    if panel.values is not None:
        out["values"] = [None if not np.isfinite(v) else float(v) for v in panel.values.ravel()]
    if panel.mask is not None:
        out["mask"] = panel.mask.ravel().astype(bool).tolist()
    return out
