"""A newcomer has few things to choose from: what stands on the switch of a page, and what is behind "Go deeper"."""

import ast
import re
from pathlib import Path

from pages.challenges.challenges import CHALLENGES
from pages.heads import closer
from pages.shared.catalogue import PAGES
from tests.pages.view_index import ranked_views_of

FOLDER = Path(__file__).parents[2] / "pages"
MAX_FIRST, MAX_ALL = 4, 40  # views on one switch, and on those of all pages
MAX_ADDRESSES = 48  # views, studies of heads and puzzles, on all pages together
MAX_DECLARED = 58  # of these in code, with those of the front page
LINE = 130  # characters of one line at 1280 pixels


def test_few_views_stand_on_a_switch_and_the_others_say_what_they_ask() -> None:
    n_first = 0
    for page in PAGES:
        views = list(ranked_views_of(page.script))
        first = [view.name for _, view, is_deeper in views if not is_deeper]
        deeper = [view for _, view, is_deeper in views if is_deeper]
        assert len(first) <= MAX_FIRST, f"{page.url}: put some of these under `deeper`: {first}"
        assert len(deeper) != 1, f"{page.url}: a menu of one takes as much room as what is in it"
        assert len({view.name for _, view, _ in views}) == len(views), f"{page.url}: two views have one name"
        silent = [v.name for v in deeper if not (v.question or v.asks or v.name.endswith("?"))]
        assert not silent, f"{page.url}: a view under `deeper` says what it `asks`: {silent}"
        n_first += len(first) if len(first) > 1 else 0  # a page with one view has no switch
    assert n_first <= MAX_ALL, f"{n_first} views stand on switches; put one under `deeper` of its page"


def test_every_view_says_in_one_line_what_is_seen_there() -> None:
    """A title asks for all views of its page: the line below it, or the heading of the view, says what this one is."""
    for page in PAGES:
        if page.url == "live":
            continue  # its views stand below the film, which the line is about
        others = list(ranked_views_of(page.script))[1:]
        silent = [view.name for _, view, _ in others if not (view.lede or view.question)]
        assert not silent, f"{page.url}: say in a `lede` what is seen in {silent}"
        for _, view, _ in others:
            seen = re.sub(r"\*\*|:\w+\[|\]", "", view.lede)
            assert len(seen) <= LINE, f"{page.url}, {view.name}: {len(seen)} characters are more than a line"


def test_what_can_be_opened_is_few() -> None:
    """Whoever adds a view takes another away, or makes it a part of one that is there."""
    views = [f"{page.url}: {view.name}" for page in PAGES for _, view, _ in ranked_views_of(page.script)]
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
