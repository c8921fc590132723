"""A puzzle in a browser: its goal stands above the figure, and the hand on that figure solves it."""

from playwright.sync_api import expect


def test_a_puzzle_is_solved_where_it_is_played_and_ticked_on_the_list(visit):
    view = visit("/challenges", painted=False)
    page = view.page
    page.get_by_role("link", name="Play on Heads").click()
    puzzle = page.locator(".st-key-puzzle")
    expect(puzzle).to_contain_text("Silence one head, and the boy becomes a girl")
    view.settle()
    expect(puzzle).to_contain_text("Not yet. With every head in, it is he")
    view.thumb(2, 3).click()
    view.expect(layer=2, head=3)
    expect(puzzle).to_contain_text("Solved. With every head in, it is he")
    expect(puzzle).to_contain_text("layer 2, head 3, it turns into she")
    puzzle.get_by_role("link", name="All puzzles").click()
    expect(page.locator(".progress[data-page=challenges]")).to_have_text("1 of 4 puzzles on this page solved")
