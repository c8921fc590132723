"""All heads of a model as small maps, each with what it finds, and a text in which threads show where the one that is
touched finds it. It runs in the browser."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from attention_view.payload import as_bytes
from lab.kit.components import component, sent

_mount = component("head_finds", Path(__file__).parent)


def pack(
    tokens: Sequence[str],
    maps: np.ndarray,
    values: np.ndarray,
    kind: Literal["adds", "repeats", "agrees"],
    facts: Mapping[str, Any],
    chosen: tuple[int, int],
    *,
    is_causal: bool,
    asked: Sequence[tuple[int, Sequence[int]]],
    found: np.ndarray,
    strong: float,
    again: int | None = None,
    feed_forward: np.ndarray | None = None,
) -> bytes:
    """The bytes that the browser draws.

    maps    (L, H, T, T) attention weights;  values (L, H): the number of each head, those above `strong` framed
    kind    what heads are asked: what they add to an answer, how much of their attention goes to what came next when
            a text comes again, how often they agree with grammar;  facts: what is said of it besides (see telling.js)
    asked   (query, right keys) of the text: from these tokens threads lead to what a head finds
    found   (L, H, n asked, T): attention weights, or what each key brings to a sum
    again   the token from which on the text comes a second time: it stands on a second line
    feed_forward  (L,) the number of each layer's feed-forward network
    """
    largest = np.maximum(maps.max(axis=(-2, -1), keepdims=True), 1e-9)
    header = {
        "tokens": list(tokens),
        "shape": maps.shape[:3],
        "causal": is_causal,
        "asked": [[query, [int(key) for key in keys]] for query, keys in asked],
        "kind": kind,
        "facts": dict(facts),
        "strong": float(np.float32(strong)),  # as exact as the values: what equals it is not above it
        "chosen": list(chosen),
        "again": again,
        "networks": feed_forward is not None,
    }
    arrays = {
        "maps": np.round(255 * maps / largest).astype("u1"),
        "values": values.astype("<f4"),
        "found": found.astype("<f4"),
        "feed_forward": (np.zeros(0) if feed_forward is None else feed_forward).astype("<f4"),
    }
    return as_bytes(header, arrays)


def head_finds(
    packed: bytes, *, key: str, on_choose: Callable[[int, int], None], on_next: Callable[[str], None] | None = None
) -> None:
    """Put the heads on the page; on_choose is called with the layer and the head that are touched, on_next with what
    the dark button leads to, where `facts` name it as "next"."""

    def told() -> None:
        layer, _, head = (sent(key, "head", str) or "").partition("-")
        if layer.isdecimal() and head.isdecimal() and len(layer) + len(head) < 10:
            on_choose(int(layer), int(head))

    def pressed() -> None:
        name = sent(key, "next", str)
        if on_next and name:
            on_next(name)

    _mount(data=packed, key=key, on_head_change=told, on_next_change=pressed)
