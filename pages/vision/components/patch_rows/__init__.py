"""A picture in patches: one is magnified, its numbers are read off, and the vector they become is drawn. It runs in the
browser.

Drag across the picture or the row below it, or use the arrow keys: the numbers and the vector follow.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from attention_view.payload import as_bytes
from lab.kit.components import component

_mount = component("patch_rows", Path(__file__).parent)


def pack(pixels: np.ndarray, vectors: np.ndarray, finding: Sequence[str] = (), act: str = "") -> bytes:
    """The bytes that the browser draws: pixels (side, side, 3) uint8, vectors (n, D) of the patches.

    finding  a sentence, and quietly another one; without it, how many tokens there are
    act      what the button beside it says; "" for none
    """
    across = round(len(vectors) ** 0.5)
    header = {"across": across, "finding": list(finding), "act": act}
    return as_bytes(header, {"pixels": pixels, "vectors": vectors.astype("<f4")})


def patch_rows(packed: bytes, *, key: str, on_press: Callable[[], None] | None = None) -> None:
    """Put it on the page; the patch is in the address as vision_patch. `on_press` is called once
    st.session_state[key]["press"] is what the button said."""
    _mount(data=packed, key=key, on_press_change=on_press or (lambda: None))
