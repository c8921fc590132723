"""A hundred chips on what comes next: piles that one bets with, and trays that show who keeps how many of theirs."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from lab.kit.components import component

_mount = component("wager", Path(__file__).parent)
CHIPS = 100


class Player(NamedTuple):
    """One of those who bet.

    key    by which the page knows this player;  name: on screen
    knows  what this player goes by;  chips: the bet on this word, None before it is shown
    kept   chips kept in each round that is summed
    """

    key: str
    name: str
    knows: str
    chips: Sequence[int] | None
    kept: Sequence[int]


def wager(
    story: str,
    names: Sequence[str],
    *,
    key: str,
    round: str,
    players: Sequence[Player],
    outcome: int | None = None,
    truth: str | None = None,
    next: str = "",
    on_bet: Callable[[], None] = lambda: None,
    on_next: Callable[[], None] = lambda: None,
) -> None:
    """Show a story, a column for each thing that may come next, and a hundred chips to lay there; `received_bet`
    reads the chips that are sent, and `round` tells apart what they were put on.

    Once revealed: which of the names it was, the word itself, the chips of all players, and what `next` leads to.
    """
    _mount(
        data={
            "story": story,
            "names": list(names),
            "round": round,
            "players": [
                {
                    "key": player.key,
                    "name": player.name,
                    "knows": player.knows,
                    "chips": None if player.chips is None else list(player.chips),
                    "kept": list(player.kept),
                }
                for player in players
            ],
            "outcome": outcome,
            "truth": truth,
            "next": next,
        },
        key=key,
        on_bet_change=on_bet,
        on_next_change=on_next,
    )


def received_bet(key: str, round: str, n: int) -> tuple[int, ...] | None:
    """The bet on n things that was just sent in this round; None for anything that is none."""
    message = (st.session_state.get(key) or {}).get("bet")
    if not isinstance(message, dict) or message.get("round") != round:
        return None
    return checked_bet(message.get("chips"), n)


def checked_bet(chips: object, n: int) -> tuple[int, ...] | None:
    """A bet on n things: whole numbers of at least 1 that add up to CHIPS; None for anything else."""
    if not isinstance(chips, list) or len(chips) != n:
        return None
    if not all(isinstance(chip, int) and not isinstance(chip, bool) and 1 <= chip <= CHIPS for chip in chips):
        return None
    return tuple(chips) if sum(chips) == CHIPS else None
