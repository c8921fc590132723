"""The pages of the app, declared once: navigation, front-page doors, links between pages and tests read this list."""

from pathlib import Path
from typing import NamedTuple

_PAGES_FOLDER = Path(__file__).parents[1]


class Page(NamedTuple):
    """One page of the app.

    url       its path in the address, "" for the front page; also the name of its folder
    section   the heading of the menu that lists it, "" for none
    title     its name in the navigation
    door      its name on the front page
    question  the question that it answers
    help      what a visitor finds there, in one sentence
    """

    url: str
    section: str
    title: str
    door: str
    question: str
    help: str

    @property
    def script(self) -> Path:
        """The script that Streamlit runs for this page."""
        return _PAGES_FOLDER / (self.url or "overview") / "page.py"


PAGES = (
    Page(
        "", "", "Attention Lab", "Attention Lab", "See where a Transformer looks",
        "What Attention Lab is, one finished picture, and the map of a Transformer.",
    ),
    Page(
        "embeddings", "Concepts", "Embeddings", "Embeddings", "How does a word become numbers?",
        "Cut a text into tokens, watch byte pairs merge, and see an id pick its row of the table.",
    ),
    Page(
        "positions", "Concepts", "Positions", "Positions", "How does it know the order?",
        "Shuffle the words, watch the waves and clocks, and compare every way to tell a model the order.",
    ),
    Page(
        "attention", "Concepts", "Attention", "Attention", "How is one attention weight made?",
        "Scaled dot-product attention, one step at a time, on numbers that you can change.",
    ),
    Page(
        "heads", "Concepts", "Heads", "Heads", "Where does each word look?",
        "Type a sentence and see where every word looks, in every head of a Transformer.",
    ),
    Page(
        "masks", "Concepts", "Masks", "Masks", "Who may look at whom?",
        "Paint who may look at whom, find the leaks, and see what padding and blocked rows do.",
    ),
    Page(
        "blocks", "Concepts", "Blocks", "Blocks", "What happens inside one layer?",
        "Open one layer: its parts, the stream that runs through it, and what breaks without them.",
    ),
    Page(
        "why", "Concepts", "Why attention?", "Why", "Why look at everything at once?",
        "One step from any word to any other: what others need for that, and what attention costs.",
    ),
    Page(
        "live", "Training", "Live", "Live", "How is attention learned?",
        "Train a small Transformer, and watch every head find out where to look.",
    ),
    Page(
        "translation", "Models", "Translation", "Translation", "How does a Transformer translate?",
        "Type an English sentence and watch it become French: threads, steps, beams, and plugs to pull.",
    ),
    Page(
        "generation", "Models", "Generation", "Generation", "What comes next?",
        "Choose the next word, right or wrong, and see the probabilities, the draw and the branches.",
    ),
    Page(
        "pretrained", "Models", "Pretrained", "Pretrained", "What do the heads of real models do?",
        "Bring BERT, GPT-2, Llama or a model of your own, and see all of its heads on any text.",
    ),
    Page(
        "words", "Learn", "Words", "Words", "What does this word mean?",
        "Every word of the field in one sentence and one picture, with the names that other sources use.",
    ),
)  # fmt: skip


def page(url: str) -> Page:
    """The page at this path. Raises LookupError for a path that no page has."""
    for entry in PAGES:
        if entry.url == url:
            return entry
    raise LookupError(f"there is no page at /{url}")
