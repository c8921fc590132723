"""“Reset this page”: what it takes away, and what it leaves. Where it leads is in tests/browser/test_presenting.py."""

from pages.shared import resetting
from tests.pages.driver import visit


def test_a_reset_takes_the_page_and_leaves_the_visit() -> None:
    brought = {"trained_model": None, "_gen_turned": "another page's", "_checks": {"q": 1}, "_att_guess": "this page's"}
    link = {"att_on": "small numbers", "att_q": "2,0,0,0;0,1,0,0;0,0,1,0", "lesson": "ten", "stop": "3"}
    at = visit("attention", session=brought, **link)
    gone = ["_att_edits", "_att_guess", "_refused", "att_on"]
    assert all(name in at.session_state for name in (*gone, *brought))
    at.button(key="reset").click().run()
    assert [name for name in (*gone, *brought) if name in at.session_state] == [*brought][:3]
    order = at.session_state[resetting._ORDER]
    assert (order.url, order.link) == ("attention", {"lesson": "ten", "stop": "3"})
    assert order.before == link
    assert not at.query_params
