"""The puzzle of one head less, where it stands: all heads of a model, and the word that comes next without one."""

from pathlib import Path

import numpy as np

from attention_view.payload import as_bytes
from lab.kit.components import component, sent

_mount = component("one_head", Path(__file__).parent)
SILENCED = "silenced"  # what the browser tells: which head, counted through all layers


def pack(tokens: tuple[str, ...], weights: np.ndarray, names: tuple[str, str], shares: np.ndarray) -> bytes:
    """The bytes that the browser draws.

    weights (L, H, T, T) of every head;  names of the two words that may come next
    shares  (1 + L H, 2) probability of each: with every head in, then without each
    """
    L, H = weights.shape[:2]
    if shares.shape != (1 + L * H, 2):
        raise ValueError(f"{shares.shape} are no shares of two words with and without each of {L * H} heads")
    header = {"tokens": list(tokens), "heads": [L, H], "names": list(names)}
    return as_bytes(header, {"weights": weights.astype("<f4"), "shares": shares.astype("<f4")})


def one_head(packed: bytes, *, key: str) -> int | None:
    """Put the figure on the page; returns the head that is out, if one is, which the address has as well."""
    _mount(data=packed, key=key, on_silenced_change=lambda: None)
    return sent(key, SILENCED, int)
