"""What people do on the page on positions: drag words, read the table of codes, compare maps, follow links."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.view import let_pass
from transformer.core.config import POSITION_SCHEMES
from transformer.inspection import moving, positions


def dataset(page, name):
    return page.locator(f".{name}").evaluate("(root) => ({ ...root.dataset })")


def opened(visit, path):
    page = visit(path, painted=False).page
    page.locator("[data-figure]:is([data-moved], [data-product], [data-ratios])").first.wait_for(state="attached")
    return page


def set_slider(page, name, value):
    page.get_by_role("slider", name=name, exact=True).evaluate(
        "(input, value) => { input.value = value; input.dispatchEvent(new Event('input')); }", value
    )


def drag(page, word, onto, *, at=30):
    """Take a row at the right by its word, or further on by its strip, and lay it onto another."""
    box, last = (page.get_by_role("button", name=f"{name}: arrow keys move it").bounding_box() for name in (word, onto))
    page.mouse.move(box["x"] + at, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + at, (box["y"] + last["y"]) / 2, steps=4)
    page.mouse.move(box["x"] + at, last["y"] + last["height"] / 2, steps=4)
    page.mouse.up()


def test_it_opens_as_typed_and_two_words_that_a_hand_swaps_keep_their_numbers_until_positions_are_added(visit):
    page = visit("/positions?text=The+cat+sat+on+the+mat", painted=False, reduced_motion="reduce").page
    figure = page.locator(".shuffler[data-moved]")
    says, kept, main = figure.get_by_role("status"), figure.locator(".kept"), figure.locator(".primary")
    expect(figure).to_have_attribute("data-order", "0,1,2,3,4,5")
    expect(says).to_have_text("Swap two words on the right: will their numbers change?")
    expect(figure.locator(".lines path.stays")).to_have_count(6)
    expect(figure.get_by_text("same", exact=True).locator("visible=true")).to_have_count(0)
    expect(figure.get_by_role("button", name="Shuffle all")).to_be_hidden()
    # Its one chip is narrower than the hidden words of the button that lies over it.
    page.get_by_test_id("stMain").get_by_role("button", name="Change the settings").first.click(trial=True)
    expect(main).to_have_text("Swap two words")
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(state="attached")
    drag(page, "cat", "on", at=250)
    expect(figure).to_have_attribute("data-order", "0,3,2,1,4,5")  # these two, and no other
    expect(figure.locator(".row.front .word")).to_have_text(["cat", "on", "on", "cat"])
    expect(says).to_have_text("Not one number changed: every word keeps its own 32, so the order is lost.")
    assert figure.locator(".finding").bounding_box()["height"] < 40, "one line, beside two buttons"
    expect(kept).to_have_text("0 of 192 numbers changed")
    expect(page).to_have_url(re.compile("pos_order=0-3-2-1-4-5"))
    expect(main).to_have_text("Add positions")
    main.click()
    expect(says).to_have_text("With sinusoidal positions, all 6 words change: now the model sees the order.")
    expect(kept).to_have_text(re.compile(r"^[1-9]\d* of 192 numbers changed$"))
    expect(main).to_be_focused()


@pytest.mark.wide
def test_the_button_swaps_two_words_that_are_in_the_text_once(visit):
    page = visit("/positions?text=a+cat+sat+on+a+mat+a", painted=False).page
    figure = page.locator(".shuffler[data-moved]")
    figure.locator(".primary").click()
    expect(figure).to_have_attribute("data-order", "0,5,2,3,4,1")  # of the first six
    expect(figure.locator(".kept")).to_have_text("0 of 192 numbers changed")
    figure.get_by_role("button", name="Shuffle all").click()
    expect(figure).not_to_have_attribute("data-order", "0,5,2,3,4,1")
    expect(figure.get_by_role("status")).to_contain_text("so the order is lost")


@pytest.mark.wide
def test_one_word_is_in_the_foreground_and_another_comes_there_by_hand_or_by_key(visit):
    page = opened(visit, "/positions?text=The+cat+sat+on+the+mat&pos_order=0-5-1-3-4-2")
    figure = page.locator(".shuffler")
    line = figure.locator(".lines path.front")

    def expect_front(name, word):
        expect(figure.locator(".row.front .word")).to_have_text([name, name])
        expect(figure.get_by_text("same", exact=True).locator("visible=true")).to_have_count(1)
        own = figure.locator(".lines g path").nth(word).get_attribute("d")
        expect(line).to_have_attribute("d", own)

    expect_front("mat", 5)  # of three words that have moved the farthest
    figure.get_by_text("sat", exact=True).first.hover()
    expect_front("sat", 2)
    figure.get_by_role("status").hover()
    figure.get_by_role("button", name="on: arrow keys move it").focus()
    expect_front("on", 3)


@pytest.mark.wide
def test_arrow_keys_move_a_word_and_keep_the_focus(visit):
    page = opened(visit, "/positions?positions=sinusoidal&text=The+cat+sat+on+the+mat&pos_order=0-5-2-3-4-1")
    page.get_by_role("button", name="mat: arrow keys move it").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".shuffler")).to_have_attribute("data-order", "5,0,2,3,4,1")
    expect(page.get_by_role("button", name="mat: arrow keys move it")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".shuffler")).to_have_attribute("data-order", "0,5,2,3,4,1")
    assert max(map(float, dataset(page, "shuffler")["moved"].split(","))) > 0.1


@pytest.mark.wide
def test_lines_break_when_positions_are_switched_on_and_heal_when_they_are_off(visit):
    page = opened(visit, "/positions?text=The+cat+sat+on+the+mat&pos_order=0-5-2-3-4-1")
    expect(page.locator(".shuffler .lines path.same")).to_have_count(6)
    page.get_by_role("button", name="Add positions").click()
    expect(page.locator(".shuffler .lines path.moved")).to_have_count(6)
    expect(page.locator(".shuffler .finding")).to_have_text(
        "With sinusoidal positions, all 6 words change: now the model sees the order."
    )
    expect(page).to_have_url(re.compile("positions=sinusoidal"))
    page.get_by_role("button", name="Remove positions").click()
    expect(page.locator(".shuffler .lines path.same")).to_have_count(6)


@pytest.mark.wide
def test_positions_come_back_as_they_were_chosen_and_a_phone_says_how_far_words_moved(visit):
    link = "/positions?positions=rotary&text=The+cat+sat+on+the+mat&pos_order=0-5-2-3-4-1"
    page = visit(link, painted=False, viewport={"width": 390, "height": 844}).page
    figure = page.locator(".shuffler[data-moved]")
    expect(figure.get_by_role("status")).to_contain_text("With rotary positions, all 6 words change")
    moved = [float(by) for by in figure.get_attribute("data-moved").split(",")]
    for word, by in enumerate(moved):
        row = figure.get_by_role("group").locator(".row").nth([0, 5, 2, 3, 4, 1].index(word))
        expect(row.locator(".change")).to_have_text(f"differs by {by:.2f}")
        expect(row.get_by_text(f"{by:.2f}", exact=True).locator("visible=true")).to_have_count(1)
    expect(figure.get_by_text("largest change")).to_be_visible()
    page.get_by_role("button", name="Remove positions").click()
    expect(figure.get_by_text("0 of 192 numbers changed")).to_be_visible()
    expect(figure.get_by_text("largest change")).to_be_hidden()
    page.get_by_role("button", name="Add positions").click()
    expect(figure.get_by_role("status")).to_contain_text("With rotary positions, all 6 words change")


@pytest.mark.wide
def test_lines_break_while_a_word_is_held(visit):
    page = opened(visit, "/positions?positions=sinusoidal&pos_order=0-1-2-3-4-5&text=The+cat+sat+on+the+mat")
    expect(page.locator(".shuffler .lines path.moved")).to_have_count(0)
    box = page.get_by_role("button", name="on: arrow keys move it").bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 30, box["y"] + 60, steps=4)
    expect(page.locator(".shuffler")).to_have_attribute("data-order", "0,1,2,4,3,5")
    expect(page.locator(".shuffler .lines path.moved")).not_to_have_count(0)
    expect(page.locator(".shuffler .lifted")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(".shuffler .lifted")).to_have_count(0)


@pytest.mark.wide
def test_words_travel_unless_less_motion_is_wanted(visit):
    moving = """(root) => new Promise((done) => {
        const rows = [...root.querySelectorAll('.machine > div:last-child .row')];
        root.querySelector('.acts :enabled').click();
        requestAnimationFrame(() => done(rows.filter((row) => row.style.transform).length));
    })"""
    page = opened(visit, "/positions?pos_order=5-4-3-2-1-0&text=The+cat+sat+on+the+mat")
    assert page.locator(".shuffler").evaluate(moving) > 0
    expect(page.locator(".shuffler")).not_to_have_attribute("data-order", "5,4,3,2,1,0")
    expect(page.locator(".shuffler .row[style*=translate]")).to_have_count(0)
    still = opened(lambda path, **more: visit(path, reduced_motion="reduce", **more), "/positions")
    assert still.locator(".shuffler").evaluate(moving) == 0


@pytest.mark.wide
def test_one_matrix_moves_every_position(visit):
    page = opened(visit, "/positions?pos_view=Clocks&pos_at=7&pos_offset=5")
    table = positions.waves(133, 16, 10_000.0).table
    for at, k in [(7, 5), (60, 5), (60, 32), (0, 0)]:
        set_slider(page, "Position", at)
        set_slider(page, "Step k", k)
        seen = dataset(page, "position-code")
        assert (seen["a"], seen["k"]) == (str(at), str(k))
        assert float(seen["product"]) == pytest.approx((table[at] * table[at + k]).sum(), abs=1e-5)
    hands = page.locator(".position-code .hand:not(.then)").evaluate_all(
        "(all) => all.map((h) => [h.x2.baseVal.value - h.x1.baseVal.value, h.y1.baseVal.value - h.y2.baseVal.value])"
    )
    tips = np.array(hands)
    assert np.abs(tips / np.linalg.norm(tips, axis=1)[:, None] - table[0].reshape(8, 2)).max() < 1e-4


POINT = """([root, column, position, type]) => {
    const box = root.querySelector('canvas').getBoundingClientRect(), { width: d, height: length } = root.querySelector('canvas');
    root.querySelector('svg').dispatchEvent(new PointerEvent(type, {
        clientX: box.left + ((column + 0.5) / d) * box.width, clientY: box.top + ((position + 0.5) / length) * box.height,
    }));
}"""  # noqa: E501


@pytest.mark.wide
def test_pointing_at_a_cell_shows_its_row_its_clock_and_its_point(visit):
    page = opened(visit, "/positions?pos_view=The+code&pos_beat=3")
    root = page.locator(".position-code")
    table = positions.waves(96, 64, 10_000.0).table
    similarity = positions.similarity(64, 64, 10_000.0).matrix

    def point(column, position, kind):
        root.evaluate("(root, at) => (" + POINT + ")([root, ...at])", [column, position, kind])

    point(21, 40, "pointermove")
    seen = dataset(page, "position-code")
    assert (seen["a"], seen["pair"]) == ("40", "10")
    assert float(seen["product"]) == pytest.approx(table[40] @ table[43], abs=1e-4)
    assert "wave of pair 10" in root.inner_text()
    assert "similarity to position 40" in root.inner_text()
    # The curve of likeness is the row of the matrix: its points rise and fall as that does.
    path = root.locator("path.likeness").get_attribute("d")
    x = np.array([float(x) for x in re.findall(r"[ML]([-\d.]+) ", path)])
    row = similarity[40]
    assert np.corrcoef(x, row)[0, 1] > 0.9999
    root.locator("svg").first.dispatch_event("pointerleave")
    assert (dataset(page, "position-code")["a"], dataset(page, "position-code")["pair"]) == ("2", "4")
    point(21, 40, "pointerdown")
    expect(page).to_have_url(re.compile("pos_at=40.*pos_pair=10|pos_pair=10.*pos_at=40"))
    page.reload()
    root.and_(page.locator("[data-product]")).wait_for(state="attached")
    assert (dataset(page, "position-code")["a"], dataset(page, "position-code")["pair"]) == ("40", "10")


@pytest.mark.wide
def test_the_picture_of_the_table_has_its_signs(visit):
    page = opened(visit, "/positions?pos_view=The+code&d_model=8&pos_length=8")
    pixels = page.locator(".position-code canvas").evaluate(
        "(c) => [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data]"
    )
    red, _, blue = (np.array(pixels).reshape(8, 8, 4)[..., n].astype(int) for n in range(3))
    table = positions.waves(8, 8, 10_000.0).table
    strong = np.abs(table) > 0.2
    assert (((blue - red) > 0) == (table > 0))[strong].all(), "slate above zero, amber below"


@pytest.mark.wide
def test_the_code_costs_the_server_nothing_and_makes_a_link(visit):
    view = visit("/positions?pos_view=The+code&pos_beat=3", painted=False)
    page = view.page
    page.locator(".position-code[data-product]").wait_for(state="attached")
    let_pass(page, 800)
    before = len(view.sent)
    set_slider(page, "Position", 33)
    set_slider(page, "Step k", 9)
    expect(page).to_have_url(re.compile("pos_at=33.*pos_offset=9|pos_offset=9.*pos_at=33"))
    assert len(view.sent) == before
    page.reload()
    page.locator(".position-code[data-product]").wait_for(state="attached")
    assert (dataset(page, "position-code")["a"], dataset(page, "position-code")["k"]) == ("33", "9")


@pytest.mark.wide
def test_from_the_hands_a_quiet_line_leads_to_the_map_and_on_to_a_shift(visit):
    page = opened(visit, "/positions?pos_view=The+code&pos_hands=3")
    root = page.locator(".position-code")
    button = root.locator(".primary")
    expect(root.locator(".clock")).to_have_count(3)
    button.click()
    expect(root.locator(".clock")).to_have_count(8)
    expect(root.locator("h2")).to_have_text("Eight hands: no time comes twice in 19,869 positions.")
    expect(root.locator("canvas")).to_be_hidden()
    root.get_by_role("button", name="All 64 numbers as a map").last.click()
    expect(root.locator("canvas")).to_be_visible()
    expect(root.get_by_role("slider")).to_have_count(2)
    expect(page).to_have_url(re.compile("pos_beat=2"))
    button.click()
    expect(root.locator("path.likeness")).to_have_count(1)
    expect(page).to_have_url(re.compile("pos_beat=3"))
    button.click()
    expect(root.locator(".clock")).to_have_count(1)
    expect(root.locator("h2")).to_contain_text("Drag the hand round.")
    expect(page).not_to_have_url(re.compile("pos_beat|pos_hands"))
    page = opened(visit, "/positions?pos_view=The+code&pos_beat=1")
    expect(page.locator(".position-code .clock")).to_have_count(8)


def test_who_turns_the_hand_finds_a_second_position_and_a_slower_hand_tells_both_apart(visit):
    page = visit("/positions?pos_view=The+code", reduced_motion="reduce", painted=False).page
    root = page.locator(".position-code[data-product]")
    root.wait_for(state="attached")
    says, hand = root.locator("h2"), root.get_by_role("slider")
    expect(hand).to_have_count(1)
    expect(says).to_have_text("Which other position shows the same time as 2? Drag the hand round.")
    rim = root.locator(".rim").bounding_box()
    x, y, r = rim["x"] + rim["width"] / 2, rim["y"] + rim["height"] / 2, rim["width"] / 2
    table = positions.waves(64, 64, 10_000.0).table

    def turned_to(position):
        sin, cos = table[position, 8:10]
        page.mouse.move(x + 0.7 * r * sin, y - 0.7 * r * cos)

    turned_to(2)
    page.mouse.down()
    for position in range(3, 23):  # past a whole turn it counts on
        turned_to(position)
    page.mouse.up()
    expect(root).to_have_attribute("data-a", "22")
    assert hand.evaluate("e => getComputedStyle(e).outlineStyle") == "none", "a mouse needs no ring"
    drawn = root.locator(".hand").evaluate(
        "(h) => [h.x2.baseVal.value - h.x1.baseVal.value, h.y1.baseVal.value - h.y2.baseVal.value]"
    )
    np.testing.assert_allclose(np.array(drawn) / np.linalg.norm(drawn), table[22, 8:10], atol=1e-3)
    expect(says).to_contain_text("Position 22 shows almost the same time as 2.")
    assert abs(table[2, 8:10] - table[22, 8:10]).max() < 0.05
    root.get_by_role("button", name="Add a slower hand").click()
    expect(says).to_have_text("Two hands: 22 and 42 no longer look like 2. 62 still does. Turn a hand to 62.")
    expect(root.locator(".alike.home")).to_have_count(1)  # hollow as its hands are; that of 22 is solid
    assert root.locator(".alike").evaluate_all("all => all.findIndex((bar) => bar.matches('.now'))") == 22
    assert abs(table[2, 16:18] - table[22, 16:18]).max() > 1, "the hand that is added is far from there"
    expect(root.locator(".gone")).to_have_text(["22", "42"])
    expect(root.locator(".clock .tick.now")).to_have_count(1)  # the names of positions stay on both rims
    tall = root.locator(".alike").evaluate_all("all => all.map((bar) => bar.height.baseVal.value)")
    assert tall[22] < tall[62] / 2 < tall[2] / 2
    expect(page).to_have_url(re.compile("pos_hands=2"))
    box = root.locator(".alike.same").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(hand).to_have_attribute("aria-valuenow", "62")
    expect(says).to_have_text("Two hands show 62 almost as they show 2.")
    root.get_by_role("button", name="Add a slower hand").click()
    expect(says).to_have_text("Three hands: the positions most like 2 are now its own neighbours, 1 and 3.")
    hand.focus()
    page.keyboard.press("ArrowLeft")
    expect(hand).to_have_attribute("aria-valuenow", "61")
    assert hand.evaluate("e => getComputedStyle(e).outlineStyle") == "solid", "a key does"


@pytest.mark.wide
def test_an_old_link_to_likeness_opens_at_its_position(visit):
    page = opened(visit, "/positions?pos_view=Distance&pos_anchor=9&pos_length=32")
    assert dataset(page, "position-code")["a"] == "9"
    page = opened(visit, "/positions?pos_view=Distance")
    assert dataset(page, "position-code")["a"] == "0"


def reach(path):
    """How wide a curve is, in pixels."""
    return path.bounding_box()["width"]


def numbers(text):
    return np.array(text.split(","), dtype=float)


def test_the_ruler_is_pushed_under_one_way_after_the_other_and_only_what_was_added_changes(visit):
    page = visit("/positions?pos_view=Other+ways", painted=False, reduced_motion="reduce").page
    figure = page.locator(".moved-words[data-changed]")
    status, verdicts, main = figure.get_by_role("status"), figure.locator(".verdict"), figure.locator(".primary")
    expect(page.locator(".st-key-pos_scheme")).to_have_count(0)  # the lists in the figures are the only ones
    expect(verdicts).to_have_text(["", "", ""])
    begins = figure.get_by_role("slider", name="Position of the first word")
    seen = ["bars change", "no bar moves", "no bar moves"]
    for k, (lane, scheme) in enumerate((("added", "sinusoidal"), ("turned", "rotary"), ("priced", "alibi"))):
        expect(figure).to_have_attribute("data-lane", lane)
        expect(status).to_contain_text("Push the ruler: do the bars change?")
        expect(figure.locator(".board > .lane")).to_have_count(3)
        expect(figure.locator(".board > .lane:visible")).to_have_count(1)  # one way at a time
        main.click()
        expect(begins).to_have_attribute("aria-valuetext", "words at positions 10 to 18")
        expect(verdicts).to_have_text([*seen[: k + 1], *[""] * (2 - k)])
        by = abs(float(dataset(page, "moved-words")["changed"]))
        rows = moving.moved(scheme, 9, 56, d_model=64, n_heads=4, seed=0).weights[0, :, 4]
        assert by == pytest.approx(np.abs(rows[10] - rows[0]).max(), abs=1e-6)
        bars, ghosts = (
            figure.locator(f".board > .{lane} .{kind}").evaluate_all(
                "all => all.map((bar) => bar.height.baseVal.value)"
            )
            for kind in ("bar", "ghost")
        )
        assert len(bars) == len(ghosts) == 9
        apart = np.abs(np.subtract(bars, ghosts)).max()
        assert (by > 0.01 and apart > 20) if lane == "added" else (by < 1e-6 and apart < 0.01), lane
        expect(page).to_have_url(re.compile("pos_start=10"))
        if k < 2:
            main.click()
            expect(page).not_to_have_url(re.compile("pos_start"))
    expect(status).to_have_text("Only the wave notices. The others know nothing but distance.")
    figure.locator(".tab").first.click()
    expect(status).to_contain_text("Push the ruler")
    expect(page).not_to_have_url(re.compile("pos_lane"))
    main.click()
    main.click()
    page.locator(".read-on[data-said]").wait_for(state="attached")


@pytest.mark.wide
def test_old_links_to_other_ways_open_theirs(visit):
    page = visit("/positions?pos_view=Other+ways&pos_start=10", painted=False, reduced_motion="reduce").page
    figure = page.locator(".moved-words[data-changed]")
    expect(figure.locator(".verdict").first).to_have_text("bars change")
    for link, lane in (
        ("pos_lane=priced&pos_priced_by=T5+relative", "priced"),
        ("pos_start=10&pos_added_by=learned&pos_priced_by=T5+relative", "added"),
        ("pos_lane=nowhere", "added"),
    ):
        page.goto(page.url.split("?")[0] + f"?pos_view=Other+ways&{link}")
        expect(figure).to_have_attribute("data-lane", lane)


@pytest.mark.wide
def test_ring_and_scale_are_dragged_and_walk_with_keys_and_bars_say_their_weights(visit):
    page = visit("/positions?pos_view=Other+ways&pos_lane=priced", painted=False, reduced_motion="reduce").page
    figure = page.locator(".moved-words[data-changed]")
    ring, scale = (
        figure.get_by_role("slider", name=name) for name in ("Word that looks", "Position of the first word")
    )
    box = ring.bounding_box()
    word = box["width"] / 9
    page.mouse.move(box["x"] + 4.5 * word, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 6.5 * word, box["y"] + 20, steps=3)
    page.mouse.up()
    expect(ring).to_have_attribute("aria-valuetext", "word 7 of 9")
    page.keyboard.press("ArrowLeft")
    expect(ring).to_have_attribute("aria-valuetext", "word 6 of 9")
    box = scale.bounding_box()
    page.mouse.move(box["x"] + 5.5 * word, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 2.5 * word, box["y"] + 10, steps=3)
    page.mouse.up()
    expect(figure).to_have_attribute("data-start", "3")
    page.keyboard.press("End")
    expect(figure).to_have_attribute("data-start", "55")
    page.keyboard.press("ArrowRight")
    expect(figure).to_have_attribute("data-start", "55")  # the ruler ends there
    page.keyboard.press("Home")
    expect(figure).to_have_attribute("data-start", "0")
    expect(page).to_have_url(re.compile("pos_looks=5"))
    row = moving.moved("alibi", 9, 1, d_model=64, n_heads=4, seed=0).weights[0, 0, 5]
    lane = figure.get_by_role("img", name="ALiBi: attention weights of word 6 on words 1 to 9")
    said = lane.get_attribute("aria-label").split(": ")[-1].split(", ")
    assert [float(weight) for weight in said] == pytest.approx(row, abs=0.0051)
    heights = lane.locator(".bar").evaluate_all("all => all.map((bar) => bar.height.baseVal.value)")
    assert np.array(heights) / sum(heights) == pytest.approx(row, abs=1e-3)
    lane.hover(position={"x": 5.5 * word, "y": 160})
    expect(lane.locator(".change")).to_have_text(f"{row[5]:.2f}")


@pytest.mark.wide
def test_hands_turn_together_as_all_words_move(visit):
    link = "/positions?pos_view=Other+ways&pos_looks=2&pos_lane=turned"
    page = visit(link, painted=False, reduced_motion="reduce").page
    figure = page.locator(".moved-words[data-changed]")
    figure.wait_for(state="attached")

    def angles(hand):
        return figure.locator(f".board > .turned path.{hand}").evaluate_all(
            """all => all.map((path) => {
                const [, x, y, to, above] = path.getAttribute("d").match(/M(\\S+) (\\S+)L(\\S+) (\\S+)/).map(Number);
                return Math.atan2(to - x, y - above);
            })"""
        )

    def expect_turned(start):
        turns = 10_000 ** (-1 / 8) * np.arange(start, start + 9)
        for hand, wanted in (("key", turns), ("query", turns[2])):
            off = np.array(angles(hand)) - wanted
            assert np.abs((off + np.pi) % (2 * np.pi) - np.pi).max() < 0.02

    expect_turned(0)
    figure.get_by_role("button", name="Push it").click()
    expect(figure).to_have_attribute("data-start", "10")
    expect_turned(10)


@pytest.mark.wide
def test_below_it_each_way_has_its_whole_map_and_a_row_as_a_curve(visit):
    page = visit("/positions?pos_view=Other+ways", painted=False, reduced_motion="reduce").page
    figure = page.locator(".position-maps[data-ratios]")
    maps = {s: positions.same_word(s, 24, d_model=64, n_heads=4, seed=0)[0] for s in POSITION_SCHEMES}
    for name, says, title in (
        ("rotary", "wherever it is", "Only the distance counts: the same curve at all 24 positions"),
        ("learned", "depending on where it is", "The position counts: 24 positions, 24 curves"),
    ):
        figure.get_by_role("radio", name=name).click()
        expect(figure.get_by_role("status")).to_contain_text(says)
        expect(figure.locator(".title")).to_have_text(title)
        curve, traces = figure.locator(".curve"), figure.locator(".traces path")
        if name == "rotary":
            expect(traces).to_have_count(23)
            expect(figure.get_by_text("Grey: distances that fewer than half of the positions have.")).to_be_visible()
            assert reach(figure.locator(".afar")) > 1.9 * reach(curve), "few positions have the ends"
            assert all(reach(trace) < 1.1 * reach(curve) for trace in traces.all())
        else:  # the word's own curve is whole, and all others are one band
            expect(traces).to_have_count(1)
            expect(figure.get_by_text("Grey: all other positions.")).to_be_visible()
            assert 1.5 * reach(curve) < reach(traces) < 2.1 * reach(curve)
        row = maps[name][12]
        assert numbers(dataset(page, "position-maps")["ratios"]) == pytest.approx(row / row[12], rel=1e-4)
        expect(figure.get_by_role("status")).to_contain_text("the word 3 back")
        expect(figure.locator(".mark")).to_have_text(f"3 words back: {row[9] / row[12]:.2f} ×")
        expect(figure.locator(".cell-says")).to_have_text("3 words back")
        cell, box = figure.locator(".cell").bounding_box(), figure.locator(".map").bounding_box()
        at = [(cell[x] + cell[side] / 2 - box[x]) / box[side] * 24 for x, side in (("x", "width"), ("y", "height"))]
        assert at == pytest.approx([9.5, 12.5], abs=0.3), "the cell that is named is the one that is framed"
        expect(figure.locator(".diagonal path")).to_have_attribute("d", re.compile("^M0 3h.*M20 23h"))
    expect(page).to_have_url(re.compile("pos_way=learned"))
    page.reload()
    expect(figure).to_have_attribute("data-way", "learned")
    expect(figure.get_by_role("status")).to_contain_text("depending on where it is")


@pytest.mark.wide
def test_a_way_that_is_pressed_has_its_finding_at_once(visit):
    page = opened(visit, "/positions?pos_view=Other+ways&pos_row=20")
    figure = page.locator(".position-maps[data-ratios]")
    figure.evaluate("""(e) => {
        const said = () => ["[role=status]", ".mark"].map((part) => e.querySelector(part).textContent);
        e.addEventListener("click", () => (window.seen = said()));
    }""")
    figure.get_by_role("radio", name="T5").click()
    said, mark = page.evaluate("seen")
    assert said.startswith("A word gives the word 7 ahead ")
    assert mark.startswith("7 words ahead"), "in the row that it rests on"
    figure.get_by_role("radio", name="none").click()
    assert "the same attention" in page.evaluate("seen")[0]


@pytest.mark.wide
def test_a_row_is_dragged_and_its_curves_coincide_where_the_distance_counts(visit):
    page = opened(visit, "/positions?pos_view=Other+ways&pos_row=6")
    figure = page.locator(".position-maps")
    figure.locator(".map").scroll_into_view_if_needed()
    box = figure.locator(".map").bounding_box()
    cell = box["height"] / 24
    page.mouse.move(box["x"] + 5 * cell, box["y"] + 6.5 * cell)
    page.mouse.down()
    page.mouse.move(box["x"] + 5 * cell, box["y"] + 9.5 * cell, steps=3)
    page.mouse.up()
    expect(figure).to_have_attribute("data-row", "9")
    figure.get_by_role("slider", name="Position of the word that looks").press("End")
    expect(figure).to_have_attribute("data-row", "23")
    expect(page).to_have_url(re.compile("pos_row=23"))
    # Heights at the same distance, of all curves.
    heights = {}
    for path in figure.locator(":is(.traces path, .curve)").evaluate_all("all => all.map((e) => e.getAttribute('d'))"):
        for x, y in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", path):
            heights.setdefault(x, []).append(float(y))
    assert max(np.ptp(at) for at in heights.values()) <= 0.11


@pytest.mark.wide
def test_an_old_link_to_a_distance_shows_its_number_on_the_curve(visit):
    page = opened(visit, "/positions?pos_view=Other+ways&pos_distance=3")
    m = positions.same_word("rotary", 24, d_model=64, n_heads=4, seed=0)[0]
    expect(page.locator(".position-maps .mark")).to_have_text(f"3 words back: {m[12, 9] / m[12, 12]:.2f} ×")


@pytest.mark.wide
def test_the_figure_stays_where_it_is_from_one_way_to_the_next(visit):
    for width in (1280, 390):
        page = visit("/positions?pos_view=Other+ways", painted=False, viewport={"width": width, "height": 800}).page
        figure = page.locator(".position-maps[data-ratios]")
        figure.wait_for(state="attached")
        tops = set()
        for way in figure.get_by_role("radio").all():
            way.click()
            tops.add(figure.locator(".strip").evaluate("(strip) => strip.offsetTop"))
        assert len(tops) == 1, width


@pytest.mark.wide
def test_how_far_each_way_reaches_has_a_door_of_its_own_and_each_line_one_back(visit):
    page = opened(visit, "/positions?pos_view=Other+ways")
    page.get_by_role("button", name="How far does each reach?").click()
    figure = page.locator(".read-on[data-said]")
    figure.wait_for(state="attached")
    expect(page).to_have_url(re.compile("pos_view=Too"))
    expect(page.locator(".st-key-pos_scheme")).to_have_count(0)
    figure.press("Shift")  # ends the first beat
    figure.locator(".primary").click()
    expect(figure).to_have_attribute("data-at", "192")
    figure.locator(".lane", has_text="rotary").click()
    figure.get_by_role("button", name="Inside rotary").click()
    page.locator(".clocks[data-product]").wait_for(state="attached")
    expect(page.locator(".st-key-pos_scheme").get_by_role("radio", name="rotary", exact=True)).to_be_checked()


@pytest.mark.wide
def test_a_lane_that_is_pressed_says_why_and_leads_inside(visit):
    page = visit("/positions?pos_view=Too+far&pos_read_to=192", painted=False, reduced_motion="reduce").page
    figure = page.locator(".read-on[data-said]")
    says, on, main = figure.get_by_role("status"), figure.locator("[aria-pressed=true]"), figure.locator(".primary")
    expect(says).to_contain_text("At 192 tokens ALiBi")
    expect(on).to_have_count(0)
    top = figure.locator(".lanes").bounding_box()["y"]
    figure.get_by_role("button", name="Why does sinusoidal fail?").click()
    expect(figure).to_have_attribute("data-way", "sinusoidal")
    expect(says).to_contain_text("Sinusoidal is right over 90% of the time up to 48 tokens, then falls to 37%.")
    expect(main).to_have_text("Inside sinusoidal →")
    assert figure.locator(".lanes").bounding_box()["y"] == top
    expect(figure).to_have_attribute("data-at", "192")  # a press on a lane leaves the text as long as it is
    figure.locator(".lane", has_text="no positions").click()
    expect(says).to_contain_text("Without positions")
    expect(main).to_be_disabled()
    expect(page).to_have_url(re.compile("pos_reader=no"))
    page.reload()
    expect(figure).to_have_attribute("data-way", "no positions")
    figure.locator(".lane", has_text="no positions").click()
    expect(on).to_have_count(0)


@pytest.mark.wide
def test_the_way_on_the_stage_is_opened_in_place(visit):
    for figure in (".position-maps", ".moved-words"):
        page = opened(visit, "/positions?pos_view=Other+ways&pos_lane=turned&pos_start=10")
        page.locator(figure).get_by_role("button", name="Inside rotary →", exact=True).click()
        page.locator(".clocks[data-product]").wait_for(state="attached")
        expect(page.locator(".st-key-pos_scheme").get_by_role("radio", name="rotary", exact=True)).to_be_checked()


@pytest.mark.wide
def test_the_score_of_rotated_arrows_knows_the_distance_only(visit):
    page = opened(visit, "/positions?pos_view=Schemes&pos_scheme=rotary")
    made = positions.rotary_hands(165, 16, 10_000.0, 0)
    set_slider(page, "How far the query comes after the key", 12)
    seen = []
    for at in (0, 40, 90):
        set_slider(page, "Position of the key", at)
        seen.append(float(dataset(page, "clocks")["product"]))
    assert seen == pytest.approx([(made.first[12] * made.second[0]).sum()] * 3, abs=1e-4)


def test_models_read_on_as_far_as_one_pulls(visit):
    """From a bet on to the end, by hand; then arrow keys: lanes are ranked once, and the link keeps the length."""
    page = visit("/positions?pos_view=Too+far", painted=False, reduced_motion="reduce").page
    figure = page.locator(".read-on[data-said]")
    text = figure.get_by_role("slider", name="Tokens up to which the models read")
    expect(figure).to_have_attribute("data-at", "48")  # nothing is seen that nobody has read
    ahead, names = figure.locator(".ahead").first, figure.locator(".name")
    assert "75%" in ahead.evaluate("e => getComputedStyle(e).clipPath")
    figure.locator(".lane", has_text="rotary").click()
    expect(figure.get_by_role("status")).to_have_text("You say rotary. Now pull the text longer.")
    page.wait_for_timeout(300)
    assert "pos_read_to" not in page.url, "a link gives away no end that nobody has read"
    box = text.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 4, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 20, steps=3)
    expect(figure.get_by_role("status")).to_contain_text("No text in training was this long.")
    expect(figure.get_by_text("stops: its table ends here")).to_be_visible()
    page.mouse.move(box["x"] + box["width"], box["y"] + 20, steps=3)
    page.mouse.up()
    expect(figure).to_have_attribute("data-at", "192")
    expect(page).to_have_url(re.compile("pos_read_to=192"))
    expect(figure.get_by_role("status")).to_contain_text(
        "No: at 192 tokens ALiBi is right 97% of the time, rotary 59%."
    )
    tops = {name.inner_text().split("\n")[0]: name.bounding_box()["y"] for name in names.all()}
    ranked = ["ALiBi", "no positions", "T5 relative", "rotary", "sinusoidal", "learned"]
    assert sorted(tops, key=lambda name: tops[name]) == ranked
    for _ in range(8):
        page.keyboard.press("ArrowLeft")
    expect(figure).to_have_attribute("data-at", "128")
    expect(page).to_have_url(re.compile("pos_read_to=128"))
    assert [part.rsplit(" ", 1)[0] for part in dataset(page, "read-on")["said"].split(": ")[1].split(", ")] == ranked
    figure.locator(".lane", has_text="rotary").press("Enter")  # a key is a press, whatever was pulled before
    expect(figure.get_by_role("status")).to_contain_text("Rotary is right")
