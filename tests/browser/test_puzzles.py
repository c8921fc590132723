"""A puzzle in a browser: its goal stands above the figure, and the hand on that figure solves it."""

import re

import pytest
from playwright.sync_api import expect


@pytest.mark.wide
def test_a_puzzle_is_solved_where_it_is_played_and_ticked_on_the_list(visit):
    view = visit("/challenges?puzzle_silenced=0", painted=False)  # a link of old leads to where it is played
    page = view.page
    puzzle = page.locator(".st-key-puzzle")
    expect(puzzle).to_contain_text("Take out one head, so that “he” becomes “she”")
    view.settle()
    expect(puzzle).to_contain_text("Not yet. With every head in, it is he")
    view.thumb(2, 3).click()
    view.expect(layer=2, head=3)
    expect(puzzle).to_contain_text("Solved. With every head in, it is he")
    expect(puzzle).to_contain_text("layer 2, head 3, it turns into she")
    puzzle.get_by_role("link", name="All puzzles").click()
    expect(page.locator(".progress[data-page=challenges]")).to_have_text("1 of 4 puzzles on this page solved")


def test_a_letter_is_turned_until_both_words_pass_their_marks(visit):
    page = visit("/challenges", painted=False).page
    root = page.locator(".name-lock")
    wheels, says = root.get_by_role("slider"), root.get_by_role("status")
    count = page.locator(".progress[data-page=challenges]")
    expect(says).to_contain_text("After “tim” it says “he”.")
    expect(count).to_have_text("0 of 4 puzzles on this page solved")
    hint = page.get_by_role("button", name="Turn the first letter")
    hint.click()
    expect(root).to_have_attribute("data-name", "jim")  # a name that it knows as well
    wheels.nth(0).press("ArrowUp")
    expect(root).to_have_attribute("data-name", "tim")
    wheels.nth(1).hover()
    page.mouse.wheel(0, 100)
    expect(root).to_have_attribute("data-name", "tam")
    page.mouse.wheel(0, -100)
    expect(root).to_have_attribute("data-name", "tim")
    assert not page.evaluate("scrollY + document.querySelector('[data-testid=stMain]').scrollTop")
    box = wheels.nth(2).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 0.7 * box["height"], steps=6)
    page.mouse.up()
    expect(root).to_have_attribute("data-name", "tig")
    wheels.nth(2).press("ArrowUp")
    wheels.nth(2).press("ArrowUp")
    expect(root).to_have_attribute("data-name", "tim")
    expect(count).to_have_text("0 of 4 puzzles on this page solved")
    hint.click()
    expect(root).to_have_attribute("data-name", "jim")
    box = wheels.nth(0).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 0.85 * box["height"])  # the letter below
    expect(says).to_have_text(re.compile("^✓ After “kim” the storyteller is in two minds: he 4[0-9]%, she 5[0-9]%"))
    expect(hint).to_be_hidden()
    expect(count).to_have_text("1 of 4 puzzles on this page solved")
    expect(page).to_have_url(re.compile("puzzle_name=kim"))
    expect(page.get_by_role("link", name="Next puzzle")).to_have_attribute("href", re.compile("puzzle=head"))
    wheels.nth(0).press("ArrowUp")
    expect(says).to_have_text("After “jim” it says “he”. You have solved this one; the letters still turn.")
    expect(page.locator("[data-check=challenges-undecided][data-state=open]")).to_be_attached()  # the server has heard
    expect(page.get_by_role("link", name="Next puzzle")).to_be_visible()
    expect(count).to_have_text("1 of 4 puzzles on this page solved")
