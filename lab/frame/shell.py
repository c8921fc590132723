"""The shell of every page: its looks and scripts, the top bar, and what stands above and below the page itself."""

from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from attention_view.bundle import script
from lab.frame import in_class, links, old_links, resetting, where
from lab.frame.carry import KEY, carry
from lab.frame.foot import declare_checks, turn_page
from lab.frame.lessons import lead
from lab.frame.search import search
from lab.frame.share_link import share_link
from lab.hooks.dom import sheet, style
from lab.kit import carried, catalogue, compare, presenting
from lab.kit.catalogue import PAGES
from lab.kit.components import sent
from lab.server import gate, log

HERE = Path(__file__).parent
KIT = HERE.with_name("kit")
BRAND = f"data:image/svg+xml;base64,{b64encode((HERE / 'brand.svg').read_bytes()).decode()}"
STYLES = (
    HERE / "frame.css",
    HERE / "large.css",
    KIT / "teaching.css",
    KIT / "compare.css",
    HERE / "progress.css",
    HERE / "lessons/lesson.css",
    HERE / "words.css",
    HERE / "present.css",
    HERE / "print.css",
)
SCRIPTS = (
    HERE / "frame.js",
    KIT / "teaching.js",
    HERE / "progress.js",
    HERE / "lessons/lesson.js",
    HERE / "present.js",
)
STYLE = style(*STYLES)
SCRIPT = f'<script>(() => {{\n"use strict";\n{script(*SCRIPTS)}}})();</script>'
# The menu of pages says which of its sections the page is in; Streamlit does not.
MARK_SECTION = """<style>:--menu-section:nth-child({n}) :is(a, button) {{
  font-weight: 700; text-decoration: underline 2px; text-underline-offset: 0.45em; }}</style>"""
# In a page of somebody else's (?embed=true) stands the view and nothing of the frame, and the way to the whole of it;
# frame.js gives that link the settings that are on screen.
EMBEDDED = """<style>:--top-bar, .st-key-tools, .st-key-heading, [class*="st-key-switch-"] {
    display: none !important; }
  :--page { padding-block: 0.6rem !important; }</style>"""
OPEN = """<p class="open-in-lab"><a href="/{}" target="_blank" rel="noopener">Open in Attention Lab</a></p>"""
BROKEN = """<p role="alert">Something went wrong on this page. The fault is ours, not yours, and it has been logged.
Reload the page; if it breaks again, <a href="{}" target="_self">open it without the settings of its link</a>.</p>"""


class Tools(NamedTuple):
    """Places among the tools of the top bar: for the way to the whole model, for the button that compares, and for the
    one that resets."""

    where: Any
    compare: Any
    reset: Any


def dress() -> None:
    """Looks and scripts, once the address is what the visitor came by."""
    links.follow_history()
    st.set_page_config(page_title="Attention Lab", page_icon=BRAND, layout="wide")
    st.logo(BRAND)
    st.html(STYLE)
    declare_checks()
    st.html(SCRIPT, unsafe_allow_javascript=True)


def tools() -> Tools:
    """The tools of the top bar, which are the same on every page."""
    with st.container(key="tools", horizontal=True, gap="small"):
        where_place = st.empty()  # first those that are not on every page: the others stay where they are
        compare_place = st.container(key="tools-compare", width="content")
        search(key="search")
        carry()
        presenting.button()
        with st.popover("Share", icon=":material/share:", type="tertiary", key="share"):
            share_link(key="share_link")
            reset_place = st.container()
    if st.context.is_embedded:
        st.html(sheet(EMBEDDED))
    gate.show_line_in(st.empty())
    return Tools(where_place, compare_place, reset_place)


def menu() -> st.Page:
    """The menu of all pages; the page that the address names. A reset goes through a page of its own."""
    sections: dict[str, list] = {}
    for page in PAGES:
        entry = st.Page(
            page.script, title=catalogue.name(page), url_path=page.url or None, default=not page.url, help=page.help
        )
        sections.setdefault(page.section, []).append(entry)
    reset = st.Page(resetting.page, title="Reset", url_path=resetting.URL, visibility="hidden")
    here = st.navigation({**sections, "": [*sections[""], reset]}, position="top")
    if here.url_path != resetting.URL:
        resetting.begin(reset)
    return here


@contextmanager
def around(url: str, places: Tools) -> Iterator[lead.Stage]:
    """What stands above and below the page at this path, which is drawn in the block: whether it runs is said there."""
    old_links.follow(url)
    section = next(page.section for page in PAGES if page.url == url)
    sections = list(dict.fromkeys(page.section for page in PAGES))
    st.html(sheet(MARK_SECTION.format(n=1 + sections.index(section))))
    with places.reset:
        in_class.link(url)
        resetting.button(url)
    resetting.said(url)
    remarks = st.empty()
    with compare.button_in(places.compare), lead.leading(url) as stage:
        carried.arrive(url, is_led=stage.is_led, told=sent(KEY, "head", str))
        yield stage
    said = links.remarks(st.query_params.to_dict(), [str(name) for name in st.session_state])
    if said:
        remarks.container(key="notice-link").text("\n".join(said))
    if st.context.is_embedded:
        st.html(OPEN.format(url))
    elif not stage.is_led:
        where.link_in(places.where, url)
        turn_page(url)


def apologise(error: Exception) -> bool:
    """Say in our words that a page broke off, with a way back; True keeps Streamlit from saying it in its own.

    Streamlit has logged the exception before. Of its text nothing is shown: it was not written for visitors.
    """
    log.fault("page", error)
    embedded = "?embed=true" if st.context.is_embedded else "?"  # the same page, and no other setting
    with st.container(key="notice-broken"):
        st.html(BROKEN.format(embedded))
    return True
