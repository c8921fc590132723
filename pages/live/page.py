"""How is attention learned? Train a small Transformer on a task, and watch every head find out where to look."""

from lab.kit.page import MODELS, Page, Tab

PAGE = Page(
    "live",
    prefix="live_",
    title="Live",
    question="How is attention learned?",
    help="Train a small Transformer, and watch every head find out where to look.",
    lede="Nobody tells a head where to look: watch its :violet[**attention weights**] find out.",
    section=MODELS,
    learned="what training changes: the parameters, a little with every step, so that the right answer gets"
    " likelier. Nobody tells a head where to look; it finds out.",
    switch="live_below",
    views=(
        Tab(
            "film_notes",
            "What you see",
            "What does the film show? Does it work on longer texts? How do I keep this model, and use it elsewhere?",
        ),
    ),
)

if __name__ == "__main__":
    import streamlit as st

    from lab.kit.figures import display
    from lab.kit.view import heading, render

    head = heading(PAGE)
    with display.loading(480):
        import transformer.training.checkpoints  # noqa: F401  every training needs it, and torch
    from pages.live import stage

    with st.container(key="live-stage"):
        watched = stage.stage()
    head.lede.markdown(watched)
    render(PAGE, head=head, label="Below the film")
