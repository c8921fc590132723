"""The components of this page, each under its key."""

from pages.positions.components.position_clocks import clocks as _clocks
from pages.positions.components.word_shuffler import asked as _asked_order
from pages.positions.components.word_shuffler import shuffler as _shuffler


def clocks(packed: bytes) -> None:
    """Every pair of features as a clock hand, with sliders for the position and the offset."""
    _clocks(packed, key="pos_clocks")


def asked_order(n: int) -> tuple[int, ...]:
    """The order of n words that the permutation machine or the link asks for."""
    return _asked_order("pos_machine", n)


def shuffler(words: tuple[str, ...], order: tuple[int, ...], before, after, moved, *, same: float) -> None:
    """The permutation machine: each word's output as typed and in another order; `same` is the least that counts."""
    data = {"words": words, "order": order, "before": before, "after": after, "moved": moved}
    data = {name: value.tolist() if hasattr(value, "tolist") else list(value) for name, value in data.items()}
    _shuffler({**data, "same": same}, key="pos_machine")
