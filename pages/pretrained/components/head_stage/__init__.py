"""All heads of a model as small maps, and the next word: whoever presses a head carries its output into another text.
It runs in the browser."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from attention_view.payload import as_bytes
from lab.kit.components import component, sent

_mount = component("head_stage", Path(__file__).parent)


class Answers(NamedTuple):
    """What is said after the second text, by the probabilities of n tokens.

    labels  the tokens, the one in question first
    before  (n,) with no head carried over; heads (L, H, n) with each
    moved   (L, H) the share of the difference between both texts that comes along
    """

    labels: Sequence[str]
    before: np.ndarray
    heads: np.ndarray
    moved: np.ndarray


class Second(NamedTuple):
    """The text into which heads are carried, and what the model says after the first one."""

    tokens: Sequence[str]
    answer: str


def packed_heads(
    tokens: Sequence[str], maps: np.ndarray, at: int, facts: Mapping[str, Any], answers: Mapping[str, np.ndarray]
) -> bytes:
    """The heads of a model on a text, and what is said with them: maps (L, H, T, T), and the row of `at` by itself."""
    largest = np.maximum(maps.max(axis=(-2, -1), keepdims=True), 1e-9)
    arrays = {
        "maps": np.round(255 * maps / largest).astype("u1"),
        "looks": maps[:, :, at].astype("<f4"),
        **{name: values.astype("<f4") for name, values in answers.items()},
    }
    return as_bytes({"tokens": list(tokens), "shape": maps.shape[:3], "at": at, **facts}, arrays)


def pack(
    tokens: Sequence[str], maps: np.ndarray, at: int, answers: Answers, carried: tuple[int, int], second: Second
) -> bytes:
    """The bytes that the browser draws.

    maps  (L, H, T, T) attention weights; at: the position that is read out; carried: the layer and the head at first
    """
    facts = {"labels": list(answers.labels), "carried": list(carried), "second": second._asdict()}
    return packed_heads(tokens, maps, at, facts, {k: v for k, v in answers._asdict().items() if k != "labels"})


def head_stage(packed: bytes, *, key: str, on_carry: Callable[[int, int], None]) -> None:
    """Put the heads on the page; on_carry is called with the layer and the head that are carried over."""

    def told() -> None:
        layer, _, head = (sent(key, "carried", str) or "").partition("-")
        if layer.isdecimal() and head.isdecimal() and len(layer) + len(head) < 10:
            on_carry(int(layer), int(head))

    _mount(data=packed, key=key, on_carried_change=told)
