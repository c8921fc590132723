"""Pick the head that matters before any is ablated; then see how all of them rank."""

import re
from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import settings
from pages.heads.subject import Subject

SHOWN, PICK = "all heads at once", "pick one first"
_PICKED = "_heads_pick"  # in st.session_state: what was read, and the head that was picked there
_URL = "closer_pick"


class Pick(NamedTuple):
    """The head that was picked as the one that matters most; None before one is."""

    head: tuple[int, int] | None


def ask(s: Subject) -> Pick | None:
    """Whether a head is to be picked first, and which one was; None where all is shown at once."""
    mode = settings.choose(
        st.segmented_control, "Order", "closer_first", (SHOWN, PICK), SHOWN, label_visibility="collapsed", wrap=True
    )
    if mode == SHOWN:
        st.query_params.pop(_URL, None)
        return None
    head = _picked(s)
    if head is None:
        st.query_params.pop(_URL, None)
        st.markdown(
            "**Which head matters most for this text?** Look through the heads in the picture and open the one without"
            " which the result would change most."
        )
        st.button(
            f"I choose layer {s.layer}, head {s.head}", type="primary", on_click=_take, args=(s,), key="closer_take"
        )
    else:
        st.query_params[_URL] = f"{head[0]}-{head[1]}"
        st.button("Choose another", on_click=_forget, key="closer_again")
    return Pick(head)


def reply(pick: tuple[int, int], effects: np.ndarray) -> str:
    """What is said of a pick, in Markdown, once the effects (L, H) of all heads are known."""
    best = np.unravel_index(int(effects.argmax()), effects.shape)
    rank = 1 + int((effects > effects[pick]).sum())
    mine = f"You chose layer {pick[0]}, head {pick[1]}: **rank {rank} of {effects.size}**."
    moved = f"Without it the final vectors move by {effects[pick]:.2f} of their length"
    if rank == 1:
        return f"{mine} {moved}, more than without any other head."
    compared = f"{moved}; without layer {best[0]}, head {best[1]}, by {effects[best]:.2f}."
    if best[0] < pick[0]:
        why = "That one sits lower: every layer above reads what it wrote."
    elif best[0] > pick[0]:
        why = "That one sits higher: no later layer can make up for it."
    else:
        why = "Both sit in one layer, so they read the same vectors; what they pass on differs."
    return f"{mine} {compared} {why}"


def _picked(s: Subject) -> tuple[int, int] | None:
    """The pick of this session for this text and model, or that of the link; None where there is none."""
    if _PICKED not in st.session_state:
        found = re.fullmatch("([0-9]{1,2})-([0-9]{1,2})", st.query_params.get(_URL, ""), re.ASCII)
        st.session_state[_PICKED] = (s.reading, (int(found[1]), int(found[2]))) if found else None
    kept = st.session_state[_PICKED]
    if kept is None or kept[0] != s.reading:
        return None
    source = s.reading.ref.resolve()
    layer, head = kept[1]
    return kept[1] if layer < source.n_layers and head < source.config.n_heads else None


def _take(s: Subject) -> None:
    st.session_state[_PICKED] = (s.reading, (s.layer, s.head))


def _forget() -> None:
    st.session_state[_PICKED] = None
    st.query_params.pop(_URL, None)
