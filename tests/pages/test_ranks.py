"""A newcomer has few things to choose from: what stands on the switch of a page, and what is behind "Go deeper"."""

from pages.heads import closer
from pages.shared.catalogue import PAGES
from tests.pages.view_index import ranked_views_of

MAX_FIRST, MAX_ALL = 4, 40  # views on one switch, and on those of all pages


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
    assert all(study.question for study in closer.DEEPER.values())
