"""The foot of every page: what a reader knows now, which of its questions are solved, and the way on.

What was solved is kept by the reader's own browser (progress.js), which fills in what is drawn here without a number.
"""

import json
from functools import cache
from html import escape

import streamlit as st

from lab.kit import catalogue
from lab.kit.page import Page
from lab.kit.questions import DOTS
from lab.kit.words import counted


def turn_page(url: str) -> None:
    """What the page at this path has taught, the state of its questions, and the pages before and after it."""
    here, (before, after) = catalogue.page(url), catalogue.neighbours(url)
    if not (here.learned or before or after):
        return
    with st.container(key="turn"):
        if here.learned:
            st.markdown(f"**You now know** {here.learned}")
        if here.checks:
            text = f"{counted(here.checks, 'question')} on this page to check yourself"
            st.html(DOTS.format(page=escape(here.url), noun="question", dots="<i></i>" * here.checks, text=text))
        with st.container(horizontal=True, horizontal_alignment="distribute", key="turn-row"):
            if before:
                st.page_link(before.script, label=catalogue.name(before), icon=":material/arrow_back:")
            with st.container(key="turn-next", width="content"):
                _link_on(after)


def _link_on(after: Page | None) -> None:
    """The way to the next page of the story; at its end, back to the front page."""
    if after:
        label, icon = f"Next: **{after.question}**", ":material/arrow_forward:"
        st.page_link(after.script, label=label, icon=icon, icon_position="right")
    else:
        st.page_link(catalogue.page("").script, label="End of the tour: **the whole model**", icon=":material/map:")


def declare_checks() -> None:
    """Tell the browser how many questions every page asks, by its url."""
    st.html(f'<div class="checks" hidden data-checks="{escape(json.dumps(checks()))}"></div>')


@cache
def checks() -> dict[str, int]:
    """How many questions every page asks, by its url; counted in its texts."""
    return {page.url: page.checks for page in catalogue.PAGES if page.checks}
