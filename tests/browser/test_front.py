"""The front page in a browser: a sentence is typed and goes along, the map is full of doors, and fits a phone."""

import re

import pytest
from playwright.sync_api import expect

PHONE = {"width": 390, "height": 844}


def test_the_picture_comes_first_and_answers_the_hand(visit):
    view = visit("/")
    assert view.root.bounding_box()["y"] <= 260
    view.expect(layer=0, head=3)
    before = view.cell
    view.hover(2, 3)
    view.wait(50)
    assert view.cell == (2, 3) != before


def test_a_typed_sentence_goes_along_to_all_heads(visit):
    view = visit("/")
    view.type("the room was not bad")
    expect(view.page.get_by_text("gets the most")).to_be_visible()
    view.settle()
    view.page.get_by_role("link", name="Explore all heads").click()
    expect(view.tokens.last).to_have_text("bad")
    expect(view.page.get_by_role("textbox", name="Sentence")).to_have_value("the room was not bad")


def test_a_part_of_the_map_says_what_it_does_and_opens_its_page(visit):
    page = visit("/").page
    part = page.locator(".model-map").get_by_role("link", name="Cross-attention")
    part.hover()
    expect(page.locator(".model-map .say")).to_contain_text("queries from here")
    part.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/translation"))


@pytest.mark.wide
def test_on_a_phone_the_map_is_whole_in_two_columns(visit):
    page = visit("/", viewport=PHONE).page
    drawing = page.locator(".model-map svg")
    drawing.scroll_into_view_if_needed()
    box = drawing.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    assert box["height"] > 2 * box["width"]
    main = page.locator('[data-testid="stMain"]')
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_what_it_looks_at_is_switched_without_a_message_to_the_server(visit):
    view = visit("/")
    panel = view.page.locator(".pronoun")
    expect(panel.locator(".word.key")).to_contain_text("animal")
    expect(panel.locator(".word.query")).to_have_text("it")
    assert panel.locator("path").count() >= 3
    tired = panel.locator(".stage").get_attribute("aria-label")
    assert "looks at animal 0.65" in tired
    view.settle()
    view.sent.clear()
    wide = panel.get_by_role("button", name="… wide")
    wide.focus()
    view.page.keyboard.press("Enter")
    expect(wide).to_have_attribute("aria-pressed", "true")
    expect(panel.locator(".stage")).to_have_attribute("aria-label", re.compile("looks at animal 0.50"))
    assert view.sent == []


@pytest.mark.wide
def test_on_a_phone_it_is_coloured_words_without_ribbons(visit):
    page = visit("/", viewport=PHONE).page
    panel = page.locator(".pronoun")
    panel.scroll_into_view_if_needed()
    expect(panel.locator("svg")).to_be_hidden()
    boxes = [word.bounding_box() for word in panel.locator(".word").all()]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"] for box in boxes)
