"""At 200% zoom a window of 1280 x 720 is one of 640 x 360: nothing is cut off, and all controls can be reached."""

import pytest
from playwright.sync_api import Page, ViewportSize

from lab.kit.catalogue import PAGES
from tests.browser.test_look import opened
from tests.browser.view import WIDE
from tests.further import further

ZOOMED: ViewportSize = {"width": 640, "height": 360}
# Words that are cut off: in sight, wider than the box that holds them, and out of reach because it does not scroll.
CUT = """() => {
    const cut = [];
    const words = 'button, label, h1, h2, h3, p, li, td, th, summary, .chip, .chips span';
    const walk = (root) => {
        for (const node of root.querySelectorAll('*')) if (node.shadowRoot) walk(node.shadowRoot);
        for (const node of root.querySelectorAll(words)) {
            const box = node.getBoundingClientRect(), style = getComputedStyle(node);
            if (box.width < 4 || box.height < 4 || style.visibility === 'hidden' || style.clipPath !== 'none') continue;
            if (node.closest('.katex, [aria-hidden=true], [hidden], .rc-overflow')) continue;
            const hides = ['hidden', 'clip'].includes(style.overflowX) && node.scrollWidth > node.clientWidth + 1;
            if (hides) cut.push(`${node.tagName} ${node.textContent.trim().slice(0, 60)}`);
        }
    };
    walk(document.querySelector('[data-testid=stMain]'));
    return cut;
}"""


def zoomed(visit, address: str) -> Page:
    page = visit(None, viewport=ZOOMED, device_scale_factor=2, reduced_motion="reduce").page
    opened(page, address)
    page.wait_for_function(f"() => ({WIDE})() <= 1")
    return page


@pytest.mark.wide
@pytest.mark.parametrize("path", further([page.url for page in PAGES], 0), ids=lambda url: url or "front page")
def test_nothing_is_cut_off_at_200_percent(visit, server: str, path: str):
    page = zoomed(visit, f"{server}/{path}")
    assert page.evaluate(CUT) == []
    main = page.get_by_test_id("stMain")
    for control in main.locator("[class*=st-key-switch-] :is([role=radio], [data-testid=stMenuButton] button)").all():
        control.click(trial=True)  # scrolls there, and fails where something lies over it
    opens = main.get_by_role("button", name="Change the settings")
    if opens.count():
        opens.first.click()
        body = page.get_by_test_id("stPopoverBody").first
        body.wait_for()
        box = body.bounding_box()
        assert box is not None
        assert box["x"] >= -1
        assert box["x"] + box["width"] <= ZOOMED["width"] + 1
        for control in body.locator("[role=slider], [role=radio], [role=combobox], input[type=text]").all():
            control.scroll_into_view_if_needed()
            at = control.bounding_box()
            assert at is None or (at["y"] >= -1 and at["y"] + at["height"] <= ZOOMED["height"] + 1)
