"""What the first screen of a page is made of: where its figure begins, how much of it figures cover, and what else is
there."""

from collections.abc import Mapping
from typing import NamedTuple

from playwright.sync_api import Page, ViewportSize

from tests.browser.view import let_pass

# A figure is at least 120 x 60 pixels; figures that overlap cover their union once. A control or a text belongs to a
# figure where its middle lies on one. In shadow roots, too.
#
# The items of a menu bar, a toolbar or a list box with one stop of the Tab key are one control: the words of a sentence
# are read as a sentence, and whoever comes by keyboard passes them with one key. Radio buttons are counted one by one:
# they stand there as so many answers, however few stops they have.
MEASURE = """() => {
    const FIGURE = 'canvas, svg, [role=grid], .js-plotly-plot, video, img, [data-figure]';
    const CONTROL = 'button, a[href], input, select, textarea, [role=slider], [role=button], [role=tab], [role=radio],'
        + '[role=menuitem], [role=option], [role=link], [role=checkbox], [role=switch]';
    const COMPOSITE = '[role=menubar], [role=toolbar], [role=listbox]';
    const top = document.querySelector('[data-testid=stHeader]').getBoundingClientRect().bottom;
    const elements = [];
    const walk = (root) => {
        for (const node of root.children) {
            elements.push(node);
            if (node.shadowRoot) walk(node.shadowRoot);
            walk(node);
        }
    };
    walk(document.body);
    const seen = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const onScreen = ({ left, top: t, right, bottom }) =>
        right - left > 1 && bottom - t > 1 && bottom > top && t < innerHeight && right > 0 && left < innerWidth;

    const figures = [];
    for (const node of elements) {
        const box = node.getBoundingClientRect();
        if (node.matches(FIGURE) && box.width >= 120 && box.height >= 60 && onScreen(box) && seen(node))
            figures.push([Math.max(0, box.left), Math.max(top, box.top),
                Math.min(innerWidth, box.right), Math.min(innerHeight, box.bottom)]);
    }
    const edges = [...new Set(figures.flatMap(([, t, , b]) => [t, b]))].sort((a, b) => a - b);
    let area = 0;
    edges.slice(1).forEach((low, n) => {
        const across = figures.filter(([, t, , b]) => t <= edges[n] && b >= low).sort((a, b) => a[0] - b[0]);
        let at = 0, wide = 0;
        for (const [left, , right] of across) {
            wide += Math.max(0, right - Math.max(at, left));
            at = Math.max(at, right);
        }
        area += wide * (low - edges[n]);
    });

    const isOutside = (box) => {
        const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
        return onScreen(box) && !figures.some(([l, t, r, b]) => x >= l && x <= r && y >= t && y <= b);
    };
    const controls = new Set();
    for (const node of elements) {
        if (!node.matches(CONTROL) || !seen(node) || !isOutside(node.getBoundingClientRect())) continue;
        const whole = node.closest(COMPOSITE);
        controls.add(whole?.querySelectorAll('[tabindex="0"]').length === 1 ? whole : node);
    }
    let words = 0;
    const range = document.createRange();
    for (const node of [document.body, ...elements]) {
        if (node.matches('style, script') || !seen(node)) continue;
        const own = node.getBoundingClientRect();
        if (own.width <= 1 || own.height <= 1) continue; // for who listens
        for (const child of [...node.childNodes, ...(node.shadowRoot?.childNodes ?? [])]) {
            if (child.nodeType !== Node.TEXT_NODE) continue;
            range.selectNode(child);
            if (isOutside(range.getBoundingClientRect())) words += (child.data.match(/[A-Za-z]{2,}/g) ?? []).length;
        }
    }
    const tops = figures.filter(([l, t, r, b]) => (r - l) * (b - t) > 20000).map(([, t]) => t);
    const share = (100 * area) / (innerWidth * (innerHeight - top));
    return { top: tops.length ? Math.min(...tops) : innerHeight, share, controls: controls.size, words };
}"""
# What is above a page that is scrolled is not measured.
TO_TOP = "() => document.querySelector('[data-testid=stMain]')?.scrollTo(0, 0)"


class FirstScreen(NamedTuple):
    """top: pixels from the edge of the window to the first figure; share: percent of the room below the bar that
    figures cover; controls and words outside of figures."""

    top: float
    share: float
    controls: int
    words: int


def measured(page: Page) -> FirstScreen:
    """The first screen of the page that is open, once nothing on it changes any more."""
    page.evaluate(TO_TOP)
    before, now = None, page.evaluate(MEASURE)
    while before != now:
        let_pass(page, 300)
        before, now = now, page.evaluate(MEASURE)
    return FirstScreen(**now)


class Law(NamedTuple):
    """The highest top, the least share, the most controls and words of a first screen; and how far from these it may be
    on either side, so that another machine's fonts do not decide: a control or a word more is no other page."""

    screen: ViewportSize
    limits: Mapping[str, float]

    def broken_by(self, shown: FirstScreen, *, by: float = 0) -> set[str]:
        """What falls short of the law by more than so many margins."""
        more = {name: getattr(shown, name) - limit for name, limit in self.limits.items()}
        return {name for name, over in more.items() if (-over if name == "share" else over) > by * MARGINS[name]}


MARGINS = {"top": 6, "share": 2, "controls": 1, "words": 6}
LAPTOP = Law({"width": 1280, "height": 720}, {"top": 200, "share": 55, "controls": 20, "words": 120})
LARGE = Law({"width": 1920, "height": 1080}, {"share": 60})
PHONE = Law({"width": 390, "height": 844}, {"top": 400})
