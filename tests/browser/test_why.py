"""The page on why in a browser: the race, the square that is dragged, measuring when asked, and a phone's width."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from pages.why import data

PHONE = {"width": 390, "height": 844}


def test_a_word_is_dragged_and_every_way_follows_but_attentions_stays_one_step(visit):
    page = visit("/why", painted=False, reduced_motion="reduce").page
    race = page.locator(".race")
    counts, act, grips = race.locator(".name strong"), race.locator(".primary"), race.get_by_role("slider")

    def drag(which: int, to: int):
        for n, one in enumerate((grips.nth(which), race.locator(".sentence > span").nth(to))):
            box = one.bounding_box()
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
            if not n:
                page.mouse.down()
        page.mouse.up()

    asked = "Pull “blamed” away from “herself”: which network needs no more steps?"
    expect(race.locator(".finding")).to_have_text(asked)
    expect(counts).to_have_text(["2 steps", "1 step", "1 step", "1 step"])
    inks = [count.evaluate("e => getComputedStyle(e).color") for count in counts.all()]
    assert inks.count(inks[0]) == 3, "attention's number is the one in ink"
    assert inks[3] != inks[0]
    drag(0, 7)
    expect(counts).to_have_text(["5 steps", "2 steps", "2 steps", "1 step"])
    expect(race.locator(".finding")).to_have_text("From “garden” to “herself”: 5 steps word by word, 1 with attention.")
    expect(race.locator(".lane").first.locator(".bead.on text")).to_have_text("5")  # the last alone
    assert race.locator(".way.on").count() == 5 + 2 + 2 + 1
    expect(page).to_have_url(re.compile("why_ends=7-11"))
    grips.nth(0).press("ArrowLeft")
    expect(counts).to_have_text(["6 steps", "3 steps", "2 steps", "1 step"])
    grips.nth(0).press("End")  # no further than the other lets it
    expect(race).to_have_attribute("data-ends", "10-11")
    act.press("Enter")
    expect(counts).to_have_text(["12 steps", "6 steps", "3 steps", "1 step"])
    expect(page).to_have_url(re.compile("why_ends=0-11"))
    page.reload()  # a link shows what it was made from
    expect(counts).to_have_text(["12 steps", "6 steps", "3 steps", "1 step"])


@pytest.mark.wide
def test_the_corner_is_dragged_the_scale_holds_and_the_setting_follows(visit):
    page = visit(f"/why?why_view={quote('What does it cost?')}", painted=False, reduced_motion="reduce").page
    area = page.locator(".area")
    expect(area.locator(".finding")).to_have_text(
        "Twice the text: how much more work?"
    )  # nothing is told before a hand
    grip, square = area.get_by_role("slider", name="Number of words n"), area.locator(".weight > rect")
    strip = area.locator(".strip > rect")
    page_, flat = square.bounding_box(), strip.bounding_box()
    box = grip.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 0.5 * page_["width"], y - 0.5 * page_["width"], steps=4)
    expect(area.locator(".weight .share")).to_have_text("2.25×")  # before anything was sent
    page.mouse.up()
    expect(page).to_have_url(re.compile("why_length=750"))  # it stays where it was let go
    expect(area.locator(".weight .share")).to_have_text("2.25×")
    page.mouse.down()
    page.mouse.move(x + 0.99 * page_["width"], y - 0.5 * page_["width"], steps=4)
    page.mouse.up()
    expect(area).to_have_attribute("data-n", "1000")
    expect(page).to_have_url(re.compile("why_length=1000"))
    expect(area.locator(".finding")).to_have_text(
        "Twice the text, four times the work. For a recurrent layer, only twice."
    )
    twice, long = square.bounding_box(), strip.bounding_box()
    for side in ("width", "height"):
        assert twice[side] == pytest.approx(2 * page_[side], rel=0.01), "to the same scale"
    assert (long["width"], long["height"]) == pytest.approx((2 * flat["width"], flat["height"]), rel=0.01)
    expect(page.get_by_text("Yours is not: 1,000 words.")).to_be_visible()
    grip.press("ArrowLeft")
    expect(area).to_have_attribute("data-n", "500")
    expect(page).to_have_url(re.compile("^((?!why_length).)*$"))
    grip.click(button="right")  # which opens a menu, and takes no corner
    page.mouse.move(5, 5)
    expect(area).to_have_attribute("data-n", "500")


@pytest.mark.wide
def test_the_button_doubles_a_page_whatever_answers_come_late_and_goes_on_to_a_novel(visit):
    page = visit(f"/why?why_view={quote('What does it cost?')}", painted=False, reduced_motion="reduce").page
    area, act, says = (page.locator(f".area{part}") for part in ("", " .primary", " .finding"))
    expect(act).to_have_text("Double the text")
    area.evaluate(
        "e => (window.seen = [], new MutationObserver(() => seen.push(+e.dataset.n)).observe(e, {attributes: true}))"
    )
    act.dblclick()  # the answer to the first press comes after the second
    expect(says).to_have_text("Four times the text, 16 times the work. For a recurrent layer, only four times.")
    expect(area.get_by_text("a page", exact=True)).to_be_visible()  # to the same scale
    expect(page).to_have_url(re.compile("why_length=2000"))
    expect(page.get_by_text("Yours is not: 2,000 words.")).to_be_visible()
    seen = page.evaluate("seen")
    assert seen == sorted(seen), "no answer undoes the second press"
    act.click()
    expect(says).to_have_text(re.compile("^A novel: 200 times the text, 40,000 times the work, 320 GB"))
    expect(area.locator(".share")).to_have_text(["40,000×", "200×"])
    square, strip = (area.locator(f".{name} > rect").bounding_box() for name in ("weight", "strip"))
    assert square["height"] / strip["height"] == pytest.approx(100_000 / 512, rel=0.05)
    assert square["width"] == pytest.approx(strip["width"], rel=0.01)
    expect(act).to_have_text("Back to a page")
    act.click()
    expect(says).to_have_text("Twice the text: how much more work?")
    expect(page).to_have_url(re.compile("^((?!why_length).)*$"))
    act.click()
    expect(area.locator(".share")).to_have_text(["4×", "2×"])
    page_of, ground = (area.locator(f".weight g rect{kind}").bounding_box() for kind in (".page", ":not(.page)"))
    assert ground["y"] + ground["height"] <= page_of["y"], "what is said of the square leaves the page in it whole"


@pytest.mark.wide
def test_a_link_names_a_length_that_no_hand_gives(visit):
    page = visit(f"/why?why_view={quote('What does it cost?')}&why_length=1024", painted=False).page
    expect(page.locator(".area .finding")).to_have_text(re.compile("^2.05 times the text, 4.19 times the work"))


@pytest.mark.wide
def test_measuring_on_the_button_on_a_phone(visit):
    link = f"/why?why_view={quote('What does it cost?')}&why_timed=true&why_d=32"
    page = visit(link, painted=False, viewport=PHONE).page
    two = [page.locator(".area .strip text").nth(n) for n in (0, 1)]
    expect(two[1]).to_have_text("each word updates one memory of 32 numbers")
    first, second = (line.bounding_box() for line in two)
    assert first["y"] + 0.9 * first["height"] <= second["y"] + 0.2 * second["height"]
    assert second["x"] + second["width"] < PHONE["width"]
    page.get_by_role("button", name="Measure on this machine").click()
    expect(page.get_by_text("one thread of this machine", exact=False)).to_be_visible()
    expect(page.get_by_role("button", name="Measure again")).to_be_visible()
    main = page.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.wide
def test_what_is_to_be_remembered_changes_by_a_click_and_a_question_leads_to_the_first_weights(visit):
    page = visit("/why?why_recall=true", painted=False).page
    names = page.locator(".st-key-figure-why_recalled .annotation-text")
    expect(names.filter(has_text="tanh")).to_be_visible()
    page.get_by_role("radio", name="four names").click()
    expect(page.get_by_text("holds 4 names")).to_be_visible()
    page.get_by_role("button", name="What it should learn from fades").click()
    page.get_by_role("button", name="Try it").click()
    expect(page).to_have_url(re.compile("why_heard=before"))
    expect(page.get_by_text("steps back, before training")).to_be_visible()


def test_the_window_is_dragged_until_it_reaches_the_word_and_then_a_hub_and_the_link_keeps_both(visit):
    page = visit("/why?why_view=Cheaper+attention", painted=False, reduced_motion="reduce").page
    root = page.locator(".few-pairs[data-painted]")
    finding, verdict, price = (root.locator(f".{name}") for name in ("finding", "verdict b", "price b"))
    look, grip, act, there = (root.locator(f".{name}") for name in ("look", "bar", "primary", "there"))
    expect(finding).to_have_text("Is this review praise? A model decides at ⟨start⟩, and “but” is out of its reach.")
    expect(verdict).to_have_text("positive ✗")
    expect(price).to_have_text("30")
    expect(look).to_have_class("look shut")
    expect(there).to_have_count(30)

    def drag(to: int, button="left"):
        box, word = grip.bounding_box(), root.locator(".words text").nth(to).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down(button=button)
        page.mouse.move(word["x"] + word["width"] / 2, word["y"] + 60, steps=4)
        page.mouse.up(button=button)

    drag(9, "right")  # which opens a menu, and takes no hold
    expect(root).to_have_attribute("data-size", "4")
    drag(5)
    expect(finding).to_have_text("With 5 words to either side, ⟨start⟩ sees “but” and gets it right, for 45 pairs.")
    expect(verdict).to_have_text("negative ✓")
    expect(price).to_have_text("45")
    expect(look).to_have_class("look")
    expect(there).to_have_count(45)
    expect(page).to_have_url(re.compile("why_window=6"))
    grip.press("ArrowRight")
    expect(finding).to_have_text("6 words to either side: still right, for 51 pairs instead of 45.")
    act.click()
    expect(root).to_have_attribute("data-hub", "6")
    expect(verdict).to_have_text("positive ✗")
    expect(price).to_have_text("11")
    drag(5)
    expect(finding).to_have_text("A hub on “but”: 11 pairs do what a window needs 45 for.")
    expect(verdict).to_have_text("negative ✓")
    expect(page).to_have_url(re.compile("why_hub=5"))
    grip.press("Home")
    hub, window = data.reading("global + local", 1, 1), data.reading("window", 2, 0)
    expect(finding).to_have_text(
        f"A hub on ⟨start⟩ reads {hub.n_right} of 100 reviews right. A window at this price: {window.n_right}."
    )
    expect(page).to_have_url(re.compile("why_hub=0"))
    page.reload()
    expect(root).to_have_attribute("data-hub", "0")
    act.click()
    expect(root).to_have_attribute("data-hub", "none")
    expect(price).to_have_text("30")


@pytest.mark.wide
def test_on_a_phone_a_finger_drags_the_window_and_not_the_page(visit):
    link = "/why?why_view=Cheaper+attention"
    page = visit(link, painted=False, viewport=PHONE, has_touch=True, reduced_motion="reduce").page
    root = page.locator(".few-pairs[data-painted]")
    words, bar = root.locator(".words text"), root.locator(".bar")
    words.nth(8).scroll_into_view_if_needed()
    box, to = bar.bounding_box(), words.nth(5).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    hand = page.context.new_cdp_session(page)
    touch = lambda kind, *points: hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [*points]})  # noqa: E731
    touch("touchStart", {"x": x, "y": y})
    for step in range(1, 9):
        touch("touchMove", {"x": x, "y": y + step * (to["y"] + to["height"] / 2 - y) / 8})
    touch("touchEnd")
    expect(root).to_have_attribute("data-size", "6")
    expect(page).to_have_url(re.compile("why_window=6"))
    root.locator(".primary").tap()
    words.nth(5).tap(force=True)
    expect(root).to_have_attribute("data-hub", "5")
    assert page.get_by_test_id("stMain").evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.wide
@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ("why_variant=global+%2B+local&why_variants_size=3", ("data-hub", "0")),
        ("why_variant=full", ("data-size", "12")),
        ("why_variants_size=8", ("data-size", "8")),
        ("why_variants_size=13", ("data-size", "12")),
        ("why_window=99&why_hub=77", ("data-hub", "none")),
    ],
)
def test_old_links_open_what_they_asked_for(visit, link, shown):
    page = visit(f"/why?why_view=Cheaper+attention&{link}", painted=False).page
    expect(page.locator(".few-pairs[data-painted]")).to_have_attribute(*shown)


@pytest.mark.wide
def test_another_theme_leaves_the_race_where_it_rests(visit):
    page = visit("/why?why_ends=2-9", painted=False, reduced_motion="reduce").page
    race = page.locator(".race")
    race.get_by_role("slider", name="From the word").press("ArrowLeft")
    expect(race).to_have_attribute("data-ends", "1-9")
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", "dark")
    expect(race).to_have_attribute("data-ends", "1-9")
