"""The frame of all pages: the top bar with its two tools, the same at every place, and what they do."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from lab.kit import settings
from lab.kit.catalogue import PAGES
from lab.kit.lessons.reader import read
from tests.browser.test_look import GO

OPAQUE = "() => getComputedStyle(document.querySelector('[data-testid=stHeader]')).backgroundColor"

# Whether there is a figure as large as one is; and the name of the one that has the focus.
FIGURE = """() => {
    const nodes = (root) => [...root.querySelectorAll('*')].flatMap((node) =>
        [node, ...(node.shadowRoot ? nodes(node.shadowRoot) : [])]);
    return nodes(document).some((node) => node.dataset?.figure && node.getBoundingClientRect().height > 60);
}"""
FOCUSED_FIGURE = """() => {
    let at = document.activeElement;
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at.dataset.figure;
}"""


def opened(visit, path: str, **more) -> Page:
    page = visit(path, painted=False, **more).page
    expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_be_visible()
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    return page


@pytest.fixture
def opening(visit, server: str):
    """A page whose figures are held back, once its question is there; and what was held. It looks at itself when a test
    says look(), and takes it that so many milliseconds have passed: look(5000)."""

    def opening(**more) -> tuple[Page, list[Route]]:
        page, held = visit(None, covered=True, **more).page, []
        page.add_init_script("""(() => {
            const every = setInterval.bind(window);
            window.setInterval = (act, ms, ...more) => (ms === 50 ? ((window.look = act), 0) : every(act, ms, ...more));
        })()""")
        page.route("**/js/BidiComponent.*", lambda route: held.append(route))
        page.goto(f"{server}/why")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        return page, held

    return opening


def is_covered(what: Locator) -> bool:
    return what.evaluate(
        "node => { while (node && getComputedStyle(node).opacity !== '0') node = node.parentElement; return !!node; }"
    )


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.wide)])
def test_a_page_is_covered_but_for_its_question_until_its_first_screen_is_complete(opening, scheme: str):
    page, held = opening(color_scheme=scheme)
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert ground == {"light": "rgb(251, 250, 248)", "dark": "rgb(19, 17, 24)"}[scheme], "no flash of white"
    question, below = page.get_by_role("heading", level=1), page.get_by_text("Check yourself").first
    for ms in (0, 1000, 2000):
        page.evaluate(f"look({ms})")
    assert not is_covered(question)
    assert is_covered(below), "what comes below the figure is not seen without it"
    question.evaluate("node => document.fonts.load(getComputedStyle(node).font)")  # in others it is wider
    place = question.bounding_box()

    for route in held:
        route.continue_()
    expect(page.locator(".race")).to_be_attached()
    page.wait_for_function("look(3000) || document.documentElement.dataset.opened === ''")
    expect(page.locator("html")).to_have_attribute("data-opened", "")
    assert not is_covered(below)
    assert question.bounding_box() == pytest.approx(place, abs=0.5), "the question stays where it was"


@pytest.mark.wide
def test_what_draws_charts_is_read_once_somebody_scrolls_and_not_before_the_figure_is_there(visit, server: str):
    page, asked = visit(None, covered=True).page, []
    page.clock.set_fixed_time("2026-11-26")  # on a busy machine something may be waited for long enough to let it go
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("?now") else None)
    page.add_init_script("""(() => {
        const later = setTimeout.bind(window);
        const held = [4500, 15000]; // of a first beat, and the longest wait
        window.setTimeout = (act, ms, ...more) => later(act, held.includes(ms) ? 1e8 : ms, ...more);
    })()""")
    page.goto(f"{server}/blocks?blocks_part=Modern+blocks")
    expect(page.locator("html")).to_have_attribute("data-opened", "")
    expect(page.locator(".two-blocks")).to_be_visible()
    assert asked == []
    page.get_by_role("heading", level=1).hover()
    page.mouse.wheel(0, 300)
    expect(page.locator(".js-plotly-plot").first).to_be_attached()
    assert len({url for url in asked if "PlotlyChart" in url}) == 1


@pytest.mark.wide
def test_what_the_first_screen_waits_for_does_not_wait_for_it(opening):
    """A chart may be the figure: what is held back is let go as soon as something on the first screen is missing."""
    page, _ = opening()
    is_let_go = "() => Promise.race([attentionLabLater.then(() => true), new Promise((go) => setTimeout(go, 50))])"
    assert not page.evaluate(is_let_go)
    page.evaluate("look(0)")
    page.evaluate("look(400)")
    assert page.evaluate(is_let_go)


@pytest.mark.parametrize(
    "way", ["the page has looked often enough", pytest.param("the last of style sheets", marks=pytest.mark.wide)]
)
def test_a_page_whose_figure_does_not_come_is_uncovered_all_the_same(opening, way):
    page, _ = opening()
    below = page.get_by_text("Check yourself").first
    assert is_covered(below)
    if way == "the last of style sheets":
        page.evaluate("document.getAnimations().forEach((one) => one.effect.getTiming().delay > 9000 && one.finish())")
    else:
        page.evaluate("look(0)")
        page.evaluate("look(7900)")
        assert is_covered(below)
        page.evaluate("look(8000)")
    assert not is_covered(below)


@pytest.mark.wide
def test_the_bar_is_the_same_on_pages_of_every_section(visit, server: str):
    """It hides what is scrolled under it, says which section the page is in, and has its tools at one place."""
    page = opened(visit, "/words")  # a step before the page is there leads to the first one
    places = set()
    for entry in {entry.section: entry for entry in reversed(PAGES)}.values():
        page.evaluate(GO, f"{server}/{entry.url}")
        expect(page.get_by_role("heading", level=1, name=entry.question)).to_be_visible()
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        tools = (page.get_by_role("button", name=name, exact=True) for name in ("Present", "Share"))
        places.add(tuple(str(tool.bounding_box()) for tool in tools))
        assert re.fullmatch(r"rgb\(.*\)", page.evaluate(OPAQUE)), "no fourth number: nothing shines through"
        marked = page.locator("[data-testid=stTopNav] :is(a, button)").filter(has_text=entry.section or entry.title)
        expect(marked).to_have_css("font-weight", "700")
        if entry.section:
            home = page.locator("[data-testid=stTopNav] a").filter(has_text="Attention Lab")
            expect(home).not_to_have_css("font-weight", "700")
    assert len(places) == 1


# How far the first tool stands from the last name of a page, or from what opens their list.
APART = """() => {
    const seen = (selector) => [...document.querySelectorAll(selector)]
        .map((node) => node.getBoundingClientRect()).filter(({ width }) => width);
    const names = seen('[data-testid=stTopNav] :is(a, button), [data-testid=stExpandSidebarButton]');
    const tools = seen('.st-key-tools :is(button, a)');
    return Math.min(...tools.map(({ left }) => left)) - Math.max(...names.map(({ right }) => right));
}"""


@pytest.mark.wide
def test_the_tools_stand_beside_the_names_of_the_pages_on_screens_of_every_width(visit):
    page = opened(visit, "/heads")
    page.get_by_role("button", name="Compare").wait_for()
    for width in (641, 700, 768, 860, 1019, 1020, 1280):
        page.set_viewport_size({"width": width, "height": 720})
        page.wait_for_function(f"() => innerWidth === {width} && ({APART})() > 0")


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.wide)])
@pytest.mark.wide
def test_the_frame_has_the_colours_of_the_theme(visit, scheme: str):
    page = opened(visit, "/why", color_scheme=scheme)
    ground, header = (
        page.locator(f"[data-testid={name}]").evaluate("(node) => getComputedStyle(node).backgroundColor")
        for name in ("stApp", "stHeader")
    )
    assert ground == header


@pytest.mark.parametrize(
    "path",
    ["heads", *(pytest.param(p.url, marks=pytest.mark.wide) for p in PAGES if p.url != "heads")],
    ids=lambda url: url or "front page",
)
def test_the_first_stop_of_the_keyboard_leads_to_the_figure(visit, path: str):
    """It is in sight while it has the focus, and only then; the next stop lies in the figure or after it."""
    page = opened(visit, f"/{path}")
    skip = page.get_by_role("button", name="Skip to the figure")
    page.wait_for_function(FIGURE)
    expect(skip).not_to_be_in_viewport()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    assert page.evaluate(FOCUSED_FIGURE)
    expect(skip).not_to_be_in_viewport()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement !== document.body && !document.activeElement.closest('header')")


def test_share_copies_the_link_and_draws_its_code(visit):
    page = opened(visit, "/positions", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share").click()
    tool = page.locator(".share-link")
    expect(tool.get_by_role("img", name="QR code of the link")).to_be_visible()
    tool.get_by_role("button", name="Copy the link").click()
    expect(tool.get_by_role("status")).to_contain_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


@pytest.mark.wide
def test_a_view_is_copied_as_a_stop_of_a_lesson_that_can_be_read(visit):
    page = opened(visit, "/positions", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share").click()
    tool = page.locator(".share-link")
    expect(tool.get_by_role("img", name="QR code of the link")).to_be_visible()
    take = tool.get_by_role("button", name="Copy the stop")
    expect(take).to_be_in_viewport(ratio=1)  # beside the link's, before anything is unfolded
    take.click()
    expect(tool.get_by_role("status")).to_contain_text("Put it into your lesson")
    expect(tool.get_by_role("textbox", name="This view as a stop of a lesson")).to_be_in_viewport(ratio=1)
    expect(tool.locator("dt").filter(has_text=re.compile("^text$"))).to_have_count(1)
    expect(tool.locator("dt").filter(has_text="learned-")).to_have_count(0)  # questions are none of its controls
    copied = page.evaluate("navigator.clipboard.readText()")
    lesson = read(f"---\ntitle: Mine\nminutes: 1\nfor: me\n---\nIt is short.\n\n{copied}", shared=settings.shared())
    (stop,) = lesson.stops
    assert stop.link.page == "positions"
    assert "text" in stop.controls


@pytest.mark.wide
def test_on_a_phone_the_tools_are_signs_that_still_have_their_names(visit):
    page = opened(visit, "/positions", viewport={"width": 390, "height": 844})
    for name in ("Compare", "Share"):
        box = page.get_by_role("button", name=name).bounding_box()
        assert box
        assert box["x"] + box["width"] <= 390
        assert box["width"] < 70
