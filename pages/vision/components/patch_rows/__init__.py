"""A picture in patches: one is magnified, its numbers are read off, and the vector they become is drawn. It runs in the
browser.

Point at a patch of the picture or of the row below it, or use the arrow keys: the numbers and the vector follow. Drag
one onto another, or take it up and put it down with the space bar: the two change places.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from attention_view.payload import as_bytes
from lab.kit.components import component
from pages.vision.components.patch_view import Group

_mount = component("patch_rows", Path(__file__).parent)


def pack(
    pixels: np.ndarray,
    vectors: np.ndarray,
    finding: Sequence[str] = (),
    act: str = "",
    groups: Sequence[Group] = (),
    swaps: Sequence[tuple[int, int]] = (),
) -> bytes:
    """The bytes that the browser draws: pixels (side, side, 3) uint8, vectors (n, D) of the patches.

    finding  a sentence, and quietly another one; without it, how many tokens there are
    act      what the button beside it says; "" for none
    groups   what is answered now, which stands beside the picture; none: there stand the numbers of a patch
    swaps    the places whose patches a hand has exchanged, one pair after the other
    """
    across = round(len(vectors) ** 0.5)
    asked = [group._asdict() for group in groups]
    header = {"across": across, "finding": list(finding), "act": act, "groups": asked}
    header["swaps"] = ".".join(f"{a}-{b}" for a, b in swaps)
    return as_bytes(header, {"pixels": pixels, "vectors": vectors.astype("<f4")})


def patch_rows(packed: bytes, *, key: str, on_press: Callable[[], None] | None = None) -> None:
    """Put it on the page; the patch is in the address as vision_patch. `on_press` is called once
    st.session_state[key]["press"] is what the button said; what a hand has exchanged comes back as `swaps`."""
    _mount(data=packed, key=key, on_press_change=on_press or (lambda: None), on_swaps_change=lambda: None)
