"""The page on vision in a browser: a patch asks, a head is opened, a picture is painted on by hand and by keyboard."""

import re

from playwright.sync_api import expect


def test_a_patch_asks_and_a_head_opens(visit):
    page = visit("/vision?vision_layer=0&vision_head=0", painted=False).page
    view = page.locator(".patch-view")
    expect(view).to_have_attribute("data-at", "0")
    view.get_by_role("radio", name="a patch").check(force=True)
    patches = view.get_by_role("listbox")
    view.get_by_role("option", name="patch in row 3, column 2").click()
    expect(view).to_have_attribute("data-at", "14")  # after the class token, two rows of six, and one patch
    patches.press("ArrowRight")
    patches.press("ArrowUp")
    expect(view).to_have_attribute("data-at", "9")
    expect(view.locator(".said")).to_contain_text("The patch in row 2, column 3 gives ")
    heads = view.locator(".heads button")
    expect(heads).to_have_count(5)  # those of one layer, and the rollout
    expect(heads.first).to_have_accessible_name("layer 0, head 0")
    view.get_by_role("button", name="layer 1", exact=True).click()
    view.get_by_role("button", name="layer 1, rollout").click()
    expect(view.locator(".said")).to_contain_text("By rollout")
    expect(view.locator(".said")).to_contain_text("holds after layer 1")
    expect(page).to_have_url(re.compile("vision_at=9&vision_layer=1&vision_head=4|vision_layer=1.*vision_at=9"))


def test_a_drag_across_the_picture_reads_off_one_patch_after_the_other(visit):
    page = visit("/vision?vision_view=Cut+into+patches", painted=False, reduced_motion="reduce").page
    view = page.locator(".patch-rows")
    patches, texts = view.get_by_role("listbox"), view.locator(".numbers text")
    expect(view).to_have_attribute("data-at", "7")
    expect(texts.filter(has_text=re.compile(r"^\d+$"))).to_have_count(48)
    expect(texts.filter(has_text=re.compile("^(red|green|blue)$"))).to_have_text(["red", "green", "blue"])
    expect(view.locator("rect:is(.above, .below)")).to_have_count(48)
    box, before = patches.bounding_box(), view.locator(".numbers").inner_html()
    assert box["width"] > 400
    page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 0.3 * box["height"])
    page.mouse.down()
    expect(view).to_have_attribute("data-at", "8")
    page.mouse.move(box["x"] + 0.95 * box["width"], box["y"] + 0.95 * box["height"], steps=5)
    page.mouse.up()
    expect(view).to_have_attribute("data-at", "35")
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    expect(view).to_have_attribute("data-at", "35")  # the pointer is up
    assert view.locator(".numbers").inner_html() != before
    first = texts.filter(has_text=re.compile(r"^\d+$")).first
    expect(first).to_have_text(view.get_attribute("data-first"))
    patches.press("ArrowUp")
    expect(view).to_have_attribute("data-at", "29")
    row = view.locator(".row").bounding_box()
    page.mouse.click(row["x"] + 3, row["y"] + row["height"] / 2)
    expect(view).to_have_attribute("data-at", "0")
    expect(page).to_have_url(re.compile("vision_patch=0"))


def test_the_answers_follow_the_hand_on_the_picture(visit):
    page = visit("/vision", painted=False).page
    view = page.locator(".patch-view")
    colour = view.locator(".question .verdict").nth(1)
    expect(colour).to_have_text("red")
    expect(view.locator(".right")).to_have_count(4)
    bars = view.get_by_role("img", name=re.compile("^red .*%, "))
    styles = [part.get_attribute("style") for part in bars.locator("i").all()]
    widths = [float(re.search(r"width: ([\d.e-]+)%", style)[1]) for style in styles]
    assert widths == sorted(widths, reverse=True)
    assert abs(sum(widths) - 100) < 0.1
    canvas = view.get_by_role("application")
    box = canvas.bounding_box()
    assert box["width"] >= 420

    def at(x: float, y: float) -> None:
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])

    spot = view.locator(".spot")
    expect(spot).to_have_attribute("data-weight", re.compile(r"0\.\d\d"))
    looked_at = spot.get_attribute("style")
    at(0.05, 0.05)
    expect(spot).not_to_have_attribute("style", looked_at)  # what the pointer is on
    page.mouse.down()
    for n in range(12):  # there and back over all of it but the last rows
        at(0.9 if n % 2 else 0.05, 0.05 + 0.06 * n)
        at(0.05 if n % 2 else 0.9, 0.05 + 0.06 * n)
    expect(colour).to_have_text("blue")  # with the hand still on the picture
    expect(view.locator(".right")).to_have_count(0)  # nobody knows the truth of what is painted
    page.mouse.up()
    painted = view.get_attribute("data-code")
    expect(page).to_have_url(re.compile(f"vision_paint={painted}"))  # written once the hand rests
    page.reload()
    expect(colour).to_have_text("blue")
    expect(view).to_have_attribute("data-code", re.compile("[^a]"))
    view.get_by_role("button", name="Clear").click()
    expect(colour).to_have_text("red")
    view.get_by_role("button", name="Undo").click()
    expect(colour).to_have_text("blue")
    view.get_by_role("button", name="Clear").click()
    expect(colour).to_have_text("red")
    expect(page).not_to_have_url(re.compile("vision_paint"))
    view.get_by_role("button", name="green").click()
    before = view.get_attribute("data-code")
    canvas.press("ArrowRight")
    canvas.press("Space")
    changed = [n for n, (a, b) in enumerate(zip(before, view.get_attribute("data-code"), strict=True)) if a != b]
    assert 2 <= len(changed) <= 4  # a brush of 2 x 2 cells, two cells to a letter
    canvas.press("Control+z")
    expect(view).to_have_attribute("data-code", before)


def test_a_drawing_on_blank_paper_and_an_old_link_to_one(visit):
    code = "a" * 200 + "y" * 88
    page = visit(f"/vision?vision_picture=draw+one&vision_drawing={code}", painted=False).page
    view = page.locator(".patch-view")
    expect(view).to_have_attribute("data-code", code)
    view.get_by_role("button", name="Clear").click()
    expect(view).to_have_attribute("data-painted", "a" * 288)
    expect(page).to_have_url(re.compile("vision_drawing=a{288}"))
    page.get_by_role("radio", name="made for you").click()
    expect(view.locator(".verdict").first).to_have_text("triangle")  # where nothing was painted
