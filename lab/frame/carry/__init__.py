"""Tells the server which head is in view when a page is left, so that the next one can open on it.

While a page is open, heads are looked through in the browser, without a message to the server. A link that is followed
is the one moment when the server has to know; what is told then goes to the next page together with the visitor.
"""

from pathlib import Path

import streamlit as st

from lab.kit import carried
from lab.kit.components import component

KEY = "carry"  # in st.session_state
_mount = component("carry", Path(__file__).parent)


@st.fragment
def carry() -> None:
    """Put it on the page, where it takes no room. What it tells is in the session, as `head`."""
    _mount(data={"kept": carried.has_head()}, key=KEY, on_head_change=lambda: None, width="content")
