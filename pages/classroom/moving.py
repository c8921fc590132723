"""A class goes on in another browser: the link that takes it there, once, and what stands on the page that it opens.

Nothing happens when the link is opened, only when somebody there presses the button: a program that looks at the links
of a mail moves no class. The key leaves the address as soon as it is read, so that Share hands it to nobody.
"""

import re
from urllib.parse import urlencode, urljoin

import streamlit as st

from lab.kit.figures import display
from lab.server import visitor
from lab.server.rooms import rooms
from lab.server.rooms.rooms import LETTERS, MOVES_NOTHING, N_LETTERS, Room
from lab.server.rooms.shelf import AwayError

PARAMETER = "class_take"  # in the link: the code of the room, "-", and the key
_BROUGHT, _MADE = "_classroom_brought", "_classroom_made"  # in st.session_state
_SHAPE = re.compile(rf"([{LETTERS}]{{{N_LETTERS}}})-([A-Za-z0-9_-]{{43}})")


def ask() -> None:
    """On the page that such a link opens: whether to go on here."""
    if PARAMETER in st.query_params:
        st.session_state[_BROUGHT] = st.query_params.pop(PARAMETER)
    brought = st.session_state.get(_BROUGHT)
    if brought is None:
        return
    match = _SHAPE.fullmatch(brought)
    if match is None:
        del st.session_state[_BROUGHT]
        display.notice(MOVES_NOTHING)
        return
    with st.container(horizontal=True, vertical_alignment="center", key="class-take"):
        st.button("Go on with it here", key="class-take-it", type="primary", on_click=_take, args=match.groups())
        st.markdown(f"Class **{match[1]}** is open in another browser, which then lets go of it. Phones stay.")


def _take(code: str, moving: str) -> None:
    try:
        told = rooms().move(code, moving, visitor.key())
    except AwayError as away:
        told = str(away)
    else:
        del st.session_state[_BROUGHT]
    if told:
        st.session_state[_MADE] = told


def tell() -> None:
    """Why a class was not moved, if it was not."""
    told = st.session_state.get(_MADE)
    if isinstance(told, str):
        del st.session_state[_MADE]
        display.notice(told)


def offer(room: Room) -> None:
    """On the page of an open class: the link, for who asks for it."""
    with st.popover("Another computer", type="tertiary", key="class-move"):
        st.markdown(
            "A link moves this class to the browser that opens it, once, with its phones and its answers. Whoever has"
            " it can take the class: send it to yourself, and keep it off the projector."
        )
        if room.state.moves:
            made = st.session_state.get(_MADE)
            if isinstance(made, tuple) and made[0] == room.code and rooms().is_moved_by(room, made[1]):
                address = urljoin(st.context.url or "", f"classroom?{urlencode({PARAMETER: '-'.join(made)})}")
                st.code(address, language=None, wrap_lines=True)
            else:
                st.markdown("There is a link. It was shown once, and only its hash is kept.")
        with st.container(horizontal=True, key="class-move-ways"):
            label = "Make another link" if room.state.moves else "Make the link"
            st.button(label, key="class-move-make", on_click=_make, args=(room,))
            if room.state.moves:
                st.button("Withdraw it", key="class-move-withdraw", on_click=_withdraw, args=(room,))


def _make(room: Room) -> None:
    try:
        if moving := rooms().movable(room):  # otherwise it is another browser's by now, or over
            st.session_state[_MADE] = (room.code, moving)
    except AwayError as away:
        st.session_state[_MADE] = str(away)


def _withdraw(room: Room) -> None:
    st.session_state.pop(_MADE, None)
    try:
        rooms().immovable(room)
    except AwayError as away:
        st.session_state[_MADE] = str(away)
