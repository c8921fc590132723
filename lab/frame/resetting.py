"""“Reset this page”: everything on it as it opens, and back again.

What a visitor has set stands in three places: in the session, in the address, and in the browser, where components keep
what was chosen in them. The browser forgets when a page is left, so a reset goes through a page of its own, which shows
nothing and leads back at once. `frame.js` keeps it out of the browser's history.
"""

from typing import NamedTuple

import streamlit as st

from lab.kit import carried, catalogue

URL = "reset"
STAY = 1.0  # seconds: long enough that the page led back to is on its way before the next round could cut it off
OF_THE_VISIT = ("lesson", "stop", "puzzle", "embed", "embed_options", "v")  # of the address: not the page's own
_ORDER = "_reset_order"
_IS_THERE = "_reset_is_there"
_DONE = "_reset_done"


class Order(NamedTuple):
    """Where a reset leads, and what it took away: None where it brings that back."""

    url: str
    link: dict[str, str]
    before: dict[str, str] | None


def button(url: str) -> None:
    """The button that resets the page at this path."""
    st.button(
        "Reset this page", icon=":material/restart_alt:", type="tertiary", key="reset", on_click=_reset, args=(url,)
    )


def page() -> None:
    """The page that is gone through. Whoever comes to it in another way is led to the front page.

    Its first run ends, and with it what Streamlit knows of the settings of the other page; the next one leads back.
    """
    st.session_state.setdefault(_ORDER, Order("", {}, None))
    st.session_state[_IS_THERE] = False
    _lead_back()


@st.fragment(run_every=STAY)
def _lead_back() -> None:
    if st.session_state[_IS_THERE]:
        order = st.session_state[_DONE] = st.session_state.pop(_ORDER)
        st.switch_page(catalogue.page(order.url).script, query_params=order.link)
    st.session_state[_IS_THERE] = True


def begin(page: st.Page) -> None:
    """Go through this page, if a reset was asked for."""
    if _ORDER in st.session_state:
        st.switch_page(page, query_params={})


def said(url: str) -> None:
    """What has been reset, with the way back, until something else is set or the page is left."""
    done = st.session_state.get(_DONE)
    if done is None or done.url != url or _settings(st.query_params.to_dict()) != _settings(done.link):
        st.session_state.pop(_DONE, None)
        return
    with st.container(key="notice-reset", horizontal=True, vertical_alignment="center"):
        if done.before is None:
            st.text("All is as it was before the reset.", width="content")
        else:
            st.text("This page is as it opens: your settings and changes on it are cleared.", width="content")
            st.button("Undo", key="reset-undo", type="tertiary", on_click=_undo, args=(done,))


def _settings(link: dict[str, str]) -> dict[str, str]:
    """What controls have of a link; the rest is the browser's, which writes it without being asked."""
    return {name: value for name, value in link.items() if name in st.session_state}


def _reset(url: str) -> None:
    before = st.query_params.to_dict()
    _go(Order(url, {name: value for name, value in before.items() if name in OF_THE_VISIT}, before))


def _undo(done: Order) -> None:
    _go(Order(done.url, done.before or {}, None))


def is_of(name: str, url: str) -> bool:
    """Whether an entry of the session goes with a reset of the page at this path: a control, which is on screen, an
    entry of this page, or one of what all pages share; an entry of a page is named for it, as "_masks_painted". What is
    no setting of a page is kept: models and files that were brought, answers, and who the visitor is ("_kept_…")."""
    others = tuple(f"_{page.url}_" for page in catalogue.PAGES if page.url not in ("", url))
    return not name.startswith((*others, "_kept_", "_lesson"))  # a lesson leads on


def _go(order: Order) -> None:
    for name in [str(name) for name in st.session_state]:
        if is_of(name, order.url):
            del st.session_state[name]
    carried.forget()
    st.session_state[_ORDER] = order
