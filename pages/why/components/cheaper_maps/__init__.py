"""What a cheaper attention cannot see: arcs over a sentence, below a small map of each way with its price
and its loss."""

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

    group     the heading that it stands below
    gloss     its name in plain words
    subject   of the sentence that says what it takes and what it loses
    loses     the verb of that: what it does to the weight that full attention sends elsewhere
    sentence  how it works
    """

    group: str
    gloss: str
    subject: str
    loses: str
    sentence: str
    of: str
    share: float


def pack(
    compared: Mapping[str, Compared], ways: Mapping[str, Way], words: Sequence[str], head: int, chosen: str, press: int
) -> bytes:
    """The bytes that the browser draws: of every variant the weights of one head; full attention is the first.

    words  of the text that is read; none where q, k and v are random
    press  the number of the last press that has been heard of
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
        "words": list(words),
        "head": head,
        "n_heads": len(next(iter(compared.values())).weights),
        "chosen": chosen,
        "press": press,
        "largest": float(np.nanmax(full)),
    }
    return as_bytes(header, {"maps": maps.astype("<f4")})


def cheaper_maps(packed: bytes, *, on_choose: Callable[[], None], key: str) -> None:
    """Put the maps on the page; `on_choose` is called once the session's entry of this key has another "variant":
    a name and the number of the press."""
    _mount(data=packed, key=key, on_variant_change=on_choose)
