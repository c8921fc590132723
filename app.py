"""The front door: names the pages and frames them. Imports nothing heavy, so that the frame is painted at once."""

import gc
import os
import sys
import threading
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from pages.shared import gate, memory
from pages.shared.catalogue import PAGES
from pages.shared.headers import Headers

# Many visitors share few cores: one thread each is faster for all. torch reads this when it is first loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")
memory.settle_allocator()

FRAME = Path(__file__).parent / "pages/shared"
BRAND = str(FRAME / "brand.svg")
BROKEN = """<p role="alert">Something went wrong on this page. The fault is ours, not yours, and it has been logged.
Reload the page; if it breaks again, <a href="{}" target="_self">open it without the settings of its link</a>.</p>"""
_settling = threading.Lock()
_modules = 0  # how many were loaded when last settled


def main() -> None:
    """One run for one visitor: the frame, and in it the page that the address names."""
    st.set_page_config(page_title="Attention Lab", page_icon=BRAND, layout="wide")
    st.logo(BRAND)
    st.html(FRAME / "frame.css")
    st.html(f"<script>{(FRAME / 'frame.js').read_text()}</script>", unsafe_allow_javascript=True)
    gate.show_line_in(st.empty())
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


def apologise(_: Exception) -> bool:
    """Say in our words that a page broke off, with a way back; True keeps Streamlit from saying it in its own.

    Streamlit has logged the exception before. Of its text nothing is shown: it was not written for visitors.
    """
    embedded = "?embed=true" if st.context.is_embedded else "?"  # the same page, and no other setting
    with st.container(key="notice-broken"):
        st.html(BROKEN.format(embedded))
    return True


# `streamlit run app.py` finds this and serves the script it names; why that is not this file is said there.
app = st.App("pages/shared/entry.py", middleware=[Middleware(Headers)], on_script_error=apologise)

if __name__ == "__main__":
    main()
