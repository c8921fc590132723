"""The stream of a whole model beside that of the same model with a part torn out, and what each says at its end."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lab.kit.components import component

MAX_LANES = 24
MAX_FEATURES = 64
MAX_HEIGHTS = 7
FULL = 127  # what a number of the colour scale's end is sent as

_mount = component("torn_stream", Path(__file__).parent)


class Half(NamedTuple):
    """One of the two models.

    name     as it stands above it
    streams  (L + 1, T, D) from the embedding to the last layer; cosine (L + 1,) between two of its tokens, in the mean
    word     what it says at its end, "" where it was not trained to say anything; odds: its probability; right: how
             many next words of the text it has right
    """

    name: str
    streams: np.ndarray
    cosine: np.ndarray
    word: str
    odds: str
    right: str


def heights(n: int) -> list[int]:
    """Which of so many heights are drawn: the first and the last, and as many between them as there is room for."""
    return sorted({round(x) for x in np.linspace(0, n - 1, min(n, MAX_HEIGHTS))})


def pack(
    tokens: Sequence[str], part: str, parts: Sequence[str], whole: Half, torn: Half, *, is_pre_norm: bool
) -> dict[str, Any]:
    """What the browser draws.

    part         which of `parts` is torn out, as they are called on screen
    is_pre_norm  whether each norm stands before its sublayer
    """
    T, shown = min(len(tokens), MAX_LANES), heights(len(whole.streams))
    # The stream grows on its way up, so each height has a scale of its own: that of the whole model, in both halves.
    scale = [float(np.quantile(np.abs(whole.streams[n, :T]), 0.98)) or 1.0 for n in shown]
    return {
        "words": list(tokens[:T]),
        "left_out": len(tokens) - T,
        "features": [min(MAX_FEATURES, whole.streams.shape[2]), whole.streams.shape[2]],
        "heights": ["embedding" if n == 0 else f"layer {n - 1}" for n in shown],
        "part": part,
        "parts": list(parts),
        "is_pre_norm": is_pre_norm,
        "halves": [
            {
                "name": half.name,
                "word": half.word,
                "odds": half.odds,
                "right": half.right,
                "cosine": [round(float(half.cosine[n]), 2) for n in shown],
                "maps": [
                    np.round(FULL * np.clip(half.streams[n, :T, :MAX_FEATURES] / end, -1, 1))
                    .astype(int)
                    .ravel()
                    .tolist()
                    for n, end in zip(shown, scale, strict=True)
                ],
            }
            for half in (whole, torn)
        ],
    }


def torn_stream(packed: dict[str, Any], *, key: str, on_tear: Callable[[], None]) -> None:
    """Put both on the page; `on_tear` is called once st.session_state[key]["part"] is another part."""
    _mount(data=packed, key=key, on_part_change=on_tear)
