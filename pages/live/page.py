"""How is attention learned? Train a small Transformer on a task, and watch every head find out where to look."""

from pages.live import film_notes, keep_model, longer_texts, stage, vectors
from pages.shared import display
from pages.shared.view import heading, render

heading(
    "live",
    "The model is only asked for the right token. Watch its :violet[**attention weights**] find, step by step, "
    "the places that the answer is made from: the outlined cells, which it is never shown.",
)
with display.loading(480):
    import transformer.training.checkpoints  # noqa: F401  every training needs it, and torch
stage.stage()
render([film_notes.VIEW, vectors.VIEW, longer_texts.VIEW, keep_model.VIEW], "live_below", label="Below the film")
