"""The front door: names the pages and frames them. Imports nothing heavy, so that the frame is painted at once."""

import gc
import sys
import threading
from pathlib import Path

import streamlit as st

PAGES = Path(__file__).parent / "pages"
BRAND = str(PAGES / "kit/brand.svg")
_settling = threading.Lock()
_modules = 0  # how many were loaded when last settled


def main() -> None:
    """One run for one visitor: the frame, and in it the page that the address names."""
    st.set_page_config(page_title="Attention Lab", page_icon=BRAND, layout="wide")
    st.logo(BRAND)
    st.html(PAGES / "kit/frame.css")
    st.html(f"<script>{(PAGES / 'kit/frame.js').read_text()}</script>", unsafe_allow_javascript=True)
    pages = {
        "": [
            st.Page(
                PAGES / "concepts/overview.py",
                title="Attention Lab",
                default=True,
                help="What Attention Lab is, one finished picture, and the map of a Transformer.",
            ),
        ],
        "Concepts": [
            st.Page(
                PAGES / "concepts/embeddings.py",
                title="Embeddings",
                url_path="embeddings",
                help="Cut a text into tokens, watch byte pairs merge, and see an id pick its row of the table.",
            ),
            st.Page(
                PAGES / "concepts/positions.py",
                title="Positions",
                url_path="positions",
                help="Shuffle the words, watch the waves and clocks, and compare every way to tell a model the order.",
            ),
            st.Page(
                PAGES / "concepts/attention.py",
                title="Attention",
                url_path="attention",
                help="Scaled dot-product attention, one step at a time, on numbers that you can change.",
            ),
            st.Page(
                PAGES / "concepts/heads.py",
                title="Heads",
                url_path="heads",
                help="Type a sentence and see where every word looks, in every head of a Transformer.",
            ),
            st.Page(
                PAGES / "concepts/masks.py",
                title="Masks",
                url_path="masks",
                help="Paint who may look at whom, find the leaks, and see what padding and blocked rows do.",
            ),
            st.Page(
                PAGES / "concepts/blocks.py",
                title="Blocks",
                url_path="blocks",
                help="Open one layer: its parts, the stream that runs through it, and what breaks without them.",
            ),
            st.Page(
                PAGES / "concepts/why.py",
                title="Why attention?",
                url_path="why",
                help="One step from any word to any other: what others need for that, and what attention costs.",
            ),
        ],
        "Training": [
            st.Page(
                PAGES / "training/live.py",
                title="Live",
                url_path="live",
                help="Train a small Transformer, and watch every head find out where to look.",
            ),
        ],
        "Models": [
            st.Page(
                PAGES / "models/translation.py",
                title="Translation",
                url_path="translation",
                help="Type an English sentence and watch it become French: threads, steps, beams, and plugs to pull.",
            ),
            st.Page(
                PAGES / "models/generation.py",
                title="Generation",
                url_path="generation",
                help="Choose the next word, right or wrong, and see the probabilities, the draw and the branches.",
            ),
        ],
    }
    st.navigation(pages, position="top").run()
    settle()


def settle() -> None:
    """Take what was loaded for good out of the garbage collector's rounds.

    Streamlit collects after every run of a script, and torch leaves some 250,000 objects to walk through: over 100 ms a
    run, with the interpreter locked for everybody. So whenever many modules have come in, what is alive is set aside.
    """
    global _modules
    with _settling:
        if len(sys.modules) > _modules + 50:
            _modules = len(sys.modules)
            gc.collect()
            gc.freeze()


# `streamlit run app.py` finds this and serves the script it names; why that is not this file is said there.
app = st.App("pages/kit/door.py")

if __name__ == "__main__":
    main()
