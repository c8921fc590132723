"""Alignment threads: source words above, target words below, joined by cross-attention; whole, or step by step.

Heads, words, guesses and steps are picked in the browser; the server is never asked.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pages.shared.components import component

_mount = component("threads", Path(__file__).parent)


def packed(
    source: Sequence[str],
    target: Sequence[str],
    weights: np.ndarray,
    *,
    ghost: Sequence[tuple[int, int]] = (),
    frames: Sequence[dict] = (),
    memory: np.ndarray | None = None,
) -> dict:
    """What the browser is sent.

    weights  (L, H, T, S), row i: where target token i looked;  ghost  the (i, j) of the true alignment
    frames   a step a target token, to be played: {"top": [[word, probability], ...], "encoder": n, "decoder": n}
    memory   (S, D), drawn above the source while playing
    """
    L, H, T, S = weights.shape
    if (len(target), len(source)) != (T, S):
        raise ValueError(f"{T} x {S} weights cannot join {len(target)} and {len(source)} words")
    return {
        "source": list(source),
        "target": list(target),
        "layers": L,
        "heads": H,
        "weights": [round(w, 4) for w in weights.ravel().tolist()],
        "ghost": [list(pair) for pair in ghost if pair[0] < T and pair[1] < S],
        "frames": list(frames),
        "memory": None if memory is None else [[round(x, 3) for x in row] for row in memory.tolist()],
    }


def threads(data: dict, *, key: str) -> None:
    """Put the view on the page; its state stands in the link as thread_layer, thread_head, thread_word, thread_step."""
    _mount(data=data, key=key)
