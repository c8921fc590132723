"""Bars that always add up to 1: to guess a row of attention, or to mix values by hand."""

from collections.abc import Callable, Sequence
from pathlib import Path

from pages.shared.components import component

_mount = component("shares", Path(__file__).parent)


def guess_row(
    query: Sequence[int],
    keys: Sequence[Sequence[int]],
    *,
    key: str,
    guess: Sequence[float] | None = None,
    columns: dict[str, Sequence[str]] | None = None,
    truth: Sequence[float] | None = None,
    on_reveal: Callable[[], None] = lambda: None,
) -> None:
    """A query, its keys, and a bar a key to set; Reveal sends the shares as st.session_state[key].reveal.

    Once revealed: truth is marked on the bars, and columns (heading -> a text a key) stand beside them.
    """
    data = {
        "query": list(query),
        "keys": [list(row) for row in keys],
        "shares": None if guess is None else list(guess),
        "columns": None if columns is None else {name: list(texts) for name, texts in columns.items()},
        "truth": None if truth is None else list(truth),
    }
    _mount(data=data, key=key, on_reveal_change=on_reveal)


def mix_values(weights: Sequence[float], points: Sequence[Sequence[float]], axes: tuple[str, str], *, key: str) -> None:
    """Values as points of a plane, and their mix by the weights; dragging a bar moves the mix.

    points  a value a row, its two features that are drawn, named in axes
    """
    data = {"start": list(weights), "points": [list(point) for point in points], "axes": list(axes)}
    _mount(data=data, key=key, on_reveal_change=lambda: None)
