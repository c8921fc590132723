"""The area: what attention multiplies is a square of n x n, a recurrent layer's a strip of n x d; both to one scale.

A button walks through texts that people know. The sides can be dragged: while they are, everything follows in the
browser; let go, the nearest size that can be chosen comes back.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from lab.kit.components import component, sent

_mount = component("area", Path(__file__).parent)
SIDES = ("n", "d")


def dragged(key: str, side: str, options: Sequence[int]) -> int | None:
    """Where a side was let go, if that is one of the options: what a browser sent can be anything."""
    size = sent(key, side, int)
    return size if size in options else None


def area(
    n: int,
    d: int,
    n_heads: int,
    *,
    lengths: Sequence[int],
    widths: Sequence[int],
    texts: Mapping[str, int],
    on_drag: Callable[[str], None],
    key: str,
) -> None:
    """Put it on the page; on_drag("n") or on_drag("d") is called when that side was changed. texts: how many words
    each has, the shortest first."""
    callbacks = {f"on_{side}_change": lambda side=side: on_drag(side) for side in SIDES}
    sizes = {"lengths": list(lengths), "widths": list(widths), "texts": [list(text) for text in texts.items()]}
    data = {"n": n, "d": d, "heads": n_heads, **sizes}
    _mount(data=data, key=key, **callbacks)
