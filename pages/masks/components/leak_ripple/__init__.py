"""The ripple of an edit: which tokens have heard of it after each layer, and through whom."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from lab.kit.components import component, sent

_mount = component("leak_ripple", Path(__file__).parent)


def leak_ripple(
    moved: np.ndarray,
    change: np.ndarray,
    predicted: np.ndarray,
    masks: np.ndarray,
    tokens: Sequence[str],
    edited: int,
    word: str,
    *,
    key: str,
    alt: str,
    on_edit: Callable[[], None],
) -> None:
    """Show it, from the input at the bottom to the output at the top; it spreads layer by layer, and strong lines are
    the shortest ways to one output.

    moved, change, predicted  (L + 1, T): whether a token's vector moved there, how far, and whether the mask says so
    masks                     (L, T, T) boolean of every layer, True = may attend
    edited, word              the token that was edited, and what it became
    on_edit                   called where another token is clicked; edited_in(key) then says which
    """
    _mount(
        data={
            "moved": moved.astype(bool).tolist(),
            "change": [[float(f"{x:.6g}") for x in row] for row in change.tolist()],
            "predicted": predicted.astype(bool).tolist(),
            "masks": masks.astype(bool).tolist(),
            "tokens": list(tokens),
            "edited": edited,
            "word": word,
            "alt": alt,
        },
        key=key,
        on_edit_change=on_edit,
    )


def edited_in(key: str, n_tokens: int) -> int | None:
    """The token that was just clicked to be edited; None for anything else."""
    token = sent(key, "edit", int)
    return token if token in range(n_tokens) else None
