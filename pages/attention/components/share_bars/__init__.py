"""Bars that always add up to 1: to guess a row of attention, or to mix values by hand."""

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from lab.kit.components import component

_mount = component("shares", Path(__file__).parent)


def guess_row(
    matches: Sequence[int],
    root: int,
    *,
    key: str,
    number: int,
    finding: str,
    guess: Sequence[float] | None = None,
    is_revealed: bool = False,
    on_reveal: Callable[[], None] = lambda: None,
    on_next: Callable[[], None] = lambda: None,
) -> None:
    """Show how well each key matches a query, and one bar to cut among them. The button sends the shares, which
    `revealed` reads; once they are revealed, it sends under "next" the number of the puzzle that one leaves. root: what
    matches are divided by; finding: the sentence above them.

    Once revealed: the bar that softmax cuts falls below; a hand moves the matches, and it answers.
    """
    data = {
        "number": number,
        "matches": list(matches),
        "root": root,
        "finding": finding,
        "shares": None if guess is None else list(guess),
        "revealed": is_revealed,
    }
    _mount(data=data, key=key, on_reveal_change=on_reveal, on_next_change=on_next)


def mix_values(
    weights: Sequence[float],
    points: Sequence[Sequence[float]],
    axes: tuple[str, str],
    words: Sequence[str],
    query: int,
    *,
    key: str,
) -> None:
    """Show values as points of a plane, and their mix by the weights; dragging a bar moves the mix.

    points  one per value: the two features that are drawn, named in axes
    words   whose values they are
    query   which of the words asks
    """
    data = {
        "start": list(weights),
        "points": [list(point) for point in points],
        "axes": list(axes),
        "words": list(words),
        "query": query,
    }
    _mount(data=data, key=key)


def revealed(key: str) -> tuple[float, ...] | None:
    """The guess that was just sent: three shares of at least 0 that add up to 1; None for anything else."""
    shares = (st.session_state.get(key) or {}).get("reveal")
    if not isinstance(shares, list) or len(shares) != 3:
        return None
    if not all(isinstance(share, int | float) and 0 <= share <= 1 for share in shares) or abs(sum(shares) - 1) > 0.01:
        return None
    return tuple(float(share) for share in shares)
