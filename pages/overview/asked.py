"""Which numbers a scene opens with, where a link leads into it; what it asks for later, units_feed answers."""

import re

import streamlit as st


def linked_layer() -> int:
    """The layer whose units a link looks into; -1 for none. It may be one that the model does not have."""
    linked = re.match(r"(\d{1,3})\.f\b", st.query_params.get("front_place", ""))
    return int(linked[1]) if linked else -1
