"""Photographs views for the places that lead to them, as pages/lessons/frames.py has it: python -m tests.browser.frames

Run it when one of these views looks another way; photographs of views that nothing leads to any more go. A window as
narrow as a phone makes the marks large, so that they are still read when the photograph is small.
"""

import io
from collections import Counter
from typing import Literal

from PIL import Image
from playwright.sync_api import Locator, Page

from lab.kit.lessons import shelf
from lab.kit.lessons.shelf import Place
from pages.lessons import frames
from tests.browser.chromium import launch
from tests.browser.conftest import serve

WINDOW = {"width": 470, "height": 900}
WIDE, TALL = 440, 330  # of a photograph, in pixels of the page
SHARP = 2  # pixels of the photograph for each of these
TALLEST = 1.5  # photographs high: what is taller would be too small to recognise
BARE = ".st-key-lesson-bar, [data-testid=stHeader] { display: none !important; }"
SCHEMES: dict[str, Literal["light", "dark"]] = {frames.DAY: "light", frames.NIGHT: "dark"}

# What carries the data: a wall of words, or the largest drawing in the upper half of the window that is at least half
# as wide as the view, or else the component. Its place in the window, [left, top, width, height].
FIGURE = """(view) => {
    const all = [];
    const walk = (node) => {
        for (const child of node.children) {
            all.push(child);
            if (child.shadowRoot) walk(child.shadowRoot);
            walk(child);
        }
    };
    walk(view);
    const wide = view.getBoundingClientRect().width;
    const boxes = (kind) => all
        .filter((node) => node.matches(kind) && node.checkVisibility())
        .map((node) => node.getBoundingClientRect())
        .filter(({ top, width, height }) => top < innerHeight / 2 && width >= wide / 2 && height >= 150);
    const area = ({ width, height }) => width * height;
    const largest = (list) => list.sort((a, b) => area(b) - area(a))[0];
    const box = largest(boxes('.wall')) ?? largest(boxes('canvas, svg, [role=grid], table'))
        ?? largest(boxes('[data-figure]')) ?? view.getBoundingClientRect();
    return [box.left, box.top, box.width, box.height];
}"""


def wanted() -> list[Place]:
    """The stops that are photographed: those of the first lesson."""
    first = shelf.ORDER[0]
    return [Place(first, n) for n in range(1, 1 + len(shelf.lesson(first).stops))]


def to_stop(place: Place, page: Page, server: str) -> Locator:
    """The view of a stop, as it is once its question has been answered."""
    page.goto(f"{server}/{place.address}")
    page.locator(".st-key-lesson-bar").wait_for()
    if place.stop.predict:
        skip = page.get_by_role("button", name="I have no idea: show me")
        skip.click()
        skip.wait_for(state="detached")
    return page.locator(".st-key-lesson-view")


def photograph(page: Page, view: Locator) -> Image.Image:
    """What carries the data of a view, in the middle and without what stands around it; smaller if it is taller than a
    photograph, so that it is whole, and of the tallest the upper part."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(state="attached")
    page.add_style_tag(content=BARE)
    page.wait_for_timeout(4000)  # for what moves
    left, top, width, height = view.evaluate(FIGURE)
    high = min(height, TALLEST * TALL)
    x = max(0, left + min(0, (width - WIDE) / 2))
    clip = {"x": min(x, WINDOW["width"] - WIDE), "y": max(0, top), "width": WIDE, "height": high}
    taken = Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")
    size = SHARP * WIDE, SHARP * TALL
    taken.thumbnail(size, Image.Resampling.LANCZOS)
    # What there is most of beside its edge, which itself may be the line around a panel.
    beside = Counter(taken.getpixel((6 * SHARP, y)) for y in range(taken.height))
    ((ground, _),) = beside.most_common(1)
    whole = Image.new("RGB", size, ground)
    whole.paste(taken, ((size[0] - taken.width) // 2, (size[1] - taken.height) // 2))
    return whole


def main() -> None:
    frames.FOLDER.mkdir(exist_ok=True)
    for old in frames.FOLDER.glob("*.webp"):
        old.unlink()
    with serve() as server, launch() as browser:
        for theme, scheme in SCHEMES.items():
            page = browser.new_page(
                viewport=WINDOW, reduced_motion="reduce", color_scheme=scheme, device_scale_factor=SHARP
            )
            for place in wanted():
                file = frames.path(place.stop.link.address(), theme)
                photograph(page, to_stop(place, page, server)).save(file, "WEBP", quality=45)
                print(file.stat().st_size, "bytes:", place.address)


if __name__ == "__main__":
    main()
