"""The front door: names the pages and frames them. Imports nothing heavy, so that the frame is painted at once."""

import asyncio
import gc
import os
import sys
import threading
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import streamlit as st
from starlette.middleware import Middleware

from lab.frame import links, old_links, resetting
from lab.frame.foot import declare_checks, turn_page
from lab.frame.lessons import lead
from lab.frame.search import search
from lab.frame.share_link import share_link
from lab.kit import catalogue, compare, presenting
from lab.kit.catalogue import PAGES
from lab.server import gate, incoming, memory, trainings, visitor
from lab.server.headers import Headers
from pages.challenges import bar

# Many visitors share few cores: one thread each is faster for all. torch reads this when it is first loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")
memory.settle_allocator()

LAB = Path(__file__).parent / "lab"
FRAME = LAB / "frame"
BRAND = f"data:image/svg+xml;base64,{b64encode((FRAME / 'brand.svg').read_bytes()).decode()}"
STYLES = (
    "frame.css",
    "../kit/teaching.css",
    "progress.css",
    "lessons/lesson.css",
    "words.css",
    "present.css",
    "print.css",
)
SCRIPTS = ("frame.js", "../kit/teaching.js", "progress.js", "lessons/lesson.js", "present.js")
STYLE = f"<style>{''.join((FRAME / name).read_text() for name in STYLES)}</style>"
SCRIPT = f"<script>{''.join((FRAME / name).read_text() for name in SCRIPTS)}</script>"
# The menu of pages says which of its sections the page is in; it has no hook for that.
MARK_SECTION = """<style>[data-testid="stTopNav"] .rc-overflow-item:nth-child({n}) :is(a, button) {{
  font-weight: 700; text-decoration: underline 2px; text-underline-offset: 0.45em; }}</style>"""
IDLE = 3.0  # seconds after the start
HEAVY = ("transformer.inspection.run",)  # torch
# In a page of somebody else's (?embed=true) stands the view and nothing of the frame, and the way to the whole of it;
# frame.js gives that link the settings that are on screen.
EMBEDDED = """<style>[data-testid="stHeader"], .st-key-tools, .st-key-heading, [class*="st-key-switch-"] {
    display: none !important; }
  [data-testid="stMainBlockContainer"] { padding-block: 0.6rem !important; }</style>"""
OPEN = """<p class="open-in-lab"><a href="/{}" target="_blank" rel="noopener">Open in Attention Lab</a></p>"""
BROKEN = """<p role="alert">Something went wrong on this page. The fault is ours, not yours, and it has been logged.
Reload the page; if it breaks again, <a href="{}" target="_self">open it without the settings of its link</a>.</p>"""
_visited = threading.Event()
_settling = threading.Lock()
_modules = 0  # how many were loaded when last settled


def main() -> None:
    """One run for one visitor: the frame, and in it the page that the address names."""
    _visited.set()
    visitor.key()
    links.follow_history()
    st.set_page_config(page_title="Attention Lab", page_icon=BRAND, layout="wide")
    st.logo(BRAND)
    st.html(STYLE)
    declare_checks()
    st.html(SCRIPT, unsafe_allow_javascript=True)
    with st.container(key="tools", horizontal=True, gap="small"):
        search(key="search")
        compare_place = st.container(key="tools-compare", width="content")
        presenting.button()
        with st.popover("Share", icon=":material/share:", type="tertiary", key="share"):
            share_link(key="share_link")
            reset_place = st.container()
    if st.context.is_embedded:
        st.html(EMBEDDED)
    gate.show_line_in(st.empty())
    sections: dict[str, list] = {}
    for page in PAGES:
        entry = st.Page(
            page.script, title=catalogue.name(page), url_path=page.url or None, default=not page.url, help=page.help
        )
        sections.setdefault(page.section, []).append(entry)
    reset = st.Page(resetting.page, title="Reset", url_path=resetting.URL, visibility="hidden")
    here = st.navigation({**sections, "": [*sections[""], reset]}, position="top")
    if here.url_path == resetting.URL:
        here.run()
        return
    resetting.begin(reset)
    old_links.follow(here.url_path)
    section = next(page.section for page in PAGES if page.url == here.url_path)
    st.html(MARK_SECTION.format(n=1 + list(sections).index(section)))
    with reset_place:
        resetting.button(here.url_path)
    resetting.said(here.url_path)
    remarks = st.empty()
    with compare.button_in(compare_place), lead.leading(here.url_path) as stage:
        puzzle_place = st.container()
        if stage.runs:
            here.run()
        if bar.PARAMETER in st.query_params and (puzzle := bar.open_on(here.url_path)):
            with puzzle_place:  # once the page has its settings, above it
                bar.show(puzzle)
    said = links.remarks(st.query_params.to_dict(), [str(name) for name in st.session_state])
    if said:
        remarks.container(key="notice-link").text("\n".join(said))
    if st.context.is_embedded:
        st.html(OPEN.format(here.url_path))
    elif not stage.is_led:
        turn_page(here.url_path)
    incoming.end_run()
    settle()


def settle() -> None:
    """Take what was loaded for good out of the garbage collector's rounds.

    torch leaves some 250,000 objects to walk through: over 100 ms per round, with the interpreter locked for everybody.
    So whenever many modules have come in, what is alive is set aside.
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


@asynccontextmanager
async def _serving(_app: st.App) -> AsyncIterator[None]:
    """Before the first visit, import what all pages share: that is light, and the frame need not wait for it."""
    for module in walk_packages([str(LAB)], "lab."):
        if module.name != "lab.frame.entry":  # the script of a visit, which draws when it is imported
            import_module(module.name)
    over = threading.Event()
    threading.Thread(target=_load_ahead, args=[over], name="load-ahead", daemon=True).start()
    bounds = asyncio.create_task(incoming.keep_in_bounds())
    try:
        yield
    finally:
        bounds.cancel()
        over.set()
        trainings.close()


def _load_ahead(over: threading.Event) -> None:
    """If nobody comes for a while, import what is heavy, so that the first visitor need not wait for it either.

    A visitor who comes earlier has the frame first: an import in the background would hold it up.
    """
    if over.wait(IDLE):
        return
    for name in HEAVY:
        if _visited.is_set():
            return
        import_module(name)
    settle()


# `streamlit run app.py` finds this and serves the script it names; why that is not this file is said there.
app = st.App(
    "lab/frame/entry.py",
    lifespan=_serving,
    middleware=[Middleware(Headers), *visitor.MIDDLEWARE, *incoming.MIDDLEWARE],
    on_script_error=apologise,
)

if __name__ == "__main__":
    main()
