"""One look: every view of every page stands in the same frame, and axe-core finds nothing to mend, light or dark.

On the way through all views: nothing sticks out on a phone, and nothing is loaded from elsewhere."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import Page, TimeoutError, ViewportSize, expect

from pages.shared.catalogue import PAGES
from tests.browser.view import WIDE
from tests.pages.view_index import views_of

AXE = Path(__file__).with_name("vendor").joinpath("axe.min.js").read_text()
# What axe is told to leave alone, each with the reason.
RULES = {
    "region": {"enabled": False},  # the landmarks of the frame around the page are Streamlit's
    "landmark-one-main": {"enabled": False},
    "presentation-role-conflict": {"enabled": False},  # Streamlit's file uploader
}
# All rules in the light; in the dark, those that look at colours: nothing else changes.
OPTIONS = {"light": {"rules": RULES}, "dark": {"runOnly": ["color-contrast", "link-in-text-block"]}}
AUDIT = """async (options) => (await axe.run(document, { ...options, resultTypes: ['violations'] })).violations.flatMap(
    (rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.flat().join(' ')} | ${node.html.slice(0, 160)}`))"""
SCREEN: ViewportSize = {"width": 1280, "height": 720}
PHONE: ViewportSize = {"width": 390, "height": 844}
HIGHEST, HIGHEST_ON_A_PHONE = 260, 480  # pixels: where the figure of a page begins at the latest
# The topmost figure: at least 150 x 60 pixels, in a shadow root or not.
TOP = """() => {
    const tops = [];
    const walk = (root) => root.querySelectorAll('*').forEach((node) => {
        if (node.shadowRoot) walk(node.shadowRoot);
        const box = node.dataset?.figure === undefined ? null : node.getBoundingClientRect();
        if (box && box.width > 150 && box.height > 60 && box.top > 40) tops.push(box.top + scrollY);
    });
    walk(document);
    return tops.length ? Math.round(Math.min(...tops)) : -1;
}"""


def views() -> Iterator[tuple[str, str]]:
    """(path of the page, query) of every view of every page, as the scripts of the pages list them."""
    for page in PAGES:
        names = [(key, view.name) for key, view in views_of(page.script)]
        yield from ((page.url, urlencode({key: name})) for key, name in names)
        if not names:
            yield page.url, ""


def opened(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_be_visible()
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    page.wait_for_function(f"() => ({TOP})() > 0")


def to_phone(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.wait_for_function("() => innerWidth === document.documentElement.clientWidth && innerWidth === 390")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


OFTEN = ("", "heads", "blocks", "live", "translation", "generation")  # and every other page in the wide grid
LOOKS = [
    pytest.param(page.url, which, marks=() if page.url in OFTEN and which == "first" else pytest.mark.wide)
    for page in PAGES
    for which in ("first", "rest")
]


@pytest.mark.parametrize(("path", "which"), LOOKS, ids=lambda text: text or "front page")
def test_every_view_has_its_figure_first_and_is_clean_for_axe(visit, server: str, path: str, which: str):
    page = visit(None, reduced_motion="reduce").page
    faults: list[str] = []
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    queries = [query for url, query in views() if url == path]
    for query in queries[:1] if which == "first" else queries[1:]:
        opened(page, f"{server}/{path}" + (f"?{query}" if query else ""))
        top = page.evaluate(TOP)
        if top > HIGHEST:
            faults.append(f"{query}: the figure begins at {top} of 720 pixels")
        page.evaluate(AXE)
        for scheme, options in [*OPTIONS.items()][: None if which == "first" else 1]:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)
            faults += [f"{query}, {scheme}: {fault}" for fault in page.evaluate(AUDIT, options)]
        to_phone(page)
        try:
            page.wait_for_function(f"() => ({WIDE})() <= 1")  # a figure takes its time to follow the window
        except TimeoutError:
            faults.append(f"{query}, on a phone: {page.evaluate(WIDE)} pixels stick out")
        top = page.evaluate(TOP)
        if top > HIGHEST_ON_A_PHONE:
            faults.append(f"{query}, on a phone: the figure begins at {top} of 844 pixels")
        page.set_viewport_size(SCREEN)
    faults += [url for url in requests if urlsplit(url).scheme in ("http", "https") and not url.startswith(server)]
    assert faults == []


@pytest.mark.wide
@pytest.mark.parametrize("path", [page.url for page in PAGES], ids=lambda url: url or "front page")
def test_every_view_can_be_read_in_the_dark(visit, server: str, path: str):
    page = visit(None, reduced_motion="reduce", color_scheme="dark").page
    faults: list[str] = []
    for query in [query for url, query in views() if url == path][1:]:  # the first is in the test above
        opened(page, f"{server}/{path}?{query}")
        page.evaluate(AXE)
        faults += [f"{query}: {fault}" for fault in page.evaluate(AUDIT, OPTIONS["dark"])]
    assert faults == []


@pytest.mark.parametrize("view", ["Threads", pytest.param("Step by step", marks=pytest.mark.wide)])
@pytest.mark.wide
def test_a_wrong_translation_leaves_the_figure_where_it_is(visit, server: str, view: str):
    """What is said of it is longer than of a right one."""
    page = visit(None, reduced_motion="reduce").page
    opened(page, f"{server}/translation?{urlencode({'translator_step': 160, 'translation_view': view})}")
    expect(page.get_by_text("Not quite")).to_be_visible()
    assert page.evaluate(TOP) <= HIGHEST
    to_phone(page)
    page.wait_for_function(f"() => ({WIDE})() <= 1")
    assert page.evaluate(TOP) <= HIGHEST_ON_A_PHONE


# Of the circles that can be chosen: (the colour of the edge, what it lies on), as numbers from 0 to 255.
CIRCLES = """() => {
    const numbers = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map(Number);
    const ground = numbers(getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor);
    return [...document.querySelectorAll('[data-testid=stRadioOption] div:has(+ [data-testid=stMarkdownContainer])')]
        .map((circle) => [numbers(getComputedStyle(circle).borderColor), ground]);
}"""


def luminance(colour: list[float]) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.wide)])
@pytest.mark.wide
def test_circles_and_second_axes_are_seen(visit, server: str, scheme: str):
    page = visit(None, color_scheme=scheme).page
    opened(page, f"{server}/blocks?blocks_part=Dropout&text=one+two")
    circles = page.evaluate(CIRCLES)
    assert len(circles) == 3
    for pair in circles:
        dark, light = sorted(map(luminance, pair))
        assert (light + 0.05) / (dark + 0.05) >= 3
    second = page.locator(".js-plotly-plot .x2tick text")
    first = page.locator(".js-plotly-plot .xtick text").first.evaluate("(node) => getComputedStyle(node).fill")
    expect(second.first).to_have_css("fill", first)
