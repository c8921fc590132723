"""What a cheaper attention cannot see: arcs over a review, with the window of the word that looks."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from attention_view.payload import as_bytes
from lab.kit.components import component

_mount = component("cheaper_maps", Path(__file__).parent)


class Compared(Protocol):
    """The attention weights of one variant, (H, n, n), NaN where nothing is computed, and the share of full attention's
    weight that each head misses, (H,); None where that cannot be said."""

    @property
    def weights(self) -> np.ndarray: ...

    @property
    def missed(self) -> np.ndarray | None: ...


class Way(NamedTuple):
    """A way to attend, in words, with what it saves, and the share of that which it takes of full attention's.

    gloss     its name in plain words
    subject   of the sentence that says what it takes and what the model then says
    loses     the verb for what it does to the weight that full attention sends elsewhere
    sentence  how it works
    is_card   whether it has a card of its own; the others are in a menu
    says      what the model says of the review; None where that cannot be asked
    n_right   how many of other reviews it reads right
    """

    gloss: str
    subject: str
    loses: str
    sentence: str
    of: str
    share: float
    is_card: bool
    says: str | None
    n_right: int


class Window(NamedTuple):
    """A window of one size; missed (H,): the share of full attention's weight that each head misses."""

    size: int
    subject: str
    sentence: str
    share: float
    missed: np.ndarray
    says: str | None
    n_right: int


def pack(
    compared: Mapping[str, Compared],
    ways: Mapping[str, Way],
    windows: Sequence[Window],
    words: Sequence[str],
    n_reviews: int,
    head: int,
    chosen: str,
    size: int,
    others: int,
) -> bytes:
    """The bytes that the browser draws: of every variant the weights of one head; full attention is the first.

    windows  of every size that a hand can give them, in order
    words    of the review that is read; none where q, k and v are random
    n_reviews  that were read to count n_right
    size     of the window, and others: of the other ways
    """
    full = next(iter(compared.values())).weights[head]
    # Which weights there would be where none can be compared, nobody knows: every cell is computed, as in full.
    maps = np.stack([full if variant.missed is None else variant.weights[head] for variant in compared.values()])
    header: dict[str, Any] = {
        "ways": [
            {
                "name": name,
                **way._asdict(),
                "missed": None if (missed := compared[name].missed) is None else float(missed[head]),
            }
            for name, way in ways.items()
        ],
        "windows": [{**window._asdict(), "missed": float(window.missed[head])} for window in windows],
        "words": list(words),
        "n_reviews": n_reviews,
        "n_heads": len(next(iter(compared.values())).weights),
        "chosen": chosen,
        "size": size,
        "others": others,
        "largest": float(np.nanmax(full)),
    }
    return as_bytes(header, {"maps": maps.astype("<f4")})


def cheaper_maps(packed: bytes, *, on_choose: Callable[[], None], key: str) -> None:
    """Put the drawing on the page; `on_choose` is called once the session's entry of this key has another "variant":
    a name and the size of the window."""
    _mount(data=packed, key=key, on_variant_change=on_choose)
