"""Photographs views for the places that lead to them, as lab/kit/frames.py has it: python -m tests.browser.frames

Run it when one of these views looks another way; photographs of views that nothing leads to any more go.
"""

import io
from collections.abc import Callable
from functools import partial

from PIL import Image
from playwright.sync_api import Locator, Page

from lab.kit import frames
from lab.kit.lessons import shelf
from lab.kit.lessons.shelf import Place
from pages.challenges.challenges import CHALLENGES
from tests.browser.chromium import launch
from tests.browser.conftest import serve

SIZE = {"width": 960, "height": 640}
WIDE, TALL = 320, 180  # pixels of a photograph
BARE = ".st-key-lesson-bar, [data-testid=stHeader] { display: none !important; }"

Way = Callable[[Page, str], Locator]  # (page, address of the server) -> what is to be seen


def wanted() -> dict[str, Way]:
    """Every link that is photographed, and the way there: the stops of the first lesson, where the others begin, and
    the puzzles."""
    first, *others = shelf.ORDER
    n_stops = len(shelf.lesson(first).stops)
    places = [*(Place(first, n) for n in range(1, 1 + n_stops)), *(Place(name, 1) for name in others)]
    stops = {place.stop.link.address(): partial(to_stop, place) for place in places}
    return stops | {challenge.address: partial(to_view, challenge.address) for challenge in CHALLENGES}


def to_stop(place: Place, page: Page, server: str) -> Locator:
    """The view of a stop, as it is once its question has been answered."""
    page.goto(f"{server}/{place.address}")
    page.locator(".st-key-lesson-bar").wait_for()
    if place.stop.predict:
        skip = page.get_by_role("button", name="I have no idea: show me")
        skip.click()
        skip.wait_for(state="detached")
    return page.locator(".st-key-lesson-view")


def to_view(address: str, page: Page, server: str) -> Locator:
    page.goto(f"{server}/{address}")
    figure = page.locator("[data-figure]:visible").last
    figure.wait_for()
    return figure


def photograph(page: Page, view: Locator) -> Image.Image:
    """The upper left of a view, as much of it as has the right shape."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(state="attached")
    page.add_style_tag(content=BARE)
    page.wait_for_timeout(4000)  # for what moves
    box = view.bounding_box()
    assert box
    high = min(box["width"] * TALL / WIDE, SIZE["height"] - box["y"])
    clip = {"x": box["x"], "y": box["y"], "width": high * WIDE / TALL, "height": high}
    shot = Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")
    return shot.resize((WIDE, TALL), Image.Resampling.LANCZOS)


def main() -> None:
    frames.FOLDER.mkdir(exist_ok=True)
    for old in frames.FOLDER.glob("*.webp"):
        old.unlink()
    with serve() as server, launch() as browser:
        page = browser.new_page(viewport=SIZE, reduced_motion="reduce")
        for address, way in wanted().items():
            photograph(page, way(page, server)).save(frames.path(address), "WEBP", quality=60)
            print(frames.path(address).stat().st_size, "bytes:", address)


if __name__ == "__main__":
    main()
