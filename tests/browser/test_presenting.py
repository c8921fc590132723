"""Presentation mode as the last row sees it, its keys, and a page that is put back as it opens."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from lab.kit.lessons import shelf

SMALLEST = 20  # pixels of type at 1280 x 720: on a picture of 2 m, capitals of 22 mm, which are read from 8 m
STOPS = {n: stop.link.address().removeprefix(".") for n, stop in enumerate(shelf.lesson("heads").stops, 1)}
SECOND = re.compile("why_view=What")  # the second view of its page
# Of the figures on stage: (the smallest type, the lowest edge), in pixels of the screen; None until they are drawn.
MEASURED = """() => {
    const figures = [...document.querySelectorAll('[data-stage=figure]')];
    const sizes = [], edges = [];
    const walk = (root) => root.querySelectorAll('*').forEach((node) => {
        if (node.shadowRoot) walk(node.shadowRoot);
        const says = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
        if (!says || node.tagName === 'STYLE' || !node.getClientRects().length || node.closest('.unseen')) return;
        const drawn = node.ownerSVGElement && node.getScreenCTM();
        const by = drawn ? Math.hypot(drawn.a, drawn.b) : (node.currentCSSZoom ?? 1);
        sizes.push(parseFloat(getComputedStyle(node).fontSize) * by);
    });
    for (const figure of figures) {
        walk(figure);
        edges.push((figure.querySelector('.svg-container') ?? figure).getBoundingClientRect().bottom);
    }
    return sizes.length ? [Math.min(...sizes), Math.max(...edges)] : null;
}"""


def presented(page: Page) -> None:
    expect(page.locator("html")).to_have_attribute("data-present", "on")
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(state="attached")


@pytest.mark.wide
def test_words_keep_their_spaces_where_a_view_is_drawn_smaller(visit) -> None:
    """As on the board of a rehearsal. Browsers hint the text of buttons and boxes unless they are told otherwise."""
    page = visit("/heads?present=1").page
    presented(page)
    for part in (page.locator(".attention-view button").first, page.locator("input").first, page.locator("body")):
        assert part.evaluate("(node) => getComputedStyle(node).textRendering") == "geometricprecision"


@pytest.mark.wide
def test_figures_are_read_from_the_last_row(visit, server: str) -> None:
    page = visit("/why?present=1", painted=False).page
    for path in ("why", "positions?pos_view=Added+to+the+words", "generation?gen_view=The+cache"):
        page.goto(f"{server}/{path}{'&' if '?' in path else '?'}present=1")
        presented(page)
        fits = f"() => {{ const seen = ({MEASURED})(); return seen && seen[1] <= innerHeight; }}"
        page.wait_for_function(fits, polling=100)
        smallest, lowest = page.evaluate(MEASURED)
        assert smallest >= SMALLEST, path
        assert lowest <= 720
        expect(page.get_by_test_id("stHeader")).to_be_hidden()


def test_the_keys_of_a_presentation(visit) -> None:
    page = visit("/why", painted=False, reduced_motion="reduce").page
    expect(page.get_by_role("button", name="Present")).to_be_visible()
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(state="attached")
    page.get_by_test_id("stMain").focus()  # as after a click on the page
    page.keyboard.press("p")
    presented(page)
    ring = "e => [getComputedStyle(e).outlineStyle, getComputedStyle(e).boxShadow]"
    assert page.get_by_test_id("stMain").evaluate(ring) == ["none", "none"]
    expect(page.locator(".st-key-present-forward button")).to_be_attached()  # what the arrow presses
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(SECOND)
    page.keyboard.press("b")
    expect(page.locator(".present-sheet")).to_be_visible()
    page.keyboard.press("ArrowRight")  # any key, and it does nothing else
    expect(page.locator(".present-sheet")).to_have_count(0)
    page.keyboard.press("q")
    expect(page.locator(".present-sheet svg")).to_be_visible()
    page.keyboard.press("x")
    expect(page).to_have_url(SECOND)
    page.keyboard.press("Escape")
    expect(page.locator("html")).not_to_have_attribute("data-present", "on")
    expect(page.get_by_role("button", name="Present")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.wide
def test_a_page_is_put_back_as_it_opens_and_what_was_there_comes_back(visit) -> None:
    view = visit("/heads?text=one+two+three&weights=untrained&layer=1&head=2&query=1")
    before = urlsplit(view.page.url).query
    entries = view.page.evaluate("history.length")
    view.page.get_by_role("button", name="Share").click()
    view.page.get_by_role("button", name="Reset this page").click()
    expect(view.page.get_by_text("This page is as it opens")).to_be_visible()
    view.page.locator(".attention-view[data-painted]").first.wait_for(state="attached")
    view.settle()
    assert urlsplit(view.page.url)[2:4] == ("/heads", "")
    assert (view.shown["layer"], view.shown["head"]) != ("1", "2")
    view.page.get_by_role("button", name="Undo").click()
    expect(view.page.get_by_text("All is as it was before the reset.")).to_be_visible()
    view.expect(layer=1, head=2, query=1)
    assert sorted(urlsplit(view.page.url).query.split("&")) == sorted(before.split("&"))
    assert view.page.evaluate("history.length") == entries


@pytest.mark.wide
def test_the_studies_of_heads_are_presented_with_what_they_say(visit) -> None:
    """Beside the picture, which keeps its list of patterns; and in a lesson, which speaks of both."""
    page = visit("/heads?closer=Ablation&weights=trained+on+reviews&layer=0&head=3&present=1").page
    presented(page)
    picture = page.locator(".attention-view").first
    for text in ("whole model", "without layer 0, head 3", "How far each token moves"):
        said = page.locator(".st-key-study-picture").get_by_text(text).first
        expect(said).to_be_visible()
        assert said.bounding_box()["x"] > 800
    assert picture.locator(".thumbs").bounding_box()["x"] < 600
    expect(picture.get_by_text("Looks at the first token")).to_be_visible()
    expect(picture.locator(".tag.on")).to_have_text(re.compile("everyone looks at “but”"))
    expect(picture.locator(".tag.on")).to_be_visible()
    expect(page.get_by_text("The output of this one head is set to zero")).to_be_hidden()


@pytest.mark.wide
def test_a_lesson_on_heads_can_be_presented(visit) -> None:
    for stop, text in ((2, "without layer 0, head 3"), (3, "What matters to"), (4, "Looks at the first token")):
        page = visit(f"{STOPS[stop]}&lesson=heads&stop={stop}&present=1", painted=False).page
        page.locator(".st-key-lesson-no-guess button").click()
        presented(page)
        said = page.locator(".st-key-lesson-view").get_by_text(text).first
        expect(said).to_be_visible()
        bar = page.locator(".st-key-lesson-bar").bounding_box()
        assert said.bounding_box()["y"] < bar["y"], f"stop {stop}: it is below the bar"
