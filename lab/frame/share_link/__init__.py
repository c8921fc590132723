"""The link to what is on screen: a button that copies it, and its QR code, for a class to point its phones at."""

from pathlib import Path

import streamlit as st

from lab.kit import qr
from lab.kit.components import component, sent

_mount = component("share_link", Path(__file__).parent)


@st.fragment
def share_link(*, key: str) -> None:
    """Put it on the page. The browser says which address it has, and is sent that address's code."""
    address = sent(key, "address", str)
    _mount(data={"code": None if address is None else qr.code(address)}, key=key, on_address_change=lambda: None)
