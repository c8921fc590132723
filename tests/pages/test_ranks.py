"""A newcomer has few things to choose from: on the switch of a page, and on all pages together."""

import ast
import re
from pathlib import Path

from lab.kit.catalogue import PAGES
from pages.challenges.challenges import CHALLENGES
from pages.heads import closer
from tests.pages.view_index import views_of

FOLDER = Path(__file__).parents[2] / "pages"
MAX_FIRST = 4  # views on one switch
MAX_ADDRESSES = 48  # views, studies of heads and puzzles, on all pages together
MAX_DECLARED = 58  # of these in code, with those of the front page
LINE = 130  # characters of one line at 1280 pixels


def test_few_views_stand_on_a_switch() -> None:
    for page in PAGES:
        names = [view.name for _, view in views_of(page.script)]
        assert len(names) <= MAX_FIRST, f"{page.url}: make some of these a part of another: {names}"
        assert len(set(names)) == len(names), f"{page.url}: two views have one name"


def test_every_view_says_in_one_line_what_is_seen_there() -> None:
    """A title asks for all views of its page: the line below it, or the heading of the view, says what this one is."""
    for page in PAGES:
        if page.url == "live":
            continue  # its views stand below the film, which the line is about
        others = list(views_of(page.script))[1:]
        silent = [view.name for _, view in others if not (view.lede or view.question)]
        assert not silent, f"{page.url}: say in a `lede` what is seen in {silent}"
        for _, view in others:
            seen = re.sub(r"\*\*|:\w+\[|\]", "", view.lede)
            assert len(seen) <= LINE, f"{page.url}, {view.name}: {len(seen)} characters are more than a line"


def test_what_can_be_opened_is_few() -> None:
    """Whoever adds a view takes another away, or makes it a part of one that is there."""
    views = [f"{page.url}: {view.name}" for page in PAGES for _, view in views_of(page.script)]
    studies = [closer.RIBBONS, *closer.STUDIES]
    puzzles = [challenge.name for challenge in CHALLENGES]
    all_ = [*views, *studies, *puzzles, "bugs: the museum"]
    assert len(all_) <= MAX_ADDRESSES, f"{len(all_)} places are too many: {all_}"


def test_few_views_are_declared() -> None:
    declared = [
        str(file.relative_to(FOLDER))
        for file in sorted(FOLDER.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("View", "Study", "Challenge")
    ]
    assert len(declared) <= MAX_DECLARED, f"{len(declared)} are too many: {declared}"
