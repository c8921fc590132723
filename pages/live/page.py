"""How is attention learned? Train a small Transformer on a task, and watch every head find out where to look."""

from pathlib import Path

import streamlit as st

from lab.kit.figures import display
from lab.kit.view import heading, render
from pages.live import film_notes, keep_model, stage

st.html(Path(__file__).with_name("page.css"))
lede = heading("live", "Nobody tells a head where to look: watch its :violet[**attention weights**] find out.")
with display.loading(480):
    import transformer.training.checkpoints  # noqa: F401  every training needs it, and torch
lede.markdown(stage.stage())
render([film_notes.VIEW, keep_model.VIEW], "live_below", label="Below the film")
