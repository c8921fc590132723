"""Presentation mode: the figure, one sentence and the controls in use, large enough for the last row of a class.

The browser does nearly all of it (present.js, present.css). The server is told by the button of the frame, which the
key P presses as well, because two things are its own: the views there are to go through, and how tall a figure is.
`?present=1` opens a page in this mode. It lasts until it is left, through reruns, other pages and a reload of the tab.
"""

from collections.abc import Sequence

import streamlit as st

TALLEST = 330  # pixels of a figure before it is enlarged: with a sentence and two rows of controls it fills 720
PARAMETER = "present"  # in links
_ON = "_kept_presenting"  # in st.session_state


def is_on() -> bool:
    """Whether this visitor presents."""
    if _ON not in st.session_state:
        st.session_state[_ON] = st.query_params.get(PARAMETER) == "1"
    return bool(st.session_state[_ON])


def button() -> None:
    """The tool of the frame that enters the mode, or leaves it."""
    st.button(
        "Leave the presentation" if is_on() else "Present",
        icon=":material/present_to_all:",
        type="tertiary",
        help="Large type for a class: the figure, its question and its controls. Key: P",
        key="present-leave" if is_on() else "present",
        on_click=_turn,
    )


def _turn() -> None:
    st.session_state[_ON] = not is_on()
    st.query_params.pop(PARAMETER, None)


def views(names: Sequence[str], now: str, key: str) -> None:
    """What the arrow keys press while someone presents: the way to the views before and after this one, by name.

    key  under which the open view stands in the session
    """
    if not is_on():
        return
    at = names.index(now)
    with st.container(key="present-views"):
        for way, name in (("back", names[at - 1] if at else ""), ("forward", next(iter(names[at + 1 :]), ""))):
            if name:
                st.button(name, key=f"present-{way}", on_click=st.session_state.__setitem__, args=(key, name))
