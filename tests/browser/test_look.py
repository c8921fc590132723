"""One look: every view of every page stands in the same frame, and axe-core finds nothing to mend, light or dark.

On the way through all views: nothing is loaded from elsewhere."""

from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import Page, TimeoutError, ViewportSize, expect

from lab.kit import catalogue
from lab.kit.catalogue import PAGES
from tests.browser.first_screen import LAPTOP, measured
from tests.browser.view import WIDE
from tests.further import further

AXE = Path(__file__).with_name("vendor").joinpath("axe.min.js").read_text()
# What axe is told to leave alone, each with the reason.
RULES = {
    "region": {"enabled": False},  # the landmarks of the frame around the page are Streamlit's
    "landmark-one-main": {"enabled": False},
    "presentation-role-conflict": {"enabled": False},  # Streamlit's file uploader
}
# All rules in the light; in the dark, those that look at colours: nothing else changes.
OPTIONS: dict[Literal["light", "dark"], dict] = {
    "light": {"rules": RULES, "preload": False},  # no style sheet is fetched once more
    "dark": {"runOnly": ["color-contrast", "link-in-text-block"], "preload": False},
}
AUDIT = """async (options) => (await axe.run(document, { ...options, resultTypes: ['violations'] })).violations.flatMap(
    (rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.flat().join(' ')} | ${node.html.slice(0, 160)}`))"""
# As `go` of attention_view/lab.js follows a link.
GO = "(to) => { history.pushState(null, '', to); dispatchEvent(new PopStateEvent('popstate')); }"
PHONE: ViewportSize = {"width": 390, "height": 844}
ZOOMED: ViewportSize = {"width": 640, "height": 360}  # of a laptop, all of it twice as large
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


class Stop(NamedTuple):
    """A view on the way: its page, the parameter that names it and its name, "" for a page without views."""

    path: str
    key: str
    name: str

    @property
    def link(self) -> str:
        """The address, below that of the app."""
        return f"/{self.path}" + (f"?{urlencode({self.key: self.name})}" if self.name else "")


def stops(path: str) -> list[Stop]:
    """Every view of a page, in its own order; the page itself where it has none."""
    page = catalogue.page(path)
    on_switch = page.views if path not in ("heads", "bugs", "challenges") and len(page.views) > 1 else ()
    return [Stop(path, page.switch, tab.name) for tab in on_switch] or [Stop(path, "", "")]


def opened(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_be_visible()
    drawn(page)


def drawn(page: Page) -> None:
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    page.wait_for_function(f"() => ({TOP})() > 0")


def went(page: Page, server: str, stop: Stop) -> None:
    """To a stop by a link within the app, which costs Chromium a quarter of a load."""
    page.evaluate(GO, server + stop.link)
    main = page.get_by_test_id("stMain")
    here = catalogue.page(stop.path)
    title = (stop.name and here.view(stop.name).title) or here.question
    expect(main.get_by_role("heading", level=1, name=title, exact=True)).to_be_visible()
    if stop.name:
        chosen = main.locator(f".st-key-{stop.key}").get_by_role("radio", name=stop.name, exact=True)
        expect(chosen).to_have_attribute("aria-checked", "true")
    drawn(page)


def to_phone(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.wait_for_function("() => innerWidth === document.documentElement.clientWidth && innerWidth === 390")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


ALL = [stop for page in PAGES for stop in stops(page.url)]
FIRST, LAST = ([stops(page.url)[at] for page in PAGES] for at in (0, -1))
OFTEN = [stops(path)[0] for path in ("", "heads", "blocks", "live", "translation", "generation")]
N_WALKS = 6  # so that two browsers have about as much to do


@pytest.mark.parametrize("way", [ALL[k * len(ALL) // N_WALKS : (k + 1) * len(ALL) // N_WALKS] for k in range(N_WALKS)])
def test_every_view_has_its_figure_first_and_every_page_is_clean_for_axe(visit, server: str, way: list[Stop]):
    page = visit(None, reduced_motion="reduce", viewport=LAPTOP.screen).page
    faults: list[str] = []
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    opened(page, server + way[0].link)
    page.evaluate(AXE)
    for stop in way:
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        went(page, server, stop)
        top = page.evaluate(TOP)
        if top > HIGHEST:
            faults.append(f"{stop.link}: the figure begins at {top} of 720 pixels")
        shown = measured(page)
        if broken := LAPTOP.broken_by(shown, by=1):
            faults.append(f"{stop.link} falls short in {sorted(broken)}: {shown}")
        # The views of a page share its frame and its colours: of the others see below.
        for scheme in OPTIONS if stop in FIRST else ("light",) if stop in LAST else ():
            faults += audited(page, stop, scheme)
    faults += [url for url in requests if urlsplit(url).scheme in ("http", "https") and not url.startswith(server)]
    assert faults == []


def audited(page: Page, stop: Stop, scheme: Literal["light", "dark"]) -> list[str]:
    """What axe finds in this theme."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)
    return [f"{stop.link}, {scheme}: {fault}" for fault in page.evaluate(AUDIT, OPTIONS[scheme])]


@pytest.mark.wide
def test_the_further_views_of_a_page_are_clean_for_axe(visit, server: str):
    page = visit(None, reduced_motion="reduce", viewport=LAPTOP.screen).page
    faults: list[str] = []
    opened(page, server + ALL[0].link)
    page.evaluate(AXE)
    for stop in ALL:
        if stop not in FIRST:
            went(page, server, stop)
            for scheme in OPTIONS:
                faults += audited(page, stop, scheme)
    assert faults == []


@pytest.mark.parametrize("way", further([OFTEN, ALL]))
def test_on_a_phone_the_figure_comes_first_and_nothing_sticks_out(visit, server: str, way: list[Stop]):
    page = visit(None, reduced_motion="reduce", viewport=PHONE).page
    faults: list[str] = []
    opened(page, server + way[0].link)
    for stop in way:
        went(page, server, stop)
        faults += too_wide(page, stop)
        top = page.evaluate(TOP)
        if top > HIGHEST_ON_A_PHONE:
            faults.append(f"{stop.link}: the figure begins at {top} of 844 pixels")
    assert faults == []


def too_wide(page: Page, stop: Stop) -> list[str]:
    try:
        page.wait_for_function(f"() => ({WIDE})() <= 1", timeout=60_000)  # a figure takes its time to follow
    except TimeoutError:
        return [f"{stop.link}: {page.evaluate(WIDE)} pixels stick out"]
    return []


@pytest.mark.parametrize("way", [pytest.param(OFTEN[:2]), pytest.param(ALL, marks=pytest.mark.wide)])
def test_at_200_percent_nothing_sticks_out(visit, server: str, way: list[Stop]):
    page = visit(None, reduced_motion="reduce", viewport=ZOOMED).page
    opened(page, server + way[0].link)
    faults: list[str] = []
    for stop in way:
        went(page, server, stop)
        faults += too_wide(page, stop)
    assert faults == []


@pytest.mark.parametrize(
    "link",
    [
        "attention?att_on=small+numbers&att_step=weights&att_t=0.25",
        "attention?att_widths=true",
        "live?live_task=Your+own+text",
        "live?live_below=Keep+the+model",
    ],
)
@pytest.mark.wide
def test_nor_does_what_a_fold_or_a_setting_brings(visit, server: str, link: str):
    page = visit(None, reduced_motion="reduce", viewport=PHONE).page
    opened(page, f"{server}/{link}")
    page.wait_for_function(f"() => ({WIDE})() <= 1")


@pytest.mark.parametrize("view", ["Threads", pytest.param("Step by step", marks=pytest.mark.wide)])
@pytest.mark.wide
def test_a_wrong_translation_leaves_the_figure_where_it_is(visit, server: str, view: str):
    """What is said of it is longer than of a right one."""
    page = visit(None, reduced_motion="reduce").page
    opened(page, f"{server}/translation?{urlencode({'translator_step': 176, 'translation_view': view})}")
    expect(page.get_by_text("Not quite")).to_be_visible()
    assert page.evaluate(TOP) <= HIGHEST
    to_phone(page)
    page.wait_for_function(f"() => ({WIDE})() <= 1")
    assert page.evaluate(TOP) <= HIGHEST_ON_A_PHONE


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.wide)])
@pytest.mark.wide
def test_second_axes_are_seen(visit, server: str, scheme: str):
    page = visit(None, color_scheme=scheme).page
    opened(page, f"{server}/blocks?blocks_dropout=true&text=one+two")
    second = page.locator(".js-plotly-plot .x2tick text")
    first = page.locator(".js-plotly-plot .xtick text").first.evaluate("(node) => getComputedStyle(node).fill")
    expect(second.first).to_have_css("fill", first)


HTML = "text=%3Cimg+src%3Dx+onerror%3Dwindow.bad=1%3E+%3Cb%3Eb%3C%2Fb%3E"


@pytest.mark.parametrize(
    ("link", "figure"),
    [("attention?att_on=a+sentence", ".attention-steps"), ("masks?", ".mask-brush"), ("positions?", ".shuffler")],
)
@pytest.mark.wide
def test_words_are_never_read_as_html(visit, server: str, link: str, figure: str):
    page = visit(None).page
    opened(page, f"{server}/{link}&{HTML}")
    # Of many words in a row some have no room for their name.
    expect(page.locator(figure).get_by_text("<").locator("visible=true").first).to_be_visible()
    assert page.locator(f"{figure} img").count() == 0
    assert page.evaluate("window.bad") is None
