"""A hundred chips on what comes next: a bar per word, which always add up to a hundred."""

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from lab.kit.components import component

_mount = component("wager", Path(__file__).parent)
CHIPS = 100


def wager(
    story: str,
    names: Sequence[str],
    *,
    key: str,
    bet: Sequence[int] | None = None,
    model: Sequence[float] | None = None,
    outcome: int | None = None,
    on_bet: Callable[[], None] = lambda: None,
) -> None:
    """Show a story and a bar for each thing that may come next. Reveal sends the chips; `received_bet` reads them.

    Once revealed: `bet` as it was made, the shares of the model, and which of the names it was.
    """
    _mount(
        data={
            "story": story,
            "names": list(names),
            "bet": None if bet is None else list(bet),
            "model": None if model is None else list(model),
            "outcome": outcome,
        },
        key=key,
        on_bet_change=on_bet,
    )


def received_bet(key: str, n: int) -> tuple[int, ...] | None:
    """The bet that was just sent, on n things; None for anything that is none."""
    return checked_bet((st.session_state.get(key) or {}).get("bet"), n)


def checked_bet(chips: object, n: int) -> tuple[int, ...] | None:
    """A bet on n things: whole numbers of at least 1 that add up to CHIPS; None for anything else."""
    if not isinstance(chips, list) or len(chips) != n:
        return None
    if not all(isinstance(chip, int) and not isinstance(chip, bool) and 1 <= chip <= CHIPS for chip in chips):
        return None
    return tuple(chips) if sum(chips) == CHIPS else None
