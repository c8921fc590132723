"""The permutation machine: words that can be put in another order, and lines that join each word's two outputs."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import streamlit as st

from lab.kit.components import component

_mount = component("shuffler", Path(__file__).parent)


def chosen_order(key: str, n: int) -> tuple[int, ...]:
    """The order of n words that the browser or the link has; as typed where that is not an order of n words."""
    order = (st.session_state.get(key) or {}).get("order")
    if order is None:
        parts = st.query_params.get("pos_order", "").split("-")
        order = [int(part) for part in parts if part.isascii() and part.isdecimal() and len(part) < 4]
    if isinstance(order, list) and all(type(i) is int for i in order) and sorted(order) == list(range(n)):
        return tuple(order)
    return tuple(range(n))


def word_shuffler(
    words: Sequence[str],
    order: Sequence[int],
    before: np.ndarray,
    after: np.ndarray,
    moved: np.ndarray,
    *,
    same: float,
    n_changed: int,
    says: str,
    told: str,
    heading: str,
    on_told: Callable[[bool], None],
    key: str,
) -> None:
    """Put the machine on the page.

    words          (T) as typed
    order          position -> word as typed
    before, after  (T, D) each word's output as typed, and in the new order
    moved          (T) how far each word's output moved
    same           below which difference a word counts as unmoved
    n_changed      how many of all numbers changed
    says           whether the model noticed, in a sentence
    told           the scheme that tells the model the positions
    heading        above the words as typed
    on_told        called with whether the model is to be told the positions, once a visitor has said so
    """

    def switched() -> None:
        what = (st.session_state.get(key) or {}).get("told")
        if what in ("add", "remove"):
            on_told(what == "add")

    data = {
        "words": list(words),
        "order": list(order),
        "before": before.tolist(),
        "after": after.tolist(),
        "moved": moved.tolist(),
        "same": same,
        "n_changed": n_changed,
        "says": says,
        "told": told,
        "heading": heading,
    }
    _mount(data=data, key=key, on_order_change=lambda: None, on_told_change=switched)
