"""The other ways to tell a model the positions: all side by side, or one at a time in the same place."""

from typing import Any

import streamlit as st

from pages.positions import alibi, learned, rotary, side_by_side, t5
from pages.shared import settings, view

SCHEMES: dict[str, view.View[Any, Any]] = {
    one.name: one for one in (side_by_side.VIEW, learned.VIEW, rotary.VIEW, t5.VIEW, alibi.VIEW)
}


def draw(s: tuple[()], result: None) -> None:
    row = view.places()["row"]
    with row:
        name = settings.choose(
            st.segmented_control, "Scheme", "pos_scheme", tuple(SCHEMES), side_by_side.VIEW.name,
            label_visibility="collapsed", wrap=True,
        )  # fmt: skip
    view.show(SCHEMES[name], places={"row": row})


VIEW = view.View(
    "Other ways", ask=lambda: (), compute=lambda s: None, draw=draw, question="What other ways are there?",
    lede="Six ways to tell a model where a word stands, and the pattern that each leaves in its attention; the first"
    " tells nothing.",
)  # fmt: skip
