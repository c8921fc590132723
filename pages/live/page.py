"""How is attention learned? Train a small Transformer on a task, and watch every head find out where to look."""

from pages.live import draw_first, film_notes, keep_model, longer_texts, stage, vectors
from pages.shared import display
from pages.shared.view import heading, render

heading(
    "live",
    "The outlined cells are where the answer comes from. Nobody tells the model: watch its"
    " :violet[**attention weights**] find them.",
)
with display.loading(480):
    import transformer.training.checkpoints  # noqa: F401  every training needs it, and torch
stage.stage()
render(
    [film_notes.VIEW, draw_first.VIEW, keep_model.VIEW],
    "live_below",
    deeper=[vectors.VIEW, longer_texts.VIEW],
    label="Below the film",
)
