"""The mask brush: a mask to paint on, and beside it the matrices that it changes, cell by cell.

Painting costs no message until the pointer is lifted; then the mask comes back as its short string (code.py), which
is checked here. Pointing at a cell outlines the same cell in every panel of the same rows and columns.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.masks.components.mask_brush.code import MOST, fitted, pack, unpack
from pages.shared.components import component

__all__ = ["MOST", "Panel", "fitted", "mask_brush", "pack", "unpack"]

_mount = component("mask_brush", Path(__file__).parent)


class Panel(NamedTuple):
    """One matrix (T, S).

    kind     "mask" (cells are open or hatched), "weights" (0 to the largest), "scores" (around 0) or "steps" (whole
             numbers, the smaller the stronger)
    values   the numbers, or None for a mask; NaN has no number to show
    mask     True = may attend; blocked cells are hatched and say `blocked`; None where nothing is
    """

    title: str
    kind: str
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    values: np.ndarray | None = None
    mask: np.ndarray | None = None
    blocked: str = "blocked"
    note: str = ""


def mask_brush(
    panels: list[Panel],
    *,
    key: str,
    alt: str,
    paint: bool = False,
    marked: int | None = None,
    on_paint: Callable[[], None] | None = None,
) -> None:
    """Put the panels on the page, side by side where there is room.

    paint     the first panel is a square mask that can be painted; on_paint is called when it was, and painted(key)
              then has the new mask
    marked    a key whose name stands out in every panel
    alt       in words what is to be seen
    """
    data = {"alt": alt, "paint": paint, "marked": marked, "panels": [_plain(panel) for panel in panels]}
    if paint:
        data["code"] = pack(panels[0].mask)
    _mount(data=data, key=key, on_painted_change=on_paint or (lambda: None))


def painted(key: str) -> np.ndarray | None:
    """The mask that was last painted in the brush of this name, (T, T) boolean; None if there is none that is valid."""
    return unpack((st.session_state.get(key) or {}).get("painted"))


def _plain(panel: Panel) -> dict:
    out = panel._asdict()
    out["values"] = None
    if panel.values is not None:
        out["values"] = [None if not np.isfinite(v) else float(v) for v in panel.values.ravel()]
    out["mask"] = None if panel.mask is None else [bool(open) for open in panel.mask.ravel()]
    return out
