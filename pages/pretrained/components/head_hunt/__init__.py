"""Which head does a model need? All heads as maps, a text and the next word: whoever presses a head takes it out, and
sees what that costs. It runs in the browser."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lab.kit.components import component, sent
from pages.pretrained.components.head_stage import packed_heads

_mount = component("head_hunt", Path(__file__).parent)


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


def pack(
    tokens: Sequence[str],
    maps: np.ndarray,
    at: int,
    answers: Answers,
    out: tuple[int, int | None] | None,
    *,
    next: bool,
    further: str = "",
) -> bytes:
    """The bytes that the browser draws.

    maps  (L, H, T, T) attention weights; at: the position that is read out
    out   the layer and the head that are taken out at first, None for all heads of the layer; None for nothing
    next  whether the answer follows the text, or stands at that position; further: what the button says in the end
    """
    facts = {
        "labels": list(answers.labels),
        "next": next,
        "further": further,
        "out": None if out is None else list(out),
    }
    return packed_heads(tokens, maps, at, facts, {k: v for k, v in answers._asdict().items() if k != "labels"})


def head_hunt(
    packed: bytes, *, key: str, on_out: Callable[[int | None, int | None], None], on_further: Callable[[], None]
) -> None:
    """Put the heads on the page; on_out is called with the layer and the head that are taken out, None for all its
    heads; with twice None where all are in again. on_further: the button was pressed in the end."""

    def told() -> None:
        name = sent(key, "out", str) or ""
        layer, _, head = name.partition("-")
        if name == "none":
            on_out(None, None)
        elif layer.isdecimal() and (head.isdecimal() or not head) and len(name) < 12:
            on_out(int(layer), int(head) if head else None)

    _mount(data=packed, key=key, on_out_change=told, on_further_change=on_further)
