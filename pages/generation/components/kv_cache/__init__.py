"""Steps of writing with a KV cache and without one: which keys and values each of them computes."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from attention_view.payload import as_bytes
from lab.kit.components import component

_mount = component("kv_cache", Path(__file__).parent)


def pack(
    tokens: Sequence[str],
    n_read: int,
    memory: tuple[int, int, int, int],
    steps: tuple[np.ndarray, np.ndarray],
    *sides: np.ndarray,
) -> bytes:
    """The bytes that the browser draws.

    tokens  on screen, first those of the text, then those that the model writes on;  n_read  how many are the text's
    memory  layers, heads that have keys of their own, numbers of a key, and bytes that a cache keeps of one token
    steps   pairs that each step computes: without a cache, with one
    sides   keys and values (T, d_k) of one head
    """
    if not 0 < n_read <= len(tokens) or any(len(part) != len(tokens) for part in (*steps, *sides)):
        raise ValueError(f"{n_read} of {len(tokens)} tokens, and steps and sides of other lengths")
    anew, kept = ([int(n) for n in counts] for counts in steps)
    header = {"tokens": list(tokens), "read": n_read, "memory": list(memory), "anew": anew, "kept": kept}
    arrays = {name: side.astype("<f4") for name, side in zip(("keys", "values"), sides, strict=True)}
    return as_bytes(header, arrays)


def kv_cache(packed: bytes, *, key: str) -> None:
    """Put the figure on the page; how many tokens the text has is in the address as gen_read, none before any act."""
    _mount(data=packed, key=key)
