"""Without a pointer: on every view Tab comes to all that can be used, and leaves it again."""

import pytest
from playwright.sync_api import Page

from tests.browser.test_look import ALL, Stop, opened

# All that can be used and is seen, in shadow roots too; `window.stops` keeps it, each with what calls it by name.
COLLECT = """() => {
    const USED = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex],' +
        '[role=slider], [role=button], [role=radio], [role=checkbox], [role=switch], [role=tab], [role=link]';
    const found = [];
    const isSeen = (node) => node.checkVisibility({ visibilityProperty: true }) &&
        [...node.getClientRects()].some(({ width, height }) => width > 1 && height > 1);
    const OFF = ':disabled, [aria-disabled=true], [inert], [inert] *, [aria-hidden=true], [aria-hidden=true] *';
    const walk = (root) => root.querySelectorAll('*').forEach((node) => {
        if (node.shadowRoot) walk(node.shadowRoot);
        const isInputOfLabel = node.matches('input') && node.closest('label') && isSeen(node.closest('label'));
        if (node.matches(USED) && (isSeen(node) || isInputOfLabel) && !node.matches(OFF)) found.push(node);
    });
    walk(document);
    [window.stops, window.came] = [found, new Set()];
    return found.length;
}"""
ACTIVE = """() => {
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    window.came.add(node);
    return { isOut: node === document.body, html: node.outerHTML.slice(0, 120) };
}"""
# What no Tab came to, but for what arrow keys walk to from a stop of the same set, and what only a script gives focus.
MISSED = """() => {
    const SETS = '[role=radiogroup], [role=grid], [role=tablist], [role=tree], [role=treegrid], [role=listbox],' +
        '[role=menubar], [role=toolbar], [role=group], [role=application], table, svg, ul, ol';
    const { stops, came } = window;
    const sets = new Set();
    for (const node of came) {
        for (let set = node; set; set = set.parentElement) if (set.matches(SETS)) sets.add(set);
    }
    const isOfSet = (node) => {
        const isWalked = node.tabIndex < 0 || node.matches('[type=radio], [role=radio]');
        const isUsed = node.matches('a, button, input, select, textarea, [role]:not([role=presentation])');
        const set = node.closest(node.matches('[role=treeitem]') ? '[role=tree]' : SETS);
        return isWalked && (!isUsed || sets.has(set));
    };
    const missed = stops.filter((node) => node.isConnected && !came.has(node) && !isOfSet(node));
    return missed.map((node) => node.outerHTML.slice(0, 160));
}"""
# Whether it came into the figure.
IN_FIGURE = """() => {
    const above = (node) => node.parentNode instanceof ShadowRoot ? node.parentNode.host : node.parentNode;
    const isIn = (node) => node instanceof Element && (node.dataset.figure !== undefined || isIn(above(node)));
    return [...window.came].some(isIn);
}"""
N_WALKS = 4  # so that two browsers have about as much to do


def at_rest(page: Page) -> None:
    """Wait until nothing comes any more that can be used."""
    page.wait_for_function("""() => new Promise((done) => {
        const before = document.querySelectorAll('*').length;
        setTimeout(() => done(before === document.querySelectorAll('*').length), 500);
    })""")


def walk(page: Page) -> None:
    """Tab from the top to where it leaves the page; `window.came` keeps where it came to."""
    n = page.evaluate(COLLECT)
    at = {}
    for _ in range(2 * n + 20):
        page.keyboard.press("Tab")
        if (at := page.evaluate(ACTIVE))["isOut"]:
            return
    raise AssertionError(f"Tab does not leave the page: it is at {at['html']}")


@pytest.mark.parametrize("way", [pytest.param(ALL[k::N_WALKS], id=str(k)) for k in range(N_WALKS)])
@pytest.mark.wide
def test_tab_comes_to_all_that_can_be_used_on_every_view_and_leaves_it_again(visit, server: str, way: list[Stop]):
    page = visit(None, reduced_motion="reduce").page
    faults: list[str] = []
    for stop in way:
        opened(page, f"{server}{stop.link}")
        at_rest(page)
        walk(page)
        faults += [f"{stop.link}: no Tab comes to {missed}" for missed in page.evaluate(MISSED)]
        if not page.evaluate(IN_FIGURE):
            faults.append(f"{stop.link}: no Tab comes into the figure")
    assert faults == []
