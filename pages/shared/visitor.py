"""Who is asking: a key for each visitor, which nobody else can guess."""

import secrets

import streamlit as st

_KEY = "_visitor"  # in st.session_state


def key() -> str:
    """This visitor's key."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = secrets.token_urlsafe(32)
    return st.session_state[_KEY]
