"""The page on vision in a browser: a patch asks, a head is opened, a picture is painted on by hand and by keyboard."""

import re

import pytest
from playwright.sync_api import expect


@pytest.mark.wide
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


@pytest.mark.wide
def test_a_pointer_on_the_picture_reads_off_one_patch_after_the_other(visit):
    page = visit("/vision?vision_view=Cut+into+patches", painted=False, reduced_motion="reduce").page
    view = page.locator(".patch-rows")
    patches, texts = view.get_by_role("listbox"), view.locator(".numbers text")
    expect(view).to_have_attribute("data-at", "7")
    answers = view.locator(".answers .verdict")
    expect(answers).to_have_text(["triangle", "red", "two", "upper left"])
    expect(texts).to_have_count(1)  # what the row is called
    patches.hover(position={"x": 100, "y": 100})
    expect(answers.first).to_be_hidden()
    expect(view).to_have_attribute("data-at", "7")
    expect(texts.filter(has_text=re.compile(r"^\d+$"))).to_have_count(48)
    expect(texts.filter(has_text=re.compile("^(red|green|blue)$"))).to_have_text(["red", "green", "blue"])
    expect(view.locator("rect:is(.above, .below)")).to_have_count(48)
    box, before = patches.bounding_box(), view.locator(".numbers").inner_html()
    assert box["width"] > 400
    page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 0.3 * box["height"])
    expect(view).to_have_attribute("data-at", "8")
    page.mouse.move(box["x"] + 0.95 * box["width"], box["y"] + 0.95 * box["height"], steps=5)
    expect(view).to_have_attribute("data-at", "35")
    assert view.locator(".numbers").inner_html() != before
    first = texts.filter(has_text=re.compile(r"^\d+$")).first
    expect(first).to_have_text(view.get_attribute("data-first"))
    patches.press("ArrowUp")
    expect(view).to_have_attribute("data-at", "29")
    row = view.locator(".row").bounding_box()
    page.mouse.click(row["x"] + 3, row["y"] + row["height"] / 2)
    expect(view).to_have_attribute("data-at", "0")
    expect(page).to_have_url(re.compile("vision_patch=0"))
    page.mouse.move(box["x"] + box["width"] + 100, box["y"] - 20)
    expect(answers.first).to_be_visible()


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
    view.get_by_role("button", name="blue", exact=True).click()
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


@pytest.mark.wide
def test_the_finding_says_whose_attention_it_is_and_what_the_paint_has_changed(visit):
    """A stroke of blue in a corner: the answer that is another one is named and marked, and so is a fall of its share.
    A head that is opened then has the word; without the paint the ticks are back."""
    page = visit("/vision", painted=False, reduced_motion="reduce", viewport={"width": 1280, "height": 720}).page
    view = page.locator(".patch-view")
    said, spot = view.locator(".said"), view.locator(".spot")
    expect(said).to_have_text("How few of the 36 patches must you paint to change an answer?")
    expect(view.locator(".was")).to_have_count(0)
    view.get_by_role("button", name="blue", exact=True).click()
    box = view.get_by_role("application").bounding_box()

    def at(x: float, y: float) -> tuple[float, float]:
        return box["x"] + x * box["width"], box["y"] + y * box["height"]

    page.mouse.move(*at(0.72, 0.81))
    page.mouse.down()
    for spot_of in ((0.9, 0.81), (0.9, 0.85), (0.76, 0.85), (0.76, 0.9), (0.9, 0.9), (0.9, 0.93), (0.8, 0.93)):
        page.mouse.move(*at(*spot_of), steps=4)
    page.mouse.up()
    finding = re.compile(r"^\d of 36 patches painted, and it says three and lower left: 2 of 4 answers changed\.$")
    expect(said).to_have_text(finding)
    expect(view.locator(".moved h2")).to_have_text(["count", "place"])
    expect(view.locator(".was")).to_have_text(["was two", "was upper left"])
    bars = view.locator(".shares").evaluate_all("nodes => nodes.map(node => node.getBoundingClientRect().left)")
    assert max(bars) - min(bars) < 1, "the bars begin where all others do"
    page.mouse.move(*at(0.1, 0.1))
    expect(spot).to_have_attribute("style", re.compile("left: 0%; top: 0%"))
    expect(said).to_have_text(finding)  # the hand that has painted does not take the word
    page.mouse.move(box["x"] + box["width"] + 200, box["y"] - 20)
    expect(said).to_have_text(finding)
    page.mouse.move(*at(0.1, 0.1))
    expect(said).to_have_text(re.compile("gives .* of its attention to row 1, column 1"))
    view.get_by_text("Every head").click()
    view.get_by_role("button", name="layer 2, head 0", exact=True).click()
    expect(said).to_contain_text("Layer 2, head 0 gives ")
    view.get_by_role("button", name="Clear").click()
    expect(view.locator(".right")).to_have_count(4)
    expect(view.locator(".was")).to_have_count(0)


def test_the_button_paints_the_patch_that_the_head_looks_at_most(visit):
    page = visit("/vision", painted=False, reduced_motion="reduce").page
    view = page.locator(".patch-view")
    act, spot = view.get_by_role("button", name="Paint it green"), view.locator(".spot")
    expect(spot).to_have_attribute("data-weight", re.compile(r"0\.\d\d"))
    before, framed = view.get_attribute("data-code"), spot.get_attribute("style")
    height = view.locator(".finding").bounding_box()["height"]
    act.press("Enter")
    after = view.get_attribute("data-code")
    assert sum(a != b for a, b in zip(before, after, strict=True)) == 8  # 4 x 4 cells, two cells to a letter
    finding = view.locator(".finding")
    expect(view.locator(".legend")).to_have_attribute("title", re.compile("On the class token: .* its own largest"))
    expect(finding).to_have_text(re.compile("^1 of 36 patches painted, and it says "))
    assert finding.bounding_box()["height"] == height, "what is said below the question does not move the answers"
    expect(spot).not_to_have_attribute("style", framed)  # nothing red is left there
    expect(act).to_be_focused()
    act.press("Enter")
    expect(finding).to_have_text(re.compile("^2 of 36 patches painted, and it says "))
    view.get_by_role("button", name="Undo").click()
    view.get_by_role("button", name="Undo").click()
    expect(view).to_have_attribute("data-code", before)
    expect(spot).to_have_attribute("style", framed)


def test_a_hand_exchanges_two_patches_and_the_answers_stand_beside_the_picture(visit):
    page = visit("/vision?vision_view=Cut+into+patches", painted=False, reduced_motion="reduce").page
    view = page.locator(".patch-rows")
    pieces, answers = view.locator(".pieces"), view.locator(".answers .verdict")
    seen = ["triangle", "red", "two", "upper left"]
    expect(answers).to_have_text(seen)
    whole = pieces.evaluate("canvas => canvas.toDataURL()")
    box = view.get_by_role("listbox").bounding_box()

    def at(row: int, column: int) -> tuple[float, float]:
        return box["x"] + (column + 0.5) * box["width"] / 6, box["y"] + (row + 0.5) * box["height"] / 6

    page.mouse.move(*at(1, 1))
    page.mouse.down()
    page.mouse.move(*at(3, 4), steps=6)
    expect(view).to_have_attribute("data-at", "22")
    assert pieces.evaluate("canvas => canvas.toDataURL()") != whole, "with the hand still on it"
    expect(answers).to_have_text(["triangle", "red", "two", re.compile(".")])
    page.mouse.up()
    expect(page).to_have_url(re.compile("vision_swaps=7-22(&|$)"))
    expect(answers.first).to_be_visible()  # and not the numbers of what the hand is still on
    page.get_by_role("button", name="Undo").click()
    expect(answers).to_have_text(seen)
    expect(page).not_to_have_url(re.compile("vision_swaps"))
    patches = view.get_by_role("listbox")
    for key in ("ArrowUp", " ", "ArrowDown", "ArrowRight", " "):
        patches.press(key)
    expect(page).to_have_url(re.compile(r"vision_swaps=\d+-\d+(&|$)"))


@pytest.mark.wide
def test_a_shuffle_is_seen_in_the_figure_and_its_question_answered_above(visit):
    page = visit("/vision?vision_view=Cut+into+patches", painted=False, reduced_motion="reduce").page
    view = page.locator(".patch-rows")
    expect(view.locator(".finding")).to_contain_text("36 patches, 36 tokens.")
    before = view.locator(".pieces").evaluate("canvas => canvas.toDataURL()")
    page.get_by_role("button", name="Shuffle").click()
    expect(view.locator(".finding")).to_contain_text("Shuffled, it still says two red triangles.")
    expect(view.locator(".finding .more")).to_have_text("Only the place changes: lower right.")
    expect(page.locator(".primary:visible")).to_have_text(["Undo"])
    assert view.locator(".pieces").evaluate("canvas => canvas.toDataURL()") != before
    assert view.get_by_role("listbox").bounding_box()["width"] > 400
    page.get_by_role("button", name="Undo").click()
    expect(view.locator(".finding")).to_contain_text("36 patches, 36 tokens.")


@pytest.mark.wide
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
