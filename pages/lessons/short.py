"""A short address for a lesson of one's own, and its QR code for a class."""

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

HELP = "The lesson is kept here that long, and its address is short enough for a QR code. The file stays yours."


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
        st.html(qr.picture(address), width=160)
        local = f"<p>{escape(qr.LOCAL_ONLY)}</p>" if qr.is_local(address) else ""
        st.html(f'<p><a href="{escape(address)}">{escape(address)}</a></p>{local}')
    return code
