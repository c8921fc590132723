"""The area: what attention multiplies is a square of n x n, a recurrent layer's a strip of n x d; both to one scale.

The square's corner can be dragged and stays where it is let go; everything follows in the browser meanwhile. A button
doubles a page, doubles it again, and goes on to a novel.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from lab.kit.components import component, sent

_mount = component("area", Path(__file__).parent)


def dragged(key: str, options: Sequence[int]) -> int | None:
    """Where the corner was let go, if that is one of the options: what a browser sent can be anything."""
    size = sent(key, "n", int)
    return size if size in options else None


def area(
    n: int,
    d: int,
    n_heads: int,
    *,
    lengths: Sequence[int],
    stops: Sequence[int],
    texts: Mapping[str, int],
    on_drag: Callable[[], None],
    key: str,
) -> None:
    """Put it on the page; on_drag() is called when a hand gave another of the lengths.

    stops: lengths that keys go through and that draw a hand to them
    texts: how many words each has; everything is compared with a "page", and the button leads to a "novel"
    """
    sizes = {"lengths": list(lengths), "stops": list(stops), "page": texts["page"]}
    _mount(
        data={"n": n, "d": d, "heads": n_heads, "texts": [list(text) for text in texts.items()], **sizes},
        key=key,
        on_n_change=on_drag,
    )
