"""A puzzle in a browser: the hand on its figure solves it."""

import re

import pytest
from playwright.sync_api import expect

# The heights of both ends of the beam, in percent.
ENDS = "lock => ['y1', 'y2'].map(end => parseFloat(lock.querySelector('line').getAttribute(end)))"


def test_a_letter_is_turned_until_both_words_weigh_enough_and_the_beam_goes_with_the_hand(visit):
    page = visit("/challenges", painted=False, reduced_motion="reduce").page
    root = page.locator(".name-lock")
    wheels, says = root.get_by_role("slider"), root.get_by_role("status")
    count = page.locator(".progress[data-page=challenges]")
    expect(says).to_have_text("“tim” is a boy’s name in its stories. It says “he”. Turn a letter.")
    expect(count).to_have_text("0 of 4 puzzles on this page solved")
    he, she = root.evaluate(ENDS)
    assert he > she, "what is likelier weighs more"
    expect(root.locator("small")).to_have_css("text-align", "left")  # where the beam is low: it prints over nothing
    wheels.nth(1).hover()
    page.mouse.wheel(0, 100)
    expect(root).to_have_attribute("data-name", "tam")
    page.mouse.wheel(0, -100)
    expect(root).to_have_attribute("data-name", "tim")
    assert not page.evaluate("scrollY + document.querySelector('[data-testid=stMain]').scrollTop")
    wheels.nth(0).press("ArrowDown")
    expect(root).to_have_attribute("data-name", "jim")  # a name that it knows as well
    box = wheels.nth(0).bounding_box()
    x, y, pitch = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["height"] / 3
    heights = []
    page.mouse.move(x, y)
    page.mouse.down()
    for way in (0.2, 0.4, 0.6, 0.8, 1):
        page.mouse.move(x, y - way * pitch)
        heights.append(root.evaluate(ENDS))
    page.mouse.up()
    assert [one for one, _ in heights] == sorted((one for one, _ in heights), reverse=True)
    assert len({one for one, _ in heights}) == len(heights), "between two letters, too"
    assert abs(heights[-1][0] - heights[-1][1]) < 8
    expect(says).to_have_text("✓ “kim” is neither a boy’s nor a girl’s name in its stories: it is in two minds.")
    expect(count).to_have_text("1 of 4 puzzles on this page solved")
    expect(page).to_have_url(re.compile("puzzle_name=kim"))
    expect(page.get_by_role("link", name="Next puzzle")).to_have_attribute("href", re.compile("puzzle_at=head"))
    box = wheels.nth(0).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 0.15 * box["height"])  # the letter above
    expect(says).to_contain_text("“jim” is a boy’s name")
    expect(page.locator("[data-check=challenges-undecided][data-state=open]")).to_be_attached()  # the server has heard
    expect(page.get_by_role("link", name="Next puzzle")).to_be_visible()
    expect(count).to_have_text("1 of 4 puzzles on this page solved")


@pytest.mark.wide
def test_a_head_is_pulled_out_bit_by_bit_until_the_beam_tips_and_the_other_name_is_put_in(visit):
    page = visit("/challenges", painted=False, reduced_motion="reduce").page
    page.get_by_role("link", name="Take out one head").click()
    root = page.locator(".pull-tabs")
    says, tabs = root.get_by_role("status"), root.locator(".tab")
    expect(says).to_have_text("All 12 heads are in: it says “he”. Pull one out.")
    tabs.nth(10).press("Enter")
    expect(says).to_have_text("Warm! “he” falls to 91%. Another head holds more of it.")
    box = tabs.nth(11).bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 20)
    page.mouse.down()
    heights = []
    for by in (10, 20, 30, 40, 50):
        page.mouse.move(box["x"] + 30, box["y"] + 20 + by)
        heights.append(root.evaluate(ENDS)[0])
    assert heights == sorted(heights, reverse=True)
    assert len(set(heights)) == len(heights), "with every bit of the way"
    page.mouse.up()
    expect(says).to_have_text("✓ Without this one head, “he” is “she”. And after “lily”?")
    expect(page.locator(".progress[data-page=challenges]")).to_have_text("1 of 4 puzzles on this page solved")
    expect(page.get_by_role("link", name="Next puzzle")).to_have_count(0)
    root.get_by_role("button", name="Put in “lily”").click()
    expect(says).to_contain_text("Without this head, the name hardly matters: “she” has 62% after “tim”, 51% after")
    expect(page).to_have_url(re.compile("puzzle_pulled=lily%3A11"))
    expect(page.get_by_role("link", name="Next puzzle")).to_have_attribute("href", re.compile("puzzle=french"))
