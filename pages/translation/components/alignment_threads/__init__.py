"""Alignment threads: source words above, target words below, joined by cross-attention; whole, or step by step.

Heads, words, guesses and steps are picked in the browser; the server is asked only for another order of the words.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from lab.kit.components import component

_mount = component("threads", Path(__file__).parent)


def payload(
    source: Sequence[str],
    target: Sequence[str],
    weights: np.ndarray,
    *,
    alignment: Sequence[tuple[int, int]] = (),
    frames: Sequence[dict] = (),
    back: np.ndarray | None = None,
    unread: Sequence[bool] = (),
    fault: Sequence[str] = ("", ""),
    mistake: tuple[int, str, str] | None = None,
) -> dict:
    """What the browser is sent. Raises ValueError unless the weights fit the words.

    weights    (L, H, T, S); row i is where target token i looked
    alignment  the true one: (target token, source token); pairs beyond the words are left out
    frames     one per target token, to be played: {"top": [[word, probability], ...], "encoder": n, "decoder": n},
               where n counts how often each half ran
    back       (L, H, T, T) of the decoder's attention to what it has read of its own text, with the frames
    unread     which source words the model has never read
    fault      what has to be said first of the translation, and what may follow; "" for one that is right
    mistake    the first wrong word, where it is known: its place, itself, and the right one
    """
    L, H, T, S = weights.shape
    if (len(target), len(source)) != (T, S):
        raise ValueError(f"{T} x {S} weights cannot join {len(target)} and {len(source)} words")
    if back is not None and back.shape != (L, H, T, T):
        raise ValueError(f"{back.shape} weights do not join {T} words to each other, in {L} layers of {H} heads")
    return {
        "source": list(source),
        "target": list(target),
        "layers": L,
        "heads": H,
        "weights": [round(w, 4) for w in weights.ravel().tolist()],
        "ghost": [list(pair) for pair in alignment if pair[0] < T and pair[1] < S],
        "frames": list(frames),
        "back": [] if back is None else [round(w, 4) for w in back.ravel().tolist()],
        "unread": list(unread),
        "fault": list(fault),
        "mistake": list(mistake) if mistake else None,
    }


def alignment_threads(data: dict, *, key: str, on_order: Callable[[], None]) -> None:
    """Puts a payload on the page. Its state is in the link: its settings begin with tr_thread_.

    `on_order` is called once st.session_state[key]["order"] says in what order the words were put, as "0,2,1".
    """
    _mount(data=data, key=key, on_order_change=on_order)
