"""The area: what attention multiplies is a square of n x n, a recurrent layer's a strip of n x d; both to one scale.

Their sides can be dragged. While they are, everything follows in the browser; let go, the nearest size that can be
chosen comes back.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from lab.kit.components import component

_mount = component("area", Path(__file__).parent)
SIDES = ("n", "d")


def dragged(key: str, side: str, options: Sequence[int]) -> int | None:
    """Where a side was let go, if that is one of the options: what a browser sent can be anything."""
    sent = (st.session_state.get(key) or {}).get(side)
    return sent if isinstance(sent, int) and not isinstance(sent, bool) and sent in options else None


def area(
    n: int,
    d: int,
    n_heads: int,
    *,
    lengths: Sequence[int],
    widths: Sequence[int],
    usual: int,
    on_drag: Callable[[str], None],
    key: str,
) -> None:
    """Put it on the page; on_drag("n") or on_drag("d") is called when that side was dragged, or doubled by the button,
    which leads back to the length before, or to the usual one."""
    callbacks = {f"on_{side}_change": lambda side=side: on_drag(side) for side in SIDES}
    data = {"n": n, "d": d, "heads": n_heads, "lengths": list(lengths), "widths": list(widths), "usual": usual}
    _mount(data=data, key=key, **callbacks)
