"""A picture to paint on, cut into patches, and over it where each of them looks: one head large, every head small.

One paints with a pointer, a finger or the keyboard. Each stroke goes to the server while it is made, the next when its
answer is there. Which token asks and which head is seen is the browser's affair.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from attention_view.payload import as_bytes
from lab.kit.components import component

_mount = component("patch_view", Path(__file__).parent)


class Was(NamedTuple):
    """The likeliest answer to a picture before one painted on it, and its probability."""

    answer: str
    share: float


class Group(NamedTuple):
    """A question with the probabilities of its answers.

    right  the number of the true one, None where nobody knows
    was    what was answered before one painted, None where nothing is painted
    """

    question: str
    answers: tuple[str, ...]
    shares: tuple[float, ...]
    right: int | None = None
    was: Was | None = None


class Colour(NamedTuple):
    """One that can be picked: its name, red, green and blue, and the number that cells of it have in the code."""

    name: str
    rgb: tuple[int, int, int]
    number: int


class Paint(NamedTuple):
    """What is painted on the picture: a code of transformer/training/tasks/drawings.py, two cells to a letter.

    link     what it is called in the address
    usual    the code that is not written there
    letters  the alphabet of the code; the number 0 is what is bare
    side     cells along one side
    begins   the name of the colour that is in hand at first
    """

    link: str
    code: str
    usual: str
    letters: str
    side: int
    colours: Sequence[Colour]
    begins: str = "blue"


def pack(
    pixels: np.ndarray,
    weights: np.ndarray,
    rollout: np.ndarray,
    *,
    under: np.ndarray,
    paint: Paint,
    first: Sequence[str],
    groups: Sequence[Group],
    opens: tuple[int, int],
) -> bytes:
    """The bytes that the browser draws.

    pixels   (side, side, 3) uint8, as the model reads them
    under    the same without what is painted
    weights  (L, H, T, T); rollout (L, T, T)
    first    names of the tokens before the patches
    opens    layer and head that are large at first, counted from 0
    """
    T = weights.shape[-1]
    across = round((T - len(first)) ** 0.5)
    header = {
        "across": across,
        "first": list(first),
        "opens": list(opens),
        "paint": {**paint._asdict(), "colours": [colour._asdict() for colour in paint.colours]},
        "groups": [group._asdict() for group in groups],
    }
    arrays = {"pixels": pixels, "under": under, "weights": weights.astype("<f4"), "rollout": rollout.astype("<f4")}
    return as_bytes(header, arrays)


def patch_view(packed: bytes, *, key: str) -> None:
    """Put it on the page; token, layer and head are in the address as vision_at, vision_layer and vision_head.

    What is painted comes back as `painted`: its link, a colon, and its code.
    """
    _mount(data=packed, key=key, on_painted_change=lambda: None)
