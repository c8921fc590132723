"""The front door: names the pages and frames them. Imports nothing heavy, so that the frame is painted at once."""

from pathlib import Path

import streamlit as st

PAGES = Path(__file__).parent / "pages"
BRAND = str(PAGES / "kit/brand.svg")


def main() -> None:
    """One run for one visitor: the frame, and in it the page that the address names."""
    st.set_page_config(page_title="Attention Lab", page_icon=BRAND, layout="wide")
    st.logo(BRAND)
    st.html(PAGES / "kit/frame.css")
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
                PAGES / "concepts/heads.py",
                title="Heads",
                url_path="heads",
                help="Type a sentence and see where every word looks, in every head of a Transformer.",
            ),
        ],
    }
    st.navigation(pages, position="top").run()


# `streamlit run app.py` finds this and serves the script it names; why that is not this file is said there.
app = st.App("pages/kit/door.py")

if __name__ == "__main__":
    main()
