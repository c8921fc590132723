"""The page of generation: one view at a time."""

import streamlit as st

from pages.generation.cache import cache
from pages.generation.logits import logits
from pages.generation.next_word import choose_next
from pages.generation.without_mask import without_mask
from pages.shared import display
from pages.shared.controls import choose

VIEWS = {
    "Choose the next word": choose_next,
    "The cache": cache,
    "From vector to logits": logits,
    "Without the mask": without_mask,
}


def page() -> None:
    """The choice of a view, and the one that is open."""
    say: list[str] = []
    name = choose(st.segmented_control, "View", "gen_view", VIEWS, next(iter(VIEWS)), say, label_visibility="collapsed")
    display.notice(*say)
    VIEWS[name]()
