"""The link to what is on screen: a button that copies it, and its QR code, for a class to point its phones at."""

from pathlib import Path

import segno
import streamlit as st
from segno.encoder import DataOverflowError

from lab.kit.components import component, sent

MAX_LETTERS = 1200  # a code of more is too fine for a phone at the back of a classroom
_mount = component("share_link", Path(__file__).parent)


@st.fragment
def share_link(*, key: str) -> None:
    """Put it on the page. The browser says which address it has, and is sent that address's code."""
    address = sent(key, "address", str)
    _mount(data={"code": None if address is None else code(address)}, key=key, on_address_change=lambda: None)


def code(address: str) -> dict:
    """The QR code of an address: {"address", "size", "path"}, modules as one SVG path; no size if it is too long."""
    if len(address) > MAX_LETTERS:
        return {"address": address, "size": 0, "path": ""}
    try:
        matrix = segno.make_qr(address, error="l").matrix
    except (DataOverflowError, ValueError, UnicodeError):
        return {"address": address, "size": 0, "path": ""}
    dark = [f"M{x} {y}h1v1h-1z" for y, row in enumerate(matrix) for x, module in enumerate(row) if module]
    return {"address": address, "size": len(matrix), "path": "".join(dark)}
