"""What comes into a page must not cost the style of all that is there.

A chart measures its words one by one: each is put into the document, and the browser asked how large it is. Where a
rule with :has() stands so that any newcomer may change what it matches, the browser works out the whole page for each:
that took most of the time in which a page with a chart opened.
"""

import json

import pytest
from playwright.sync_api import Page

from tests.browser.view import let_pass

# At the end of the document, where charts measure; and in the page, where texts and charts are drawn.
PLACES = ("body", "[data-testid=stMainBlockContainer] > [data-testid=stVerticalBlock]")
PUT_IN = """(place) => {
    const one = document.createElement('div');
    one.textContent = 'measured';
    document.querySelector(place).append(one);
    one.getBoundingClientRect();
    one.remove();
    document.body.getBoundingClientRect();
}"""
MOST = 1 / 5  # of the elements of a page: its own rows and columns are laid out by what is in them


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "link",
    [
        "/blocks?blocks_part=Ablation",
        "/embeddings?emb_part=Look+up",
        "/heads?lesson=attention&stop=2&guess=0",
        pytest.param("/masks?masks_a=causal&a=1", marks=pytest.mark.wide),
        pytest.param("/classroom", marks=pytest.mark.wide),
    ],
)
def test_a_newcomer_does_not_cost_the_style_of_the_whole_page(visit, server: str, link: str):
    page = visit(None, reduced_motion="reduce").page
    page.goto(server + link)
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    page.wait_for_function("() => document.querySelectorAll('*').length > 400")
    n_elements = page.evaluate("() => document.querySelectorAll('*').length")
    for place in PLACES:
        let_pass(page, 1000)
        n_styled = min(styled(page, place) for _ in range(3))  # what the page itself does at that moment is not counted
        assert n_styled < MOST * n_elements, place


def styled(page: Page, place: str) -> int:
    """How many elements the browser works out the style of for one newcomer, at the most at once."""
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    page.evaluate(PUT_IN, place)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    counts = [event["args"].get("elementCount", 0) for event in events if event["name"] == "UpdateLayoutTree"]
    assert counts, "the newcomer was measured"
    return max(counts)
