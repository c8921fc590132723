"""The page on why in a browser: the race, the square that is dragged, measuring when asked, and a phone's width."""

import re
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.why import cost, data
from transformer import inspection

PHONE = {"width": 390, "height": 844}


@pytest.mark.wide
def test_the_race_is_stepped_and_plays(visit):
    page = visit("/why", painted=False).page
    race = page.locator(".race")
    counts = race.locator(".name strong")
    expect(race).to_have_attribute("data-tick", "12")
    race.get_by_role("slider", name="Step").fill("0")
    expect(counts).to_have_text(["0 …", "0 …", "0 …", "0 …"])
    race.get_by_role("button", name="Race").click()
    expect(race).to_have_attribute("data-tick", "12")
    expect(counts).to_have_text(["12 steps", "6 steps", "3 steps", "1 step"])
    slider = race.get_by_role("slider", name="Step")
    slider.fill("2")
    expect(counts).to_have_text(["2 …", "2 …", "2 …", "1 step"])
    slider.press("ArrowRight")
    expect(counts).to_have_text(["3 …", "3 …", "3 steps", "1 step"])
    race.get_by_role("button", name="Go on").click()
    expect(race).to_have_attribute("data-tick", "12")
    expect(race.get_by_role("button", name="Race again")).to_be_visible()


@pytest.mark.wide
def test_less_motion_shows_the_end_at_once(visit):
    page = visit("/why", painted=False, reduced_motion="reduce").page
    race = page.locator(".race")
    race.get_by_role("slider", name="Step").fill("1")
    race.get_by_role("button", name="Go on").click()
    assert race.get_attribute("data-tick") == "12"
    race.get_by_role("button", name="Race again").click()
    assert race.get_attribute("data-tick") == "0"


@pytest.mark.wide
def test_a_side_is_dragged_and_the_setting_follows(visit):
    page = visit(f"/why?why_view={quote('What does it cost?')}&why_length=1024", painted=False).page
    area = page.locator(".area")
    expect(area).to_have_attribute("data-n", "1024")
    grip = area.get_by_role("slider", name="Number of words n")
    box = grip.bounding_box()
    square = area.locator(".square").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(square["x"] + 0.27 * square["width"], box["y"] + box["height"] / 2, steps=4)
    expect(area.locator(".share").last).to_have_text("1.9×")  # before anything was sent
    page.mouse.up()
    expect(area).to_have_attribute("data-n", "256")
    expect(page).to_have_url(re.compile("why_length=256"))
    expect(page.get_by_text("Yours is shorter: 256 words.")).to_be_visible()
    grip.press("ArrowRight")
    expect(page.get_by_text("Yours is shorter: 500 words.")).to_be_visible()
    grip.press("ArrowRight")
    expect(page.get_by_text("Yours is not: 512 words.")).to_be_visible()
    # The scale below is a handle too: a press goes there, a drag goes on from it, and the arrow keys step.
    scale = area.get_by_role("slider", name="Length of the text")
    line = scale.bounding_box()
    page.mouse.move(line["x"] + 0.9 * line["width"], line["y"] + line["height"] / 2)
    page.mouse.down()
    expect(scale).to_have_attribute("aria-valuenow", re.compile(r"^[3-9]\d{4}$"))
    page.mouse.move(line["x"] + 2, line["y"] + line["height"] / 2, steps=3)
    page.mouse.up()
    expect(scale).to_have_attribute("aria-valuenow", str(cost.LENGTHS[0]))
    expect(page).to_have_url(re.compile(f"why_length={cost.LENGTHS[0]}(&|$)"))
    scale.press("ArrowRight")
    expect(area).to_have_attribute("data-n", str(cost.LENGTHS[1]))


@pytest.mark.wide
def test_the_button_walks_through_the_texts_whatever_answers_come_late(visit):
    page = visit(f"/why?why_view={quote('What does it cost?')}", painted=False, reduced_motion="reduce").page
    area, act, says = (page.locator(f".area{part}") for part in ("", " .primary", " .finding"))
    expect(area).to_have_attribute("data-n", "100000")
    for handle in area.get_by_role("slider").all():
        handle.click(button="right", position={"x": 4, "y": 4})  # which opens a menu, and takes no side
    page.mouse.move(5, 5)
    expect(area).to_have_attribute("data-n", "100000")
    expect(says).to_have_text(re.compile("^For a novel of about 100,000 words, attention does 195 times .* 320 GB"))
    square, inner, strip = (area.locator(f".{name}").bounding_box() for name in ("square", "inner", "strip"))
    assert square["width"] / inner["width"] == pytest.approx(100_000 / 5_000, rel=0.02), "a chapter's, to one scale"
    assert square["height"] / strip["height"] == pytest.approx(100_000 / 512, rel=0.05)
    assert square["width"] == pytest.approx(strip["width"], rel=0.01)
    expect(act).to_have_text("Try a sentence")
    act.click()
    expect(says).to_have_text(re.compile("^For a sentence of about 20 words, a recurrent layer does 26 times"))
    expect(page.get_by_text("Yours is shorter: 20 words.")).to_be_visible()
    area.evaluate(
        "e => (window.seen = [], new MutationObserver(() => seen.push(+e.dataset.n)).observe(e, {attributes: true}))"
    )
    act.dblclick()  # the answer to the first press comes after the second
    expect(act).to_have_text("Try a novel")
    expect(page).to_have_url(re.compile("why_length=5000"))
    expect(page.get_by_text("Yours is not: 5,000 words.")).to_be_visible()
    seen = page.evaluate("seen")
    assert seen == sorted(seen), "no answer undoes the second press"
    area.get_by_role("slider", name="Width d").press("ArrowUp")
    expect(says).to_have_text(re.compile("^For a chapter of about 5,000 words, attention does 4.9 times"))
    expect(area.get_by_text("equal at 1,024 words")).to_be_visible()
    area.get_by_role("button", name="page 500").press("Enter")
    expect(page).to_have_url(re.compile("why_length=500&|why_length=500$"))
    expect(area.get_by_role("button", name="page 500")).to_be_focused()
    expect(says).to_have_text(re.compile("a recurrent layer does twice as many multiplications as attention"))


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


def test_the_view_rests_on_a_cheaper_way_with_what_it_misses_and_full_attention_misses_nothing(visit):
    page = visit("/why?why_view=Cheaper+attention", painted=False, reduced_motion="reduce").page
    root = page.locator(".cheaper-maps[data-painted]")
    numbers, ways = root.locator(".finding b"), root.get_by_role("radio")
    expect(ways).to_have_count(9)
    expect(ways.filter(has_text="window")).to_be_checked()
    missed = 100 * float(data.variants(True, 1, 4, 1)["window"].missed[0])
    share = 100 * data.costs_compared(4, 4, 1)["window"].share
    expect(numbers).to_have_text([f"{share:.0f}%", f"{missed:.0f}%"])
    lost = root.locator(".arcs .lost")
    assert lost.count() > 10
    # One word's arcs are in front: those of the word that gets the most weight, and it is said who misses it.
    weights = data.variants(True, 1, 4, 1)
    most = int(np.nan_to_num(weights["full"].weights[0]).sum(0).argmax())
    inside = int((~np.isnan(weights["window"].weights[0][:, most])).sum())
    missing = lost.and_(root.locator(":not(.back)")).count()
    assert 10 < missing <= data.N_DRAWN - inside
    expect(root.locator(".say")).to_contain_text(f"With “window”, {missing} of them miss it.")
    assert root.locator(".arcs path:not(.back)").count() <= data.N_DRAWN
    ways.filter(has_text="full").click()
    expect(numbers).to_have_text(["100%", "0%"])
    expect(root.get_by_text("missed", exact=True)).to_be_hidden()  # the sample of a dashed arc
    expect(lost).to_have_count(0)
    expect(page).to_have_url(re.compile("why_variant=full"))
    seen = root.locator(".arcs .seen").count()
    assert seen > 24
    for name in ("window", "block-sparse"):
        ways.filter(has_text=name).click()
        expect(root).to_have_attribute("data-chosen", name)
        assert lost.count() > 10
        assert root.locator(".arcs .seen").count() < seen
        assert int(numbers.last.inner_text().rstrip("%")) > 50
    ways.filter(has_text="in blocks").click()
    expect(numbers).to_have_text([re.compile(r"\d+%"), "0%"])
    expect(lost).to_have_count(0)
    expect(root.locator(".arcs .seen")).to_have_count(seen)
    expect(page).to_have_url(re.compile("why_variant=in\\+blocks"))
    # A comparison that says nothing is not made: one sees what is kept, once for each head and once for all.
    ways.filter(has_text="shared").click()
    expect(numbers).to_have_text(["25%"])
    expect(root.locator(".arcs g.sharing").first.locator(".key")).to_have_count(4)
    expect(root.locator(".arcs g.sharing").last.locator(".key")).to_have_count(1)
    expect(root.locator(".say")).to_be_hidden()
    # There is no word to follow, so that nothing slides.
    picture = root.get_by_role("img", name="full: each head keeps its own; shared: one set for all heads")
    expect(picture).to_be_visible()
    expect(root.get_by_role("slider")).to_have_count(0)
    marks = "e => [...e.attributes].map(a => a.name).filter(name => /^aria-value|tabindex/.test(name))"
    assert picture.evaluate(marks) == []
    ways.filter(has_text="dilated").click()
    slider = root.get_by_role("slider", name="The word that looks")
    slider.press("ArrowRight")
    expect(slider).to_be_focused()
    expect(slider).to_have_attribute("aria-valuenow", "0")


@pytest.mark.wide
def test_the_button_walks_from_full_attention_to_the_one_that_misses_nothing_and_again(visit):
    page = visit("/why?why_view=Cheaper+attention&why_variant=full", painted=False, reduced_motion="reduce").page
    root = page.locator(".cheaper-maps[data-painted]")
    act, finding = root.locator(".primary"), root.locator(".finding")
    expect(act).to_have_text("Make it cheaper")
    below = [finding, root.locator(".ways"), root.locator(".plot")]
    tops = [one.bounding_box()["y"] for one in below]
    assert tops == sorted(tops), "the finding stands above the row, and the arcs below it"
    for name in inspection.variants.NAMES:
        act.click()
        expect(root).to_have_attribute("data-chosen", name)
    expect(act).to_have_text("Start again")
    expect(finding).to_have_text(re.compile(r"needs \d+% of the memory and misses 0% of the attention weight\.$"))
    expect(page).to_have_url(re.compile("why_variant=in\\+blocks"))
    act.click()
    expect(root).to_have_attribute("data-chosen", "full")
    checked = root.get_by_role("radio", checked=True)
    checked.press("ArrowRight")
    expect(root).to_have_attribute("data-chosen", "window")
    expect(checked).to_be_focused()


@pytest.mark.wide
def test_each_way_shows_its_price_and_its_loss_in_the_marks_of_the_arcs(visit):
    page = visit("/why?why_view=Cheaper+attention", painted=False, reduced_motion="reduce").page
    root = page.locator(".cheaper-maps[data-painted]")
    compared, costs = data.variants(True, 1, 4, 1), data.costs_compared(4, 4, 1)
    for name, cost_of in costs.items():
        way = root.get_by_role("radio", name=f"{name}:")
        whole = way.locator(".price").bounding_box()["width"]
        drawn = "e => parseFloat(getComputedStyle(e, '::before').width)"
        assert way.locator(".price").evaluate(drawn) == pytest.approx(cost_of.share * whole, abs=1)
        if compared[name].missed is None:
            expect(way.locator(".unknown")).to_be_visible()
            expect(way.locator(".sight")).to_have_count(0)
        else:
            sees = 1 - float(compared[name].missed[0])
            assert way.locator(".sight").evaluate(drawn) == pytest.approx(sees * whole, abs=1)


@pytest.mark.wide
def test_on_a_phone_a_sign_says_that_there_are_more_ways_until_the_last_one_is_in_sight(visit):
    page = visit("/why?why_view=Cheaper+attention", painted=False, viewport=PHONE, reduced_motion="reduce").page
    row = page.locator(".ways")
    expect(row).to_have_class(re.compile("more"))
    sign = row.evaluate("r => getComputedStyle(r, '::after').content")
    assert "›" in sign
    row.evaluate("r => { r.scrollLeft = r.scrollWidth; }")
    expect(row).not_to_have_class(re.compile("more"))


@pytest.mark.wide
def test_what_stands_beside_one_another_begins_behind_the_end_of_what_is_written_above(visit):
    page = visit("/why?why_view=Cheaper+attention", painted=False, reduced_motion="reduce").page
    code = page.get_by_test_id("stExpander").filter(has_text="The code that ran").bounding_box()
    left, right = (page.get_by_test_id("stColumn").nth(n).bounding_box() for n in (0, 1))
    assert right["x"] > code["x"] + code["width"]
    assert left["x"] + left["width"] == pytest.approx(code["x"] + code["width"], abs=4)


@pytest.mark.wide
def test_on_a_phone_the_row_goes_along_with_what_is_chosen_and_the_button_stays(visit):
    page = visit("/why?why_view=Cheaper+attention", painted=False, viewport=PHONE, reduced_motion="reduce").page
    root = page.locator(".cheaper-maps[data-painted]")
    act, row = root.locator(".primary"), root.locator(".ways").bounding_box()
    for name in inspection.variants.NAMES[1:4]:
        before = act.bounding_box()["y"] - root.bounding_box()["y"]
        act.click()
        expect(root).to_have_attribute("data-chosen", name)
        cell = root.get_by_role("radio", checked=True).bounding_box()
        assert row["x"] <= cell["x"]
        assert cell["x"] + cell["width"] <= row["x"] + row["width"] + 1
        assert act.bounding_box()["y"] - root.bounding_box()["y"] == pytest.approx(before, abs=1)
    assert page.get_by_test_id("stMain").evaluate("e => e.scrollWidth <= e.clientWidth")


def test_a_quick_second_press_is_not_undone_by_the_answer_to_the_first(visit):
    page = visit("/why?why_view=Cheaper+attention", painted=False, reduced_motion="reduce").page
    root = page.locator(".cheaper-maps[data-painted]")
    seen = root.evaluate(
        """(root) => new Promise((done) => {
            const seen = [];
            new MutationObserver(() => seen.push(root.dataset.chosen)).observe(root, { attributeFilter: ["data-chosen"] });
            const [, , dilated, , , , low] = root.querySelectorAll('.way');
            dilated.click();
            setTimeout(() => { low.click(); setTimeout(() => done(seen), 2500); }, 60);
        })"""  # noqa: E501
    )
    assert [way for n, way in enumerate(seen) if n == 0 or way != seen[n - 1]] == ["dilated", "low rank"]
    expect(page).to_have_url(re.compile("why_variant=low\\+rank"))


@pytest.mark.parametrize("phone", [False, pytest.param(True, marks=pytest.mark.wide)])
def test_a_word_is_followed_and_what_it_cannot_see_steps_back(visit, phone):
    more = {"viewport": PHONE} if phone else {}
    page = visit("/why?why_view=Cheaper+attention&why_variant=window", painted=False, **more).page
    root = page.locator(".cheaper-maps[data-painted]")
    words = root.locator(".words text")
    expect(root).not_to_have_attribute("data-beat", "ways")  # until then the words are drawn anew
    words.nth(2).scroll_into_view_if_needed()
    expect(words.nth(2)).to_have_css("user-select", "none")  # a drag across the words marks no text
    words.nth(2).hover(force=True)
    expect(root.locator(".words .query")).to_have_text("soup")
    weights = data.variants(True, 1, 4, 1)
    full, window = (np.nan_to_num(weights[name].weights[0][2]) for name in ("full", "window"))
    most = words.nth(int(full.argmax())).text_content()
    missed = round(100 * float(np.maximum(0, full - window).sum()))
    said = f"“soup” looks most at “{most}”: {full.max():.2f}. With “window” it misses {missed}%."
    expect(root.locator(".say")).to_have_text(said)
    assert root.locator(".words .shut").count() == int(np.isnan(weights["window"].weights[0][2]).sum())
    root.get_by_role("slider", name="The word that looks").press("ArrowRight")
    expect(root.locator(".words .query")).to_have_text("was")


@pytest.mark.wide
def test_another_theme_and_a_pause_leave_the_race_where_it_rests(visit):
    page = visit("/why", painted=False).page
    race = page.locator(".race")
    # Ends the first beat, and starts nothing. A click of the mouse may come after its three seconds.
    press = "b => { b.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true })); b.click(); }"
    race.get_by_role("button", name="Pause").evaluate(press)
    assert race.get_attribute("data-tick") == "12", "at once: no race is run"
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(600)
    expect(race).to_have_attribute("data-tick", "12")
    expect(race.get_by_role("button", name="Race again")).to_be_visible()
