"""A puzzle in a browser: its goal stands above the figure, and the hand on that figure solves it."""

import re

from playwright.sync_api import expect


def test_a_puzzle_is_solved_where_it_is_played_and_ticked_on_the_list(visit):
    view = visit("/challenges?puzzle_silenced=11", painted=False)
    page = view.page
    page.get_by_role("link", name="See it on Heads").click()
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


def test_the_first_puzzle_is_solved_on_the_list_itself(visit):
    page = visit("/challenges", painted=False).page
    root = page.locator(".one-head")
    expect(root).to_have_attribute("data-word", "he")
    expect(root.locator(".found").first.locator("span")).to_have_text(["⟨start⟩", "tim", "was", "cold", ".", "then"])
    root.get_by_role("button", name="layer 0, head 0").click()
    expect(root.get_by_role("button", name="layer 0, head 0 he")).to_have_attribute("aria-pressed", "true")
    root.get_by_role("button", name="layer 1, head 2").click()
    expect(root.get_by_role("status")).to_have_text("Without layer 1, head 2 it is still he. Press another.")
    expect(root.locator(".tally")).to_have_text("2 of 12 heads tried")
    count = page.locator(".progress[data-page=challenges]")
    expect(count).to_have_text("0 of 4 puzzles on this page solved")
    page.keyboard.press("ArrowUp")  # the layers stand on one another
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(root).to_have_attribute("data-word", "she")
    expect(root.get_by_role("button", name="layer 2, head 3 she")).to_have_attribute("aria-pressed", "true")
    expect(count).to_have_text("1 of 4 puzzles on this page solved")
    expect(page).to_have_url(re.compile("puzzle_silenced=11"))
    expect(page.get_by_role("link", name="Next puzzle")).to_have_attribute("href", re.compile("puzzle=undecided"))
    page.keyboard.press("Enter")
    expect(root).to_have_attribute("data-word", "he")
    expect(page).not_to_have_url(re.compile("puzzle_silenced=11"))
    root.get_by_role("button", name="layer 1, head 2").click()
    expect(root.get_by_role("status")).to_contain_text("Without layer 1, head 2")
    expect(page.locator("[data-check=challenges-head][data-state=open]")).to_be_attached()  # the server has heard of it
    expect(page.get_by_role("link", name="Next puzzle")).to_be_visible()
    expect(count).to_have_text("1 of 4 puzzles on this page solved")
