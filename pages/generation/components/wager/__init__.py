"""A hundred percent on what comes next: bars that one pulls, the surprise that hangs below them, and the model's."""

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from lab.kit.components import component
from transformer.inspection import log_score

_mount = component("wager", Path(__file__).parent)
WHOLE = 100


def wager(
    story: str,
    names: Sequence[str],
    *,
    key: str,
    round: str,
    so_far: tuple[int, float, float],
    percent: Sequence[int] | None = None,
    model: Sequence[float] | None = None,
    outcome: int | None = None,
    truth: str | None = None,
    next: str = "",
    on_bet: Callable[[], None] = lambda: None,
    on_next: Callable[[], None] = lambda: None,
) -> None:
    """Show a story and a bar for each thing that may come next; `received_bet` reads the shares that are sent, and
    `round` tells apart what they were put on. so_far: words that were bet on, and what they cost the reader and the
    model, in bits.

    Once revealed: the shares of the reader, if there are any, and of the model, which of the names it was, the word
    itself, and what `next` leads to.
    """
    _mount(
        data={
            "story": story,
            "names": list(names),
            "round": round,
            "so_far": list(so_far),
            "percent": list(percent) if percent else None,
            "model": list(model) if model else None,
            "outcome": outcome,
            "truth": truth,
            "next": next,
            "close": log_score.CLOSE,
            "sure": log_score.SURE,
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
    return checked_bet(message.get("percent"), n)


def checked_bet(percent: object, n: int) -> tuple[int, ...] | None:
    """A bet on n things: whole numbers of at least 1 that add up to WHOLE; None for anything else."""
    if not isinstance(percent, list) or len(percent) != n:
        return None
    if not all(isinstance(x, int) and not isinstance(x, bool) and 1 <= x <= WHOLE for x in percent):
        return None
    return tuple(percent) if sum(percent) == WHOLE else None
