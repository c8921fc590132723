"""A mask as a short string: `pack(mask)` for links and caches, `unpack(code)` for what comes from outside.

"11." and then the cells of 11 x 11, row by row, eight to a byte (the first is the highest bit), the bytes in base64
with - and _ and without padding. Every mask has exactly one such string.
"""

import base64
import re

import numpy as np

MOST = 24  # the largest side of a mask that is painted by hand


def pack(mask: np.ndarray) -> str:
    """The string of a mask (T, T), boolean, T of 1 to MOST."""
    raw = np.packbits(mask.astype(bool)).tobytes()
    return f"{len(mask)}.{base64.urlsafe_b64encode(raw).decode().rstrip('=')}"


def unpack(code: object) -> np.ndarray | None:
    """The mask (T, T) of a string; None for anything that pack() does not make."""
    if not isinstance(code, str) or not re.fullmatch(r"[1-9][0-9]?\.[A-Za-z0-9_-]{1,100}", code):
        return None
    side, _, letters = code.partition(".")
    T = int(side)
    n_bytes = (T * T + 7) // 8
    if T > MOST or len(letters) != (n_bytes * 8 + 5) // 6:
        return None
    raw = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
    mask = np.unpackbits(np.frombuffer(raw, "u1"))[: T * T].reshape(T, T).astype(bool)
    return mask if pack(mask) == code else None


def fitted(mask: np.ndarray, T: int) -> np.ndarray:
    """The mask for a text of T tokens: what was painted stays, and new tokens see themselves and what came before."""
    out = np.tri(T, dtype=bool)
    kept = min(T, len(mask))
    out[:kept, :kept] = mask[:kept, :kept]
    return out
