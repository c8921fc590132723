"""A short address for a lesson of one's own, and its QR code for a class."""

import re
from html import escape
from urllib.parse import urlencode, urljoin

import streamlit as st

from lab.kit import qr
from lab.kit.figures import display
from lab.kit.words import counted
from lab.server import visitor
from lab.server.environment import LESSON_DAYS
from lab.server.rooms.lessons import lessons
from lab.server.rooms.rooms import NoRoomError
from lab.server.rooms.shelf import AwayError

HELP = "The lesson is kept here for so long, and its address is short enough for a QR code. The file stays yours."
LOCAL_ONLY = (
    "Phones cannot open this address: it is this computer’s own. Open the app by the name or number that it has in your"
    " network."
)


def ask_short(text: bytes) -> str:
    """The short code of a lesson, once somebody asks for it, with its address on screen; "" before."""
    if not st.toggle(f"A short address, for {counted(LESSON_DAYS.read(), 'day')}", key="lesson_short", help=HELP):
        return ""
    try:
        code = lessons().keep(visitor.key(), text)
    except (NoRoomError, AwayError) as error:
        display.notice(str(error))
        return ""
    address = urljoin(st.context.url or "", f"lessons?{urlencode({'lesson': code})}")
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="lesson-address"):
        st.image(drawn(address), width=160, alt=f"QR code of {address}")
        local = f"<p>{escape(LOCAL_ONLY)}</p>" if is_local(address) else ""
        st.html(f'<p><a href="{escape(address)}">{escape(address)}</a></p>{local}')
    return code


def drawn(address: str) -> str:
    """The QR code of an address as SVG, dark on white in any theme."""
    found = qr.code(address)  # an address with a code is never too long for one
    size = found["size"] + 8
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 {size} {size}" shape-rendering="crispEdges">'
        f'<rect x="-4" y="-4" width="{size}" height="{size}" fill="#fff"/><path d="{found["path"]}" fill="#000"/></svg>'
    )


def is_local(address: str) -> bool:
    """Whether an address is of this computer alone."""
    return re.match(r"https?://(localhost|127\.|\[::1\])", address) is not None
