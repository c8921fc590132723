"""Photographs the stops of the first lesson for the film on the page of lessons: python -m tests.browser.frames

Each frame bears the digest of its stop's link; frames of stops that are gone go. Run it when a view of the lesson looks
another way.
"""

import io

from PIL import Image
from playwright.sync_api import Page

from lab.kit.lessons import shelf
from lab.kit.lessons.shelf import Place
from pages.lessons import frames
from tests.browser.chromium import launch
from tests.browser.conftest import serve

SIZE = {"width": 960, "height": 640}
WIDE, TALL = 320, 180  # pixels of a frame
BARE = ".st-key-lesson-bar, [data-testid=stHeader] { display: none !important; }"


def photograph(page: Page, address: str, place: Place) -> bytes:
    """The view of a stop, as it is once its question has been answered."""
    page.goto(f"{address}/{place.address}")
    view = page.locator(".st-key-lesson-view")
    skip = page.get_by_role("button", name="I have no idea: show me")
    page.locator(".st-key-lesson-bar").wait_for()
    if place.stop.predict:
        skip.click()
        skip.wait_for(state="detached")
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(state="attached")
    page.add_style_tag(content=BARE)
    page.wait_for_timeout(3000)  # for what moves, though it should not
    box = view.bounding_box()
    assert box
    high = min(box["width"] * TALL / WIDE, SIZE["height"] - box["y"])
    return page.screenshot(clip={"x": box["x"], "y": box["y"], "width": high * WIDE / TALL, "height": high})


def main() -> None:
    places = [Place(shelf.ORDER[0], n) for n in range(1, 1 + len(shelf.lesson(shelf.ORDER[0]).stops))]
    frames.FOLDER.mkdir(exist_ok=True)
    for old in frames.FOLDER.glob("*.webp"):
        old.unlink()
    with serve() as address, launch() as browser:
        page = browser.new_page(viewport=SIZE, reduced_motion="reduce")
        for place in places:
            shot = Image.open(io.BytesIO(photograph(page, address, place))).convert("RGB")
            shot.resize((WIDE, TALL), Image.Resampling.LANCZOS).save(frames.path(place.stop), "WEBP", quality=60)
            print(place.number, frames.path(place.stop).stat().st_size, "bytes")


if __name__ == "__main__":
    main()
