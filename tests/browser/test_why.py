"""The page on why in a browser: the race, the square that is dragged, measuring when asked, and a phone's width."""

import re
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.why import data, ways

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

    expect(race).to_have_attribute("data-tick", "0")
    drag(1, 9)
    expect(race).to_have_attribute("data-ends", "0-9")
    expect(counts).to_have_text(["…"] * 4)  # nothing is told before the race
    expect(race.locator(".way.on")).to_have_count(0)
    drag(1, 11)
    act.click()
    expect(race).to_have_attribute("data-tick", "12")
    expect(counts).to_have_text(["12 steps", "6 steps", "3 steps", "1 step"])
    drag(0, 7)
    expect(counts).to_have_text(["5 steps", "2 steps", "2 steps", "1 step"])
    expect(race.locator(".finding")).to_have_text("From “garden” to “herself”: 5 steps word by word, 1 with attention.")
    expect(race.locator(".lane").first.locator(".bead.on text")).to_have_text(list("12345"))
    assert race.locator(".way.on").count() == 5 + 2 + 2 + 1
    expect(page).to_have_url(re.compile("why_ends=7-11"))
    grips.nth(0).press("ArrowLeft")
    expect(counts).to_have_text(["6 steps", "3 steps", "2 steps", "1 step"])
    grips.nth(0).press("End")  # no further than the other lets it
    expect(race).to_have_attribute("data-ends", "10-11")
    act.press("Enter")
    expect(counts).to_have_text(["12 steps", "6 steps", "3 steps", "1 step"])
    act.press("Enter")
    expect(counts).to_have_text(["2 steps", "1 step", "1 step", "1 step"])
    expect(page).to_have_url(re.compile("why_ends=10-11"))
    page.reload()  # a link shows what it was made from
    expect(counts).to_have_text(["2 steps", "1 step", "1 step", "1 step"])


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
    page.mouse.move(x + 0.9 * page_["width"], y, steps=4)
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
    expect(area.get_by_text("2 times")).to_be_visible()  # smaller than before
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


@pytest.mark.wide
def test_a_link_names_a_length_that_no_hand_gives(visit):
    page = visit(f"/why?why_view={quote('What does it cost?')}&why_length=1024", painted=False).page
    expect(page.locator(".area .finding")).to_have_text(re.compile("^2.05 times the text, 4.19 times the work"))


@pytest.mark.wide
def test_measuring_on_the_button_on_a_phone(visit):
    link = f"/why?why_view={quote('What does it cost?')}&why_timed=true&why_d=32"
    page = visit(link, painted=False, viewport=PHONE).page
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


def test_a_grip_widens_the_window_until_the_answer_flips_and_the_link_keeps_it(visit):
    page = visit("/why?why_view=Cheaper+attention", painted=False, reduced_motion="reduce").page
    root = page.locator(".cheaper-maps[data-painted]")
    finding, verdict, counted = root.locator(".finding"), root.locator(".verdict b"), root.locator(".sentence")
    arcs = {kind: root.locator(f".arcs .{kind}") for kind in ("seen", "lost")}
    end, act = root.get_by_role("slider", name="The window's end"), root.locator(".primary")
    # Before a hand has come: one word with its arcs, its window and the verdict.
    expect(verdict).to_have_text("positive ✗")
    expect(finding).to_have_text("“view” wants to look at “i”, but “i” is outside its window.")
    expect(act).to_have_text("Widen the window")
    expect(root.locator(".ways")).to_be_hidden()
    expect(counted).to_be_hidden()
    expect(root.locator(".words .query")).to_have_text("view")  # a word, and not ⟨start⟩
    expect(arcs["seen"]).to_have_count(0)
    expect(arcs["lost"]).to_have_count(2)  # of this word alone
    word = {at: root.locator(".words text").nth(at).bounding_box() for at in (7, 8, 12)}
    bar = root.locator(".grip .bar").last.bounding_box()
    page.mouse.move(bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] / 2)
    page.mouse.down()
    page.mouse.move(word[7]["x"] + word[7]["width"] / 2, bar["y"] + 40, steps=4)
    expect(finding).to_have_text("With 4 words to either side, “view” sees “i”, and the answer flips.")
    expect(verdict).to_have_text("negative ✓")
    expect(counted).to_contain_text(str(right("window", 5)))
    expect(arcs["seen"]).to_have_count(1)
    expect(arcs["lost"]).to_have_count(1)
    frame = root.locator(".frame").bounding_box()
    assert frame["x"] + frame["width"] > word[7]["x"] + word[7]["width"]
    assert "why_variants_size" not in page.url  # before anything was sent
    page.mouse.up()
    expect(page).to_have_url(re.compile("why_variants_size=5"))
    end.press("ArrowRight")
    expect(finding).to_have_text("With 5 words to either side, the answer is right.")
    expect(arcs["lost"]).to_have_count(0)
    expect(page).to_have_url(re.compile("why_variants_size=6"))
    # Another word, by a press and by keys.
    root.locator(".words text").nth(5).click(force=True)
    expect(root.locator(".words .query")).to_have_text("lovely")
    root.get_by_role("slider", name="The word that looks").press("ArrowRight")
    expect(root.locator(".words .query")).to_have_text(",")
    # The other button takes hold of nothing.
    bar = root.locator(".grip .bar").last.bounding_box()
    page.mouse.move(bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] / 2)
    page.mouse.down(button="right")
    page.mouse.move(word[12]["x"], word[12]["y"], steps=4)
    page.mouse.up(button="right")
    root.locator(".words text").nth(7).click(button="right", force=True)
    expect(root.locator(".words .query")).to_have_text(",")
    expect(root).to_have_attribute("data-size", "6")
    # Once it is wide enough, the other ways come.
    act.click()
    expect(root).to_have_attribute("data-chosen", "global + local")
    expect(root.locator(".ways")).to_be_visible()
    expect(finding).to_have_text(told("Looking nearby and at one hub", "global + local", 4))
    expect(counted).to_contain_text("It was not trained for this. Guessing would get 50.")
    # Full attention becomes a window once its frame is drawn in.
    root.get_by_role("radio", name="full").click()
    expect(finding).to_have_text(told("Looking at every word", "full", 9))
    expect(arcs["lost"]).to_have_count(0)
    end.press("ArrowLeft")
    expect(root).to_have_attribute("data-chosen", "window")
    expect(root).to_have_attribute("data-size", str(data.N_DRAWN - 1))


def right(name: str, size: int) -> int:
    """How many reviews the model reads right in a way."""
    reading = data.reading(name, size, 1)
    assert reading is not None
    return reading.n_right


def told(subject: str, name: str, size: int) -> str:
    """What the finding says of a way."""
    of, share = ("work", 1.0) if name == "full" else data.costs_compared(4, size, 1)[name]
    takes = f"{'does' if of == 'work' else 'needs'} {100 * share:.0f}% of the {of}"
    return f"{subject} {takes} and gets {right(name, size)} of {data.N_REVIEWS} reviews right."


@pytest.mark.wide
def test_the_button_walks_through_the_cards_and_the_menu_has_the_other_ways(visit):
    page = visit("/why?why_view=Cheaper+attention&why_variant=full", painted=False, reduced_motion="reduce").page
    root = page.locator(".cheaper-maps[data-painted]")
    act, menu = root.locator(".primary"), root.get_by_role("combobox", name="More ways")
    expect(act).to_have_text("Make it cheaper")
    for name in ways.CARDS[1:]:
        act.click()
        expect(root).to_have_attribute("data-chosen", name)
    expect(act).to_have_text("Start again")
    expect(root.locator(".finding")).to_have_text(told("Going piece by piece", "in blocks", 4))
    expect(root.locator(".arcs .lost")).to_have_count(0)
    expect(page).to_have_url(re.compile("why_variant=in\\+blocks"))
    expect(root.locator(".grip .bar").first).to_be_hidden()
    expect(root.locator(".groups rect")).to_have_count(4)
    act.click()
    expect(root).to_have_attribute("data-chosen", "full")
    checked = root.get_by_role("radio", checked=True)
    checked.press("ArrowRight")
    expect(root).to_have_attribute("data-chosen", "window")
    expect(checked).to_be_focused()
    expect(menu.locator("option")).to_have_text(
        ["five more ways", *[name for name in ways.CODE if name not in ways.CARDS]]
    )
    root.get_by_role("radio", name="global + local").check(force=True)
    expect(root.locator(".finding")).to_have_text(told("Looking nearby and at one hub", "global + local", 4))
    # A comparison that says nothing is not made: one sees what is kept, once for each head and once for all.
    menu.select_option(label="shared k, v")
    expect(checked).to_have_count(0)
    expect(root.locator(".finding b")).to_have_text(["25%"])
    expect(root.locator(".arcs g.sharing").first.locator(".key")).to_have_count(4)
    expect(root.locator(".arcs g.sharing").last.locator(".key")).to_have_count(1)
    expect(root.locator(".verdict")).to_be_empty()
    # There is no word to follow, so that nothing slides.
    picture = root.get_by_role("img", name="full: each head keeps its own; shared: one set for all heads")
    expect(picture).to_be_visible()
    expect(root.get_by_role("slider")).to_have_count(0)
    marks = "e => [...e.attributes].map(a => a.name).filter(name => /^aria-value|tabindex/.test(name))"
    assert root.locator(".words").evaluate(marks) == []
    expect(act).to_have_text("Back to the window")
    act.click()
    expect(root).to_have_attribute("data-chosen", "window")


@pytest.mark.wide
def test_a_link_opens_a_way_of_the_menu_in_the_drawing(visit):
    page = visit("/why?why_view=Cheaper+attention&why_variant=dilated&why_variants_size=3", painted=False).page
    root = page.locator(".cheaper-maps[data-painted]")
    expect(root).to_have_attribute("data-chosen", "dilated")
    expect(root.get_by_role("combobox", name="More ways").locator("option:checked")).to_have_text("dilated")
    root.locator(".words text").first.click(force=True)
    shut = np.isnan(data.variants(True, 1, 3, 1)["dilated"].weights[1][0]).sum()
    expect(root.locator(".words .shut")).to_have_count(int(shut))


@pytest.mark.wide
def test_on_a_phone_a_finger_drags_the_window_and_not_the_page(visit):
    link = "/why?why_view=Cheaper+attention"
    page = visit(link, painted=False, viewport=PHONE, has_touch=True, reduced_motion="reduce").page
    root = page.locator(".cheaper-maps[data-painted]")
    words, bar = root.locator(".words text"), root.locator(".grip .bar").last
    words.nth(8).scroll_into_view_if_needed()
    words.nth(4).tap(force=True)
    expect(root.locator(".words .query")).to_have_text("was")  # and not its neighbour, whose row the grip borders on
    box = bar.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    far = words.nth(9).bounding_box()["y"] - words.nth(7).bounding_box()["y"]
    hand = page.context.new_cdp_session(page)
    touch = lambda kind, *points: hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [*points]})  # noqa: E731
    touch("touchStart", {"x": x, "y": y})
    for step in range(1, 9):
        touch("touchMove", {"x": x, "y": y + step * (far - 6) / 8})
    touch("touchEnd")
    expect(root).to_have_attribute("data-size", "6")
    expect(page).to_have_url(re.compile("why_variants_size=6"))
    assert page.get_by_test_id("stMain").evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.wide
def test_a_quick_second_press_is_not_undone_by_the_answer_to_the_first(visit):
    page = visit("/why?why_view=Cheaper+attention&why_variant=full", painted=False, reduced_motion="reduce").page
    root = page.locator(".cheaper-maps[data-painted]")
    seen = root.evaluate(
        """(root) => new Promise((done) => {
            const seen = [];
            new MutationObserver(() => seen.push(root.dataset.chosen)).observe(root, { attributeFilter: ["data-chosen"] });
            const [, , hub, blocks] = root.querySelectorAll('.way');
            hub.click();
            setTimeout(() => { blocks.click(); setTimeout(() => done(seen), 2500); }, 60);
        })"""  # noqa: E501
    )
    assert [way for n, way in enumerate(seen) if n == 0 or way != seen[n - 1]] == ["global + local", "in blocks"]
    expect(page).to_have_url(re.compile("why_variant=in\\+blocks"))


@pytest.mark.wide
def test_long_texts_have_their_charts_once_the_fold_is_open(visit):
    page = visit("/why?why_view=Cheaper+attention", painted=False, reduced_motion="reduce").page
    page.locator(".cheaper-maps[data-painted]").wait_for()
    expect(page.locator(".js-plotly-plot")).to_have_count(0)
    page.get_by_text("What does each hold and take on a long text?").click()
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    expect(page).to_have_url(re.compile("why_variants_long=true"))


@pytest.mark.wide
def test_another_theme_leaves_the_race_where_it_rests(visit):
    page = visit("/why", painted=False, reduced_motion="reduce").page
    race = page.locator(".race")
    race.get_by_role("button", name="Race").click()
    expect(race).to_have_attribute("data-tick", "12")
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", "dark")
    expect(race).to_have_attribute("data-tick", "12")
    expect(race.get_by_role("button", name="Move them together")).to_be_visible()
