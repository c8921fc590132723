"""The parts in which a block of today differs from that of 2017, on two tracks: the stream runs through those in use.

Each part is exchanged where it stands; what the block on the track costs, and what it does to the loss, stands below.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lab.kit.components import component

_mount = component("two_blocks", Path(__file__).parent)
ALL_OF_2017, ALL_OF_TODAY = "2017", "today"  # what the ends of the tracks say when they are pressed


class Card(NamedTuple):
    """One part that can be exchanged.

    name    the switch;  title: what it is a part of, in a word or two
    ways    how it was built in 2017, and how it is or would be;  notes: each of them in a few words
    kinds   both ways as the drawings call them
    is_on   whether the block has the second way
    costs   what it alone does to parameters, multiplications and cache, in words
    losses  of a training with it alone, by seed;  loss: what they come to, in words;  is_clear: whether they differ
            from those of 2017's block by more than seeds do
    """

    name: str
    title: str
    ways: tuple[str, str]
    notes: tuple[str, str]
    kinds: tuple[str, str]
    is_on: bool
    costs: Sequence[str]
    losses: Sequence[float]
    loss: str
    is_clear: bool


class Effect(NamedTuple):
    """One number of a block: what it is called, of 2017's block, of the one on the track, and by how much it grew."""

    name: str
    old: float
    new: float
    unit: str
    growth: str


def payload(
    title: str,
    cards: Sequence[Card],
    effects: Sequence[Effect],
    seeds: Sequence[float],
    losses: Sequence[float] | None,
    of_today: Sequence[float],
    *,
    trained_width: int,
    counted_width: int,
) -> dict[str, Any]:
    """What the browser draws.

    title   of the block on the track
    seeds   the losses of the block of 2017;  of_today: of that of today
    losses  of the one on the track, None where it was not trained;  trained_width: of all that were
    counted_width  of the block whose costs are counted
    """
    all_losses = [*seeds, *of_today, *(loss for card in cards for loss in card.losses)]
    return {
        "title": title,
        "cards": [card._asdict() for card in cards],
        "effects": [effect._asdict() for effect in effects],
        "trained_width": trained_width,
        "counted_width": counted_width,
        "range": [min(all_losses), max(all_losses)],
        "seeds": list(seeds),
        "losses": None if losses is None else list(losses),
    }


def two_blocks(data: dict[str, Any], *, key: str, on_flip: Callable[[], None]) -> None:
    """Put them on the page; `on_flip` is called once the session's entry of this key names a switch as "flip", or one
    of both ends of the tracks."""
    _mount(data=data, key=key, on_flip_change=on_flip)
