"""Brackets in code in a browser: a bracket is held by keyboard, its weights appear, and the link carries the code."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from pages.beyond.brackets import EXAMPLES

# How many points of threads lie on words: on the middle of their height, where they would be struck through.
STRUCK = """(root) => {
    const words = [...root.querySelectorAll('.sheet > :is(span, button)')]
        .filter((node) => node.textContent.trim())
        .map((node) => node.getBoundingClientRect());
    const isOn = ({ x, y }) => words.some(({ left, right, top, height }) =>
        x > left && x < right && y > top + 0.25 * height && y < top + 0.75 * height);
    return [...root.querySelectorAll('.lines path')].map((path) => {
        const place = path.getScreenCTM();
        const points = Array.from({ length: Math.ceil(path.getTotalLength() / 3) }, (_, n) =>
            path.getPointAtLength(3 * n).matrixTransform(place));
        return points.filter(isOn).length;
    });
}"""


@pytest.mark.parametrize(
    "name", [next(iter(EXAMPLES)), *(pytest.param(one, marks=pytest.mark.wide) for one in EXAMPLES)]
)
def test_threads_run_around_the_words(visit, name: str):
    link = f"/beyond?beyond_code={quote(EXAMPLES[name])}"
    root = visit(link, painted=False, reduced_motion="reduce").page.locator(".code-brackets")
    # It opens on a question; under the hand a bracket is out, and threads let go of it.
    finding = root.locator(".finding")
    expect(finding).to_have_text(re.compile("^Touch a “[({]”, and it is gone. Which threads let go\\?$"))
    expect(root.get_by_role("button", name="back do?")).to_be_hidden()
    if name == next(iter(EXAMPLES)):
        expect(root).to_have_attribute("data-threads", "5")
        root.get_by_role("button", name="opening bracket (").nth(2).hover()
        expect(finding).to_have_text(
            "Without this “(”, 3 of 5 threads let go; the model would write 2 brackets differently."
        )
        expect(root.locator(".out")).to_have_text("(")
        expect(root.locator(".other")).to_have_text(["}", "}"])
        expect(root.locator(".moved")).to_have_count(3)
        expect(root.locator(".looked")).to_have_count(2)  # where they lead now: two of them to one
        root.get_by_role("button", name="opening bracket {").focus()  # as a keyboard does
        expect(finding).to_have_text(re.compile("^Without this “{”, .* for “}” the model would write nothing.$"))
        expect(root.locator(".nothing")).to_have_count(1)
    else:
        root.get_by_role("button", name="opening bracket").first.hover()
        expect(root.locator(".out")).to_have_count(1)
    root.page.mouse.move(2, 2)
    finding.click()  # nothing has the focus
    expect(root.locator(".out, .other, .moved")).to_have_count(0)
    expect(root.locator(".lines path").first).to_be_attached()
    struck = root.evaluate(STRUCK)
    assert struck
    assert not any(struck)
    if name != next(iter(EXAMPLES)):
        return
    # What counting tokens would find is drawn the same way, in ink; what it misses is dashed.
    root.get_by_role("button", name="Would counting 2 back do?").click()
    expect(root.locator(".finding")).to_have_text(
        "Counting 2 tokens back finds 3 of 5 partners and misses the rest. The head finds all 5."
    )
    expect(root.locator(".lines .rule.astray")).to_have_count(2)
    root.get_by_role("button", name="opening bracket (").first.hover()  # on the way, and the counting goes on
    expect(finding).to_have_text(re.compile("^Without this"))
    expect(root.locator(".lines .rule")).to_have_count(0)
    root.page.mouse.move(2, 2)
    expect(root.locator(".lines .rule.astray")).to_have_count(2)
    root.get_by_role("button", name="Back to the head").click()
    expect(root.locator(".lines .rule")).to_have_count(0)
    # A bracket that is pressed shows the head's own thread, and all else is of the head again.
    root.get_by_role("button", name="Would counting 2 back do?").click()
    root.get_by_role("button", name="closing bracket }").click()
    expect(root.locator(".finding")).to_have_text(re.compile("^This “}” looks most at “{” .*, its partner."))
    expect(root.get_by_role("button", name="Would counting 2 back do?")).to_be_visible()
    expect(root.locator(".lines .rule")).to_have_count(0)
    expect(root).to_have_attribute("data-threads", "1")


@pytest.mark.wide
def test_a_closing_bracket_is_held_and_shows_its_weights(visit):
    code = "a = <b>(f[1])"
    root = visit(f"/beyond?beyond_code={quote(code)}", painted=False).page.locator(".code-brackets")
    expect(root.locator(".sheet")).to_contain_text(code)  # letters, never markup
    expect(root).to_have_attribute("data-threads", "2")
    closing = root.get_by_role("button", name="closing bracket )")
    closing.focus()
    expect(root).to_have_attribute("data-threads", "1")
    expect(root.locator(".finding")).to_contain_text("The model writes “)”")
    expect(root.locator(".partner")).to_have_text("(")
    closing.blur()
    expect(root.locator(".partner")).to_have_count(0)
    expect(root).to_have_attribute("data-threads", "2")
