"""The front door: names the pages and frames them. Imports nothing heavy, so that the frame is painted at once."""

import gc
import os
import sys
import threading
from pathlib import Path

import streamlit as st

from pages.shared import visitor
from pages.shared.catalogue import PAGES

# Many visitors share few cores: one thread each is faster for all. torch reads this when it is first loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

FRAME = Path(__file__).parent / "pages/shared"
BRAND = str(FRAME / "brand.svg")
_settling = threading.Lock()
_modules = 0  # how many were loaded when last settled


def main() -> None:
    """One run for one visitor: the frame, and in it the page that the address names."""
    visitor.key()
    st.set_page_config(page_title="Attention Lab", page_icon=BRAND, layout="wide")
    st.logo(BRAND)
    st.html(FRAME / "frame.css")
    st.html(f"<script>{(FRAME / 'frame.js').read_text()}</script>", unsafe_allow_javascript=True)
    sections: dict[str, list] = {}
    for page in PAGES:
        entry = st.Page(page.script, title=page.title, url_path=page.url or None, default=not page.url, help=page.help)
        sections.setdefault(page.section, []).append(entry)
    st.navigation(sections, position="top").run()
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
app = st.App("pages/shared/entry.py", middleware=visitor.MIDDLEWARE)

if __name__ == "__main__":
    main()
