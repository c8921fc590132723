"""A page that breaks off says so in our words, and leads back; nobody else notices."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import serve


@pytest.fixture(scope="module")
def broken():
    with serve("tests/browser/broken_app.py") as address:
        yield address


def says_so(view):
    alert = view.page.get_by_role("alert")
    expect(alert).to_contain_text("The fault is ours, not yours")
    everything = view.page.locator("body").inner_text()
    for theirs in ("secret", "ValueError", "Traceback", "This app has encountered", "Manage app", "Ask Google"):
        assert theirs not in everything
    return alert


def test_a_page_that_breaks_leads_back_in_the_same_tab(visit, broken):
    view = visit("/?fault=run&text=abc", broken, painted=False)
    says_so(view).get_by_role("link").click()
    expect(view.page.get_by_text("the end")).to_be_visible()
    assert view.page.url.rstrip("?") == f"{broken}/"
    expect(view.page.get_by_role("alert")).to_have_count(0)


@pytest.mark.wide
def test_where_it_is_embedded_it_stays_so(visit, broken):
    view = visit("/?fault=run&embed=true", broken, painted=False)
    expect(says_so(view).get_by_role("link")).to_have_attribute("href", "?embed=true")


@pytest.mark.wide
def test_so_do_a_callback_and_a_part_of_the_page(visit, broken):
    for button in ("Break", "Break a part"):
        view = visit("/", broken, painted=False)
        view.page.get_by_role("button", name=button, exact=True).click()
        says_so(view)


@pytest.mark.wide
def test_what_stops_in_order_is_no_fault(visit, broken):
    view = visit("/?fault=stop", broken, painted=False)
    expect(view.page.get_by_text("stopped in order")).to_be_visible()
    expect(view.page.get_by_role("alert")).to_have_count(0)
