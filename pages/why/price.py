"""What attention costs, counted in operations and bytes, or timed on a machine."""

from typing import Any

import streamlit as st

from pages.shared import settings, view
from pages.why import cost, measure

BY, TIMED = "why_by", measure.VIEW.name
WAYS: dict[str, view.View[Any, Any]] = {one.name: one for one in (cost.VIEW, measure.VIEW)}


def draw(s: tuple[()], result: None) -> None:
    row = view.places()["row"]
    with row:
        name = settings.choose(
            st.segmented_control, "Cost", BY, tuple(WAYS), cost.VIEW.name, label_visibility="collapsed",
        )  # fmt: skip
    view.show(WAYS[name], places={"row": row})


VIEW = view.View(
    "What does it cost?", ask=lambda: (), compute=lambda s: None, draw=draw,
    lede="Attention fills a square, n × n; a recurrent layer a rectangle, n × d. Drag their corner: which of them is"
    " larger?",
)  # fmt: skip
