"""Links from when the views of this page stood behind three doors, a few behind each."""

import streamlit as st

# The parameter that named the view behind a door, and the view that was there at first; the first door was open.
DOORS = {"Watch": ("watch", "Threads"), "Try": ("try", "Change a word"), "Choose": ("choose", "Beam search")}
MERGED = ("Padding",)  # views that have become a part of another since


def follow(key: str) -> None:
    """Open the view that such a link asks for, where no view has been chosen since. key: of the switch."""
    link = st.query_params
    door = link.get(key, next(iter(DOORS)))
    behind = {parameter: link.pop(parameter, None) for parameter, _ in DOORS.values()}
    if door not in DOORS or st.session_state.get(key) is not None:
        return
    parameter, first = DOORS[door]
    if key in link or behind[parameter]:
        name = behind[parameter] or first
        if name in MERGED:
            link[key] = name  # the switch between views follows it to where it is now
        else:
            st.session_state[key] = name
