"""The components of this page, each under its key."""

import streamlit as st

from pages.attention.components.attention_steps import attention_steps as _attention_steps
from pages.attention.components.share_bars import guess_row as _guess_row
from pages.attention.components.share_bars import mix_values as _mix_values


def attention_steps(matrices: dict, stages: dict, labels: tuple[str, ...], code: list[dict], **more) -> None:
    """One attention, stage by stage, with its formula and its code; `on_edit` as the component has it."""
    _attention_steps(matrices, stages, labels, code, key="att_steps", **more)


def mix_values(weights: list[float], points: list[tuple[float, float]], axes: tuple[str, str]) -> None:
    """Values as points, and their mix by weights that can be dragged."""
    _mix_values(weights, points, axes, key="att_mix")


def guess_row(query: tuple[int, ...], keys: tuple[tuple[int, ...], ...], **more) -> None:
    """A query, its keys and a bar a key to guess with; see revealed()."""
    _guess_row(query, keys, key="att_guess", **more)


def revealed() -> tuple[float, ...] | None:
    """The guess that was just sent: shares of at least 0 that add up to 1, or None for whatever else came."""
    sent = (st.session_state.get("att_guess") or {}).get("reveal")
    if not isinstance(sent, list) or len(sent) != 3:
        return None
    if not all(isinstance(x, int | float) and 0 <= x <= 1 for x in sent) or abs(sum(sent) - 1) > 0.01:
        return None
    return tuple(float(x) for x in sent)
