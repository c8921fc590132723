"""The page of generation: one view at a time."""

import streamlit as st

from pages.kit import show
from pages.kit.controls import choose
from pages.kit.views.generation.cache import cache
from pages.kit.views.generation.logits import logits
from pages.kit.views.generation.mask import without_mask
from pages.kit.views.generation.words import choose_next

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
    show.notice(*say)
    VIEWS[name]()
