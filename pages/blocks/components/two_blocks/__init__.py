"""The block of 2017 and another, part by part, and between them a switch for everything in which they can differ."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lab.kit.components import component

_mount = component("two_blocks", Path(__file__).parent)

# What stands in each slot, from the bottom up.
SLOTS = (
    "in",
    "norm before",
    "attention",
    "add",
    "norm after",
    "norm before",
    "feed-forward",
    "add",
    "norm after",
    "out",
)
ATTENTION, FEED_FORWARD, OUT = 2, 6, 9


class Part(NamedTuple):
    """One box of a block.

    slot     its place, from the bottom up
    label    its name; detail: its parameters
    by       the switches that make it what it is
    changed  whether it differs from the block of 2017
    heads    (query heads, key/value heads), to be drawn in it
    experts  (how many, how many of them work for a token)
    """

    slot: int
    label: str
    detail: str = ""
    by: tuple[str, ...] = ()
    changed: bool = False
    heads: tuple[int, int] | None = None
    experts: tuple[int, int] | None = None


class Card(NamedTuple):
    """One switch.

    name    the switch;  ways: what it was in 2017, and what it is or would be
    is_on   whether the block has that way
    costs   what it alone does to parameters, multiplications and cache, in words
    losses  of a training with it alone, by seed;  loss: what they come to, in words
    """

    name: str
    ways: tuple[str, str]
    is_on: bool
    costs: Sequence[str]
    losses: Sequence[float]
    loss: str


def payload(
    titles: tuple[str, str],
    blocks: tuple[Sequence[Part], Sequence[Part]],
    cards: Sequence[Card],
    seeds: Sequence[float],
) -> dict[str, Any]:
    """What the browser draws; `seeds` are the losses of the block of 2017."""
    return {
        "titles": list(titles),
        "blocks": [[part._asdict() for part in block] for block in blocks],
        "cards": [card._asdict() for card in cards],
        "seeds": list(seeds),
    }


def two_blocks(data: dict[str, Any], *, key: str, on_flip: Callable[[], None]) -> None:
    """Put them on the page; `on_flip` is called once the session's entry of this key names a switch as "flip"."""
    _mount(data=data, key=key, on_flip_change=on_flip)
