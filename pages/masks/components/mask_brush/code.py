"""A mask as a short string: `pack(mask)` for links and caches, `unpack(code)` for strings from outside.

"11." and then the cells of 11 x 11, row by row, eight to a byte (the first is the highest bit), the bytes in base64
with - and _ and without padding. Every mask has exactly one such string.
"""

import base64
import re

import numpy as np

MAX_SIDE = 24  # of a mask that is painted by hand


def pack(mask: np.ndarray) -> str:
    """The short string of a boolean mask (T, T), T from 1 to MAX_SIDE."""
    raw = np.packbits(mask.astype(bool)).tobytes()
    return f"{len(mask)}.{base64.urlsafe_b64encode(raw).decode().rstrip('=')}"


def unpack(code: object) -> np.ndarray | None:
    """The mask (T, T) of a short string; None for anything that pack() does not return."""
    if not isinstance(code, str) or not re.fullmatch(r"[1-9][0-9]?\.[A-Za-z0-9_-]{1,100}", code):
        return None
    side, _, letters = code.partition(".")
    T = int(side)
    n_bytes = (T * T + 7) // 8
    if T > MAX_SIDE or len(letters) != (n_bytes * 8 + 5) // 6:
        return None
    raw = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
    mask = np.unpackbits(np.frombuffer(raw, "u1"))[: T * T].reshape(T, T).astype(bool)
    return mask if pack(mask) == code else None


def fitted(mask: np.ndarray, T: int) -> np.ndarray:
    """A painted mask cut or grown to T tokens: cells that were painted stay, new tokens see themselves and the past."""
    out = np.tri(T, dtype=bool)
    n = min(T, len(mask))
    out[:n, :n] = mask[:n, :n]
    return out
