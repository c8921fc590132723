"""Which numbers a scene asks the server for, as it is entered."""

import re

import streamlit as st

from lab.kit.components import sent


def layer_of(key: str) -> int:
    """The layer whose units are looked into: as the scene with this key asks for it, or as a link leads into it; -1 for
    none. It may be one that the model does not have."""
    linked = re.match(r"(\d{1,3})\.f\b", st.query_params.get("front_place", ""))
    asked = sent(key, "layer", int)
    return asked if asked is not None else int(linked[1]) if linked else -1
