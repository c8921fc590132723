"""What lab/hooks knows of the page that Streamlit draws is still so; what is not, is named, with what the lab loses.

One page has one of everything (hooks_page.py), so that what is gone is gone from Streamlit.
"""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from attention_view.bundle import script
from lab.hooks.dom import FILE, Hook, hooks
from tests.browser.conftest import serve
from tests.browser.view import View

PATIENCE = 20.0  # seconds that a place is waited for; it takes them only if it is gone
# What has this in its name is looked for inside of that.
PARTS = {"plot-": "plot", "-term": "formula", "code-": "code"}
MISSING = "(places) => Object.keys(places).filter((name) => !document.querySelector(places[name]))"
# Before anything is drawn: whether a run is ever seen to be under way.
LOOK_FOR_RUNS = """(selector) => new MutationObserver(() => {
    if (document.querySelector(selector)) window.hasRun = true;
}).observe(document, { subtree: true, childList: true, attributes: true })"""
LOAD = "(code) => Object.assign(window, Function(`${code}; return { go, openPage, openInstead, onPush };`)())"

Visit = Callable[..., View]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serve("tests/browser/hooks_page.py") as address:
        yield address


def selector(hook: Hook) -> str:
    inside = next((hooks()[whole].selector for part, whole in PARTS.items() if part in hook.name), "")
    return f"{inside} {hook.selector}".strip()


def missing(page: Page, names: set[str]) -> set[str]:
    """Which of these places are not there, nor come soon."""
    places = {name: selector(hooks()[name]) for name in names}
    gone = set(page.evaluate(MISSING, places))
    for _ in range(int(10 * PATIENCE)):
        if not gone:
            break
        page.wait_for_timeout(100)
        gone = set(page.evaluate(MISSING, places))
    return gone


def test_every_place_is_there(visit: Visit, address: str):
    page = visit(None).page
    page.add_init_script(f"({LOOK_FOR_RUNS})({hooks()['running'].selector!r})")
    page.goto(address)
    page.get_by_text("The end").wait_for()
    opened = {"popover-body": "Panel", "menu-body": "Deeper", "menu-link": "Further"}
    gone = missing(page, hooks().keys() - {*opened, "running", "skeleton", "file-lost", "side-link", "plot-white"})
    for name, button in opened.items():
        page.get_by_role("button", name=button).click()
        gone |= missing(page, {name})
        page.keyboard.press("Escape")
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_test_id("stExpandSidebarButton").click()
    gone |= missing(page, {"side-link"})
    page.emulate_media(color_scheme="dark")
    gone |= missing(page, {"plot-white"})
    if not page.evaluate("window.hasRun"):
        gone.add("running")
    found = [f"{hook.selector} finds nothing ({name}: {hook.why})" for name, hook in hooks().items() if name in gone]
    assert not found, "\n".join(found)


@pytest.fixture
def page(visit: Visit, address: str) -> Page:
    """The page with one of everything, and the functions of lab/hooks as its own."""
    page = visit("/", address, painted=False).page
    page.get_by_text("The end").wait_for()
    page.evaluate(LOAD, script(FILE.with_name("history.js")))
    return page


def shows(page: Page, title: str, came_by: str, width: int) -> None:
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    expect(page.get_by_text(f"came by {came_by}")).to_be_visible()
    expect(page.get_by_text(f"The width is {width}")).to_be_visible()


def test_an_address_that_is_written_is_opened(page: Page):
    """By all three functions; and the server knows that it came by the history, and sets widgets to what it says."""
    page.evaluate("go('another?width=32')")
    shows(page, "Another", "width=32", 32)
    page.go_back()
    shows(page, "Everything", "", 8)
    page.evaluate("openPage('/another?width=16')")
    shows(page, "Another", "width=16", 16)
    n = page.evaluate("history.length")
    page.evaluate("openInstead('/another?width=32')")
    shows(page, "Another", "width=32", 32)
    assert page.evaluate("history.length") == n


@pytest.mark.wide
def test_streamlits_own_pushes_can_be_decided(page: Page):
    page.evaluate("""() => {
        window.pushed = [];
        onPush((push, state, title, to) => pushed.push(new URL(to, location).pathname) && push(state, title, to));
    }""")
    page.get_by_role("link", name="To the second page").click()
    expect(page.get_by_role("heading", name="Another")).to_be_visible()
    assert "/another" in page.evaluate("pushed")
