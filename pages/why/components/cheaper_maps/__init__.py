"""Full attention and a cheaper way side by side, and a small map of each way, by which it is chosen."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from attention_view.payload import as_bytes
from lab.kit.components import component

_mount = component("cheaper_maps", Path(__file__).parent)


class Compared(Protocol):
    """The attention weights of one variant, (H, n, n), NaN where nothing is computed, and how far its output is from
    full attention's."""

    @property
    def weights(self) -> np.ndarray: ...

    @property
    def error(self) -> float: ...


def off(error: float) -> str:
    """How far an output is from the exact one."""
    return "exact" if error < 5e-6 else f"off by {100 * error:.2g}%"


def pack(compared: Mapping[str, Compared], words: Sequence[str], head: int, chosen: str) -> bytes:
    """The bytes that the browser draws: of every variant the weights of one head; full attention is the first.

    words  of the text that is read; none where q, k and v are random
    """
    (full, first), *_ = compared.items()
    maps = np.stack([variant.weights[head] for variant in compared.values()])
    header: dict[str, Any] = {
        "names": list(compared),
        "off": ["" if name == full else off(variant.error) for name, variant in compared.items()],
        "words": list(words),
        "head": head,
        "chosen": chosen,
        "largest": float(np.nanmax(first.weights[head])),
    }
    return as_bytes(header, {"maps": maps.astype("<f4")})


def cheaper_maps(packed: bytes, *, on_choose: Callable[[], None], key: str) -> None:
    """Put the maps on the page; `on_choose` is called once the session's entry of this key has another "variant"."""
    _mount(data=packed, key=key, on_variant_change=on_choose)
