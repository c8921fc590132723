"""“Reset this page”: what it takes away, and what it leaves. Where it leads is in tests/browser/test_presenting.py."""

import re
from pathlib import Path

import pytest

from lab.frame import resetting
from lab.kit import catalogue
from lab.kit.page import Page
from tests.pages.driver import visit

PAGES = Path(__file__).parents[3] / "pages"


def test_a_reset_takes_the_page_and_leaves_the_visit() -> None:
    brought = {
        "_kept_trained_model": None,
        "_generation_turned": "another page's",
        "_kept_checks": {"q": 1},
        "_attention_guess": "this page's",
    }
    link = {"att_on": "small numbers", "att_q": "2,0,0,0;0,1,0,0;0,0,1,0", "lesson": "ten", "stop": "3"}
    at = visit("attention", session=brought, **link)
    gone = ["_attention_edits", "_attention_guess", "_refused", "att_on"]
    assert all(name in at.session_state for name in (*gone, *brought))
    at.button(key="reset").click().run()
    assert [name for name in (*gone, *brought) if name in at.session_state] == [*brought][:3]
    order = at.session_state[resetting._ORDER]
    assert (order.url, order.link) == ("attention", {"lesson": "ten", "stop": "3"})
    assert order.before == link
    assert not at.query_params


OTHERS = {"_masks_painted": "mask", "_bugs_open": {"x"}, "_heads_pick": (1, 2), "_finetuning_example": 1}


def test_a_reset_leaves_the_work_on_other_pages() -> None:
    at = visit("attention", session={**OTHERS, "_attention_guess": "this page's"})
    at.button(key="reset").click().run()
    assert {name: at.session_state[name] for name in OTHERS} == OTHERS
    assert "_attention_guess" not in at.session_state


@pytest.mark.parametrize("page", catalogue.PAGES, ids=lambda page: page.url or "front")
def test_what_a_page_keeps_in_the_session_is_named_for_it(page: Page) -> None:
    """So that a reset of another page leaves it alone."""
    wrong = [
        (file.name, name)
        for file in sorted(page.script.parent.rglob("*.py"))
        for name in re.findall(r'[= (\[,]"(_[a-z]\w*)"', file.read_text(encoding="utf-8"))
        if not name.startswith((f"_{page.url}_", "_kept_")) and name != "_self"
    ]
    assert not wrong


def test_every_entry_belongs_to_one_page_at_most() -> None:
    for name in OTHERS:
        assert [page.url for page in catalogue.PAGES if page.url and resetting.is_of(name, page.url)] == [
            name.split("_")[1]
        ]
