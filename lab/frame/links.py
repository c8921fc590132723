"""Links that last: the version that copied links are marked with, and one sentence on what a link cannot have here.
And links within the app, Back and Forward: the address decides what every control is set to.

What was renamed or moved is led to its present place by old_links.py. A value that a control does not have becomes its
default, with a notice (settings.choose). What is left is seen to here: settings that no page has, which are misspelt
more often than not, and links of a version that is newer than this one.
"""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from lab.hooks import runtime
from lab.kit import catalogue, settings
from transformer.training.text import clean

# Of the links that are copied; also in share_link/share_link.js. Links without a mark are older.
VERSION = 3
# Of the frame itself. The others are a page's, and begin with its prefix, or are shared by several.
OF_THE_FRAME = frozenset(
    {"a", "embed", "embed_options", "finished", "guess", "lesson", "present", "puzzle", "stop", "v"}
)
ALIKE = 0.8  # of difflib's ratio: one letter in five
MAX_NAMED, MAX_LETTERS = 3, 40


def follow_history() -> None:
    """Let the address win where Back, Forward or a link within the app has brought it; before any control is drawn.

    Two things would keep it from that. From one page to another Streamlit drops those settings of the address that both
    pages have: they are put back. And a page that was left keeps its settings in the session: they are forgotten.
    """
    query = runtime.link_gone_to()
    if query is None:
        return
    link = dict(parse_qsl(query, keep_blank_values=True))
    if link.keys() - st.query_params.keys():
        readdress(link)
    for name in {*link, *settings.chosen()}:
        st.session_state.pop(name, None)


def readdress(link: Mapping[str, str]) -> None:
    """Make these the settings of the address, before any control is drawn: controls will take theirs from it."""
    runtime.readdress(urlencode(link))
    st.query_params.update({})  # tells the browser


def remarks(link: Mapping[str, str], asked: Collection[str]) -> list[str]:
    """What is to be said of a link, in sentences, once the page has asked for these settings.

    Names that are like no setting at all are passed over: other sites hang their own on links.
    """
    said = []
    version = link.get("v", "")
    if version.isdecimal() and len(version) < 6 and int(version) > VERSION:
        said.append("This link was made by a newer version of Attention Lab. You see what this one knows of it.")
    prefixes = tuple(page.prefix for page in catalogue.PAGES if page.prefix)
    unknown = [name for name in link if not name.startswith(prefixes) and len(name) < MAX_LETTERS and name not in asked]
    names = OF_THE_FRAME | settings.shared() | set(asked) if unknown else set[str]()
    pairs = [
        f"“{clean(name)}” (perhaps “{like}”?)"
        for name in unknown
        if name not in names
        for like in get_close_matches(name, names, 1, ALIKE)
    ]
    if pairs:
        said.append(f"No setting here is called {', '.join(pairs[:MAX_NAMED])}, so that part of the link is left out.")
    return said
