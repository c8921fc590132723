"""Equal words on a rail of positions, and what each of three mechanisms makes of a move. It runs in the browser."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from attention_view.payload import as_bytes
from lab.kit.components import component, sent

WORD = "la"  # what all of them say
STEP = 10  # positions that the dark button moves them on

_mount = component("moved_words", Path(__file__).parent)


def pack(weights: Mapping[str, np.ndarray], codes: np.ndarray, prices: np.ndarray, turn: float) -> bytes:
    """The bytes that the browser draws.

    weights  (starts, n, n) of each way: attention weights among the words that begin at each position
    codes    (positions, numbers): a part of what each position adds
    prices   (2 n - 1,): by how much distance changes the score, at key - query = 1 - n .. n - 1
    turn     radians by which a step turns the hands that are drawn
    """
    first = next(iter(weights.values()))
    if any(one.shape != first.shape for one in weights.values()) or first.shape[1] != first.shape[2]:
        raise ValueError(f"{[one.shape for one in weights.values()]} are no square maps at the same starts")
    header = {"word": WORD, "step": STEP, "turn": turn, "ways": list(weights)}
    arrays = {"weights": np.stack(list(weights.values())), "codes": codes, "prices": prices}
    return as_bytes(header, {name: of.astype("<f4") for name, of in arrays.items()})


def moved_words(packed: bytes, *, on_open: Callable[[str], None], key: str) -> None:
    """Put them on the page; where they begin, which word looks, and the way are in the address. on_open is called with
    the name of a way."""

    def opened() -> None:
        name = sent(key, "open", str)
        if name is not None:
            on_open(name)

    _mount(data=packed, key=key, on_open_change=opened)
