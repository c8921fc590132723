"""The permutation machine: words that can be put in another order, and lines that join each word's two outputs."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pages.shared.components import component

_mount = component("shuffler", Path(__file__).parent)


def asked(key: str, n: int) -> tuple[int, ...]:
    """The order that the browser or the link asks for, if it is one of n words; else the second word and the last
    one change places."""
    from_browser = (st.session_state.get(key) or {}).get("order")
    if from_browser is None:
        parts = st.query_params.get("pos_order", "").split("-")
        from_browser = [int(part) for part in parts if part.isascii() and part.isdecimal() and len(part) < 4]
    if (
        isinstance(from_browser, list)
        and all(type(i) is int for i in from_browser)
        and sorted(from_browser) == list(range(n))
    ):
        return tuple(from_browser)
    order = list(range(n))
    if n > 1:
        order[min(1, n - 2)], order[-1] = order[-1], order[min(1, n - 2)]
    return tuple(order)


def shuffler(data: dict[str, Sequence], *, key: str) -> None:
    """Put the machine on the page.

    data  words (T), order (T) (place -> word as typed), before and after (T, D) as lists, moved (T) by word as typed,
          same: below which difference a word counts as unchanged
    """
    _mount(data=data, key=key, on_order_change=lambda: None)
