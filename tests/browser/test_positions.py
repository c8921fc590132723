"""What people do on the page on positions: drag words, turn clocks, follow links."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.positions import clocks, schemes, shuffle, waves
from tests.browser.view import let_pass
from transformer.inspection import positions


def dataset(page, name):
    return page.locator(f".{name}").evaluate("(root) => ({ ...root.dataset })")


def opened(visit, path):
    page = visit(path, painted=False).page
    page.locator(".shuffler[data-moved], .clocks[data-product]").first.wait_for(state="attached")
    return page


def set_slider(page, name, value):
    page.get_by_role("slider", name=name, exact=True).evaluate(
        "(input, value) => { input.value = value; input.dispatchEvent(new Event('input')); }", value
    )


def test_dragging_a_word_asks_the_model(visit):
    page = opened(visit, "/positions")
    assert dataset(page, "shuffler")["order"] == "0,5,2,3,4,1"
    word = page.get_by_role("button", name="The: arrow keys move it", exact=True)
    box, last = word.bounding_box(), page.get_by_role("button", name="cat: arrow keys move it").bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 30, (box["y"] + last["y"]) / 2, steps=4)
    page.mouse.move(box["x"] + 30, last["y"] + 12, steps=4)
    page.mouse.up()
    expect(page.locator(".shuffler")).to_have_attribute("data-order", "5,2,3,4,1,0")
    assert max(map(float, dataset(page, "shuffler")["moved"].split(","))) < 1e-5
    expect(page.get_by_text("The model did not notice.")).to_be_visible()
    page.wait_for_function("() => location.search.includes('pos_order=5-2-3-4-1-0')")


def test_arrow_keys_move_a_word_and_keep_the_focus(visit):
    page = opened(visit, "/positions?positions=sinusoidal")
    page.get_by_role("button", name="mat: arrow keys move it").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".shuffler")).to_have_attribute("data-order", "5,0,2,3,4,1")
    expect(page.get_by_role("button", name="mat: arrow keys move it")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".shuffler")).to_have_attribute("data-order", "0,5,2,3,4,1")
    assert max(map(float, dataset(page, "shuffler")["moved"].split(","))) > 0.1


def test_words_are_never_read_as_html(visit):
    page = opened(visit, "/positions?text=%3Cimg%20src=x%20onerror=alert(1)%3E")
    assert page.locator(".shuffler img").count() == 0
    assert page.locator(".shuffler button.word").first.inner_text() == "<"


def test_one_matrix_moves_every_position(visit):
    page = opened(visit, "/positions?pos_view=Clocks&pos_at=7&pos_offset=5")
    table = positions.sinusoid_hands(133, 16, 10_000.0).first
    for at, k in [(7, 5), (60, 5), (60, 32), (0, 0)]:
        set_slider(page, "Position", at)
        set_slider(page, "Offset k", k)
        seen = dataset(page, "clocks")
        assert (seen["a"], seen["k"]) == (str(at), str(k))
        assert float(seen["worst"]) < 1e-6
        assert float(seen["product"]) == pytest.approx((table[at] * table[at + k]).sum(), abs=1e-5)
    hands = page.locator(".clocks .hand:not(.then)").evaluate_all(
        "(all) => all.map((h) => [h.x2, h.y2].map((v) => v.baseVal.value))"
    )
    tips = np.array(hands) / 43 * [1, -1]
    assert np.abs(tips - table[0]).max() < 1e-4


def test_clocks_cost_the_server_nothing_and_make_a_link(visit):
    view = visit("/positions?pos_view=Clocks", painted=False)
    page = view.page
    page.locator(".clocks[data-product]").wait_for(state="attached")
    let_pass(page, 800)
    before = len(view.sent)
    set_slider(page, "Position", 33)
    set_slider(page, "Offset k", 9)
    page.wait_for_function("() => location.search.includes('pos_at=33') && location.search.includes('pos_offset=9')")
    assert len(view.sent) == before
    page.reload()
    page.locator(".clocks[data-product]").wait_for(state="attached")
    assert (dataset(page, "clocks")["a"], dataset(page, "clocks")["k"]) == ("33", "9")


def test_play_turns_the_clocks(visit):
    page = opened(visit, "/positions?pos_view=Clocks")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".clocks")).to_have_attribute("data-a", re.compile(r"^([6-9]|\d\d)$"))
    page.get_by_role("button", name="Pause").click()
    stopped = dataset(page, "clocks")["a"]
    let_pass(page, 600)
    assert dataset(page, "clocks")["a"] == stopped


def test_the_score_of_rotated_arrows_knows_the_distance_only(visit):
    page = opened(visit, "/positions?pos_view=Schemes&pos_scheme=rotary")
    made = positions.rotary_hands(165, 16, 10_000.0, 0)
    set_slider(page, "How far the query stands behind the key", 12)
    seen = []
    for at in (0, 40, 90):
        set_slider(page, "Position of the key", at)
        seen.append(float(dataset(page, "clocks")["product"]))
    assert seen == pytest.approx([(made.first[12] * made.second[0]).sum()] * 3, abs=1e-4)


def test_nothing_runs_out_of_the_page(visit):
    page = visit("/positions", painted=False, viewport={"width": 1280, "height": 800}).page
    for view in (shuffle.VIEW, waves.VIEW, clocks.VIEW, schemes.VIEW):
        page.get_by_role("radio", name=view.name, exact=True).click()
        expect(page.get_by_role("heading", name=view.question)).to_be_visible()
        page.get_by_text("Check yourself.").wait_for()
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            let_pass(page, 300)
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, (view.name, width)
