"""The page on vision in a browser: a patch asks, a head is opened, a picture is drawn by hand and by keyboard."""

import re

from playwright.sync_api import expect


def test_a_patch_asks_a_head_opens_and_a_drawing_is_read(visit):
    page = visit("/vision?vision_layer=0&vision_head=0", painted=False).page
    view = page.locator(".patch-view")
    expect(view).to_have_attribute("data-at", "0")
    patches = view.get_by_role("listbox")
    view.get_by_role("option", name="patch in row 3, column 2").click()
    expect(view).to_have_attribute("data-at", "14")  # after the class token, two rows of six, and one patch
    patches.press("ArrowRight")
    patches.press("ArrowUp")
    expect(view).to_have_attribute("data-at", "9")
    expect(view.locator(".said")).to_contain_text("the patch in row 2, column 3 looks most at")
    view.get_by_role("button", name="layer 1, rollout").click()
    expect(view.get_by_role("heading", name="Rollout to layer 1")).to_be_visible()
    expect(page).to_have_url(re.compile("vision_at=9&vision_layer=1&vision_head=4|vision_layer=1.*vision_at=9"))

    page.get_by_role("radio", name="draw one").click()
    expect(view.locator(".question").nth(1).locator(".best .name")).to_have_text("blue")
    page.get_by_role("button", name="Draw").click()
    sketch = page.locator(".sketch")
    sketch.get_by_role("button", name="Clear").click()
    sketch.get_by_role("button", name="red").click()
    canvas = sketch.locator("canvas")
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    page.mouse.down()
    for y in range(60, 110, 20):
        page.mouse.move(box["x"] + 120, box["y"] + y)
        page.mouse.move(box["x"] + 60, box["y"] + y + 10)
    page.mouse.up()
    expect(view.locator(".question").nth(1).locator(".best .name")).to_have_text("red")
    expect(page).to_have_url(re.compile("vision_drawing=[a-y]{288}"))
    before = sketch.get_attribute("data-code")
    sketch.get_by_role("button", name="green").click()
    canvas.press("ArrowRight")
    canvas.press("Space")
    changed = [n for n, (a, b) in enumerate(zip(before, sketch.get_attribute("data-code"), strict=True)) if a != b]
    assert 2 <= len(changed) <= 4  # a brush of 2 x 2 cells, two cells to a letter
