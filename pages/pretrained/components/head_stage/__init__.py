"""All heads of a model as small maps, and the next word: whoever presses a head cuts it, or carries its output into
another text. It runs in the browser."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from attention_view.payload import as_bytes
from lab.kit.components import component, sent

_mount = component("head_stage", Path(__file__).parent)


class Answers(NamedTuple):
    """What the model says with all heads and without some, by the probabilities of n tokens.

    labels  the tokens, the one in question first
    before  (n,) with all heads; heads (L, H, n) without each head; layers (L, n) without all heads of a layer
    moved   (L, H) the share of all probability that goes to other tokens
    """

    labels: Sequence[str]
    before: np.ndarray
    heads: np.ndarray
    layers: np.ndarray
    moved: np.ndarray


class Second(NamedTuple):
    """The text into which heads are carried, and what the model says after the first one."""

    tokens: Sequence[str]
    answer: str


def pack(
    tokens: Sequence[str],
    maps: np.ndarray,
    at: int,
    answers: Answers,
    cut: tuple[int, tuple[int, ...]],
    *,
    next: bool,
    second: Second | None = None,
    is_cut: bool = True,
) -> bytes:
    """The bytes that the browser draws.

    maps  (L, H, T, T) attention weights; at: the position that is read out
    cut   (layer, heads) that are cut at first, or, unless is_cut, that would be missed most: then each head is cut in
          turn before, at the first visit
    next  whether the answer follows the text, or stands at that position
    second  the text into which a head is carried, None where heads are cut. Then `before` is what is said after it,
            `heads` what is said with each head carried, and `moved` the share of the difference that comes along
    """
    largest = np.maximum(maps.max(axis=(-2, -1), keepdims=True), 1e-9)
    header = {
        "tokens": list(tokens),
        "labels": list(answers.labels),
        "shape": maps.shape[:3],
        "at": at,
        "next": next,
        "cut": [cut[0], list(cut[1])],
        "isCut": is_cut,
        "second": second._asdict() if second else None,
    }
    arrays = {
        "maps": np.round(255 * maps / largest).astype("u1"),
        "looks": maps[:, :, at].astype("<f4"),
        "before": answers.before.astype("<f4"),
        "heads": answers.heads.astype("<f4"),
        "layers": answers.layers.astype("<f4"),
        "moved": answers.moved.astype("<f4"),
    }
    return as_bytes(header, arrays)


def head_stage(packed: bytes, *, key: str, on_cut: Callable[[int, int | None], None]) -> None:
    """Put the heads on the page; on_cut is called with the layer and the head that are cut, None for all its heads."""

    def told() -> None:
        name = sent(key, "cut", str)
        layer, _, head = (name or "").partition("-")
        if layer.isdecimal() and (head.isdecimal() or not head) and len(name or "") < 12:
            on_cut(int(layer), int(head) if head else None)

    _mount(data=packed, key=key, on_cut_change=told)
