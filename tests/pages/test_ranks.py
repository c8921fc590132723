"""A newcomer has few things to choose from: on the switch of a page, and on all pages together."""

import ast
import re
from pathlib import Path

from lab.kit import view
from lab.kit.catalogue import PAGES
from pages.challenges.challenges import BY_KEY

FOLDER = Path(__file__).parents[2] / "pages"
MAX_FIRST = 4  # views on one switch
MAX_ADDRESSES = 48  # views, studies of heads and puzzles, on all pages together
MAX_DECLARED = 58  # of these in code, with those of the front page
LINE = 130  # characters of one line at 1280 pixels


def test_few_views_stand_on_a_switch() -> None:
    for page in PAGES:
        names = [tab.name for tab in page.views]
        few = len(names) <= MAX_FIRST or page.url == "bugs"
        assert few, f"{page.url}: make some of these a part of another: {names}"
        assert len(set(names)) == len(names), f"{page.url}: two views have one name"


def test_every_view_says_in_one_line_what_is_seen_there() -> None:
    """A title asks for all views of its page: the line below it, or its own title, says what this one is."""
    for page in PAGES:
        if page.url in ("live", "heads", "bugs", "challenges"):
            continue  # below the film, beside the picture, exhibits and puzzles: the line is about these
        others = page.views[1:]
        silent = [tab.name for tab in others if not (tab.lede or tab.title)]
        assert not silent, f"{page.url}: say in a `lede` what is seen in {silent}"
        for tab in others:
            seen = re.sub(r"\*\*|:\w+\[|\]", "", tab.lede)
            assert len(seen) <= LINE, f"{page.url}, {tab.name}: {len(seen)} characters are more than a line"


def test_what_is_announced_is_there() -> None:
    """A tab names a module with a VIEW; what is no view of its own is the picture of /heads, and puzzles."""
    for page in PAGES:
        for tab in page.views:
            if page.url == "challenges":
                assert tab.opens[page.switch] in BY_KEY
            elif tab.module:
                assert isinstance(view.opened(page, tab), view.View)
            else:
                assert (page.url, tab.name) == ("heads", "One head")


def test_what_can_be_opened_is_few() -> None:
    """Whoever adds a view takes another away, or makes it a part of one that is there."""
    places = [f"{page.url}: {tab.name}" for page in PAGES for tab in page.views if page.url != "bugs"]
    assert len(places) + 1 <= MAX_ADDRESSES, f"{len(places)} places and the museum are too many: {places}"


def test_few_views_are_declared() -> None:
    declared = [
        str(file.relative_to(FOLDER))
        for file in sorted(FOLDER.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("View", "Challenge")
    ]
    assert len(declared) <= MAX_DECLARED, f"{len(declared)} are too many: {declared}"
