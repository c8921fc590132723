"""The pages of the app, collected in the order in which they are best read: nothing is used before it is shown.

Each page says everything about itself in `PAGE` of its page.py. Navigation, the foot of every page, the marks on the
front page, the search and the tests read it here.
"""

from importlib import import_module
from typing import NamedTuple

from lab.kit.page import STORY, Page, Tab

ORDER = (
    "overview",
    "why",
    "embeddings",
    "attention",
    "heads",
    "positions",
    "masks",
    "blocks",
    "live",
    "translation",
    "generation",
    "pretrained",
    "finetuning",
    "vision",
    "beyond",
    "lessons",
    "classroom",
    "bugs",
    "challenges",
    "words",
)
PAGES: tuple[Page, ...] = tuple(import_module(f"pages.{name}.page").PAGE for name in ORDER)
_STORY = tuple(page for page in PAGES if page.section in STORY)


class Entry(NamedTuple):
    """A view as the search finds it: where it opens (page, parameter and its value), and what it is."""

    page: str
    key: str
    value: str
    tab: Tab


def page(url: str) -> Page:
    """The page at this path. Raises LookupError for a path that no page has."""
    for entry in PAGES:
        if entry.url == url:
            return entry
    raise LookupError(f"there is no page at /{url}")


def number(page: Page) -> int:
    """Its place in the story, from 1; 0 for the front page and for pages beside the story."""
    return _STORY.index(page) if page in _STORY else 0


def name(page: Page) -> str:
    """Its title as the menu shows it, with its number."""
    return f"{n}. {page.title}" if (n := number(page)) else page.title


def neighbours(url: str) -> tuple[Page | None, Page | None]:
    """The pages of the story before and after the one at this path; None where it has no such neighbour."""
    if page(url) not in _STORY:
        return None, None
    at = _STORY.index(page(url))
    return (_STORY[at - 1] if at else None), (_STORY[at + 1] if at + 1 < len(_STORY) else None)


def views() -> tuple[Entry, ...]:
    """Every view of every page, in their order."""
    return tuple(
        Entry(tab.page or page.url, page.switch, tab.opens.get(page.switch, tab.name), tab)
        for page in PAGES
        for tab in page.views
    )
