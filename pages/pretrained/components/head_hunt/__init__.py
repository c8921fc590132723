"""How many heads can a model do without? All of them as maps, a text and the next word: heads that are pressed are out,
and one sees what that costs. It runs in the browser."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lab.kit.components import component, sent
from pages.pretrained.components.head_stage import packed_heads

_mount = component("head_hunt", Path(__file__).parent)
_LONGEST = 2000  # letters of what is sent: as many heads as a model has


class Answers(NamedTuple):
    """What the model says with all heads and without some.

    labels  the tokens that are said; said (n,) which of them it is without each set of heads, whose number has the bit
            l H + h where head h of layer l is out; where there is no such number for all sets, with all heads and
            then without each head
    sure    (n,) the probability of what is said; kept (n,) that of what is said with all heads
    moved   (L, H) the share of all probability that goes to other tokens without each head
    """

    labels: Sequence[str]
    said: np.ndarray
    sure: np.ndarray
    kept: np.ndarray
    moved: np.ndarray


def pack(
    tokens: Sequence[str],
    maps: np.ndarray,
    at: int,
    answers: Answers,
    out: Sequence[int],
    *,
    further: str = "",
    is_causal: bool,
) -> bytes:
    """The bytes that the browser draws.

    maps  (L, H, T, T) attention weights; at: the position that is read out
    out   the heads l H + h that are out at first;  further: what the button says in the end
    """
    facts = {"labels": list(answers.labels), "causal": is_causal, "further": further, "out": list(out)}
    return packed_heads(tokens, maps, at, facts, {k: v for k, v in answers._asdict().items() if k != "labels"})


def head_hunt(
    packed: bytes, *, key: str, on_out: Callable[[Sequence[int]], None], on_further: Callable[[], None]
) -> None:
    """Put the heads on the page; on_out is called with the heads l H + h that are out. on_further: the button was
    pressed in the end."""

    def told() -> None:
        names = (sent(key, "out", str) or "")[:_LONGEST].split()
        on_out([int(name) for name in names if name.isdecimal() and len(name) < 6])

    _mount(data=packed, key=key, on_out_change=told, on_further_change=on_further)
