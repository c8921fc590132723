"""The views of all pages by name, for the search and for links to a view, without importing a page.

What is stored is what the pages list, which a test holds; `python -m tests.pages.view_index` writes it anew.
"""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple


class ViewEntry(NamedTuple):
    """A view: its page, the parameter that opens it by its name, and the question that it answers ("" for none)."""

    page: str
    key: str
    name: str
    question: str


@cache
def views() -> tuple[ViewEntry, ...]:
    """Every view, in the order of the pages."""
    stored = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return tuple(ViewEntry(**entry) for entry in stored)


def view_entry(page: str, name: str) -> ViewEntry:
    """The view of this page with this name. Raises LookupError where there is none."""
    for entry in views():
        if (entry.page, entry.name) == (page, name):
            return entry
    raise LookupError(f"there is no view {name!r} at /{page}")
