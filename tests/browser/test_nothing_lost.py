"""Nothing that a visitor began is lost with a connection: the key in the browser, and what is found again under it."""

from typing import Any

from playwright.sync_api import Page, expect

from pages.shared.visitor import COOKIE

PAGE = "/positions"  # quickly there


def shown(page: Page) -> None:
    expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_be_visible()


def key(page: Page, address: str) -> Any:
    """The cookie that the browser keeps of this page."""
    (cookie,) = [cookie for cookie in page.context.cookies(address) if cookie["name"] == COOKIE]
    return cookie


def test_a_key_outlives_a_reload_and_is_shared_by_tabs_of_one_browser_only(browser, server):
    address = server + PAGE
    with browser.new_context() as context, browser.new_context() as other:
        page = context.new_page()
        page.goto(address)
        shown(page)
        first = key(page, address)
        assert first["httpOnly"]
        assert first["sameSite"] == "Strict"
        assert not page.evaluate("document.cookie").count(COOKIE)
        assert first["value"] not in page.content() + page.url
        page.reload()
        shown(page)
        tab = context.new_page()
        tab.goto(server + "/masks")
        shown(tab)
        assert key(tab, address)["value"] == key(page, address)["value"] == first["value"]
        stranger = other.new_page()
        stranger.goto(address)
        shown(stranger)
        assert key(stranger, address)["value"] != first["value"]
