"""The museum of bugs in a browser: found out by hand and cured; every kind of picture on a phone; by keyboard alone."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from pages.bugs.cases import CASES
from tests.browser.test_look import AUDIT, AXE, HIGHEST_ON_A_PHONE, OPTIONS, TOP, opened, to_phone
from tests.browser.view import WIDE

# One exhibit per kind of picture: a map, curves, a table.
KINDS = (("Plausible nonsense", "Weights"), ("Better than possible", "Loss on words"), ("The wrong drawer", "Look up"))

# Whether two nodes have no point in common.
APART = """([one, other]) => {
  const text = document.createRange();
  text.selectNodeContents(one);
  const [a, b] = [text, other].map((node) => node.getBoundingClientRect());
  return a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
}"""
IS_UNSEEN = "node => node.offsetWidth <= 1"


@pytest.mark.wide
def test_a_bug_is_found_and_cured(visit, server: str):
    page = visit("/bugs", painted=False, reduced_motion="reduce").page
    opened(page, f"{server}/bugs")
    answer = page.locator(".symptom tbody td")
    expect(answer.nth(0)).to_contain_text("who found the ball")
    expect(answer.nth(1)).to_contain_text("ililil")
    sums, hide = page.get_by_role("radio", name="Row sums"), page.get_by_role("radio", name="Hide")
    expect(sums).not_to_be_checked()
    assert hide.evaluate(IS_UNSEEN)
    sums.focus()  # by keyboard, as by hand
    page.keyboard.press("Enter")
    finding = page.get_by_text("17 of 17 rows do not add up to 1.")
    expect(finding).to_be_visible()
    hide.focus()
    page.keyboard.press("Enter")
    expect(finding).to_have_count(0)
    expect(hide).to_be_focused()
    assert not hide.evaluate(IS_UNSEEN), "who has pressed it sees where they are"
    hide.blur()
    assert hide.evaluate(IS_UNSEEN)
    sums.click()
    expect(finding).to_be_visible()
    hide.click()
    expect(finding).to_have_count(0)
    sums.click()
    page.get_by_role("button", name="Compare with a healthy model").click()
    expect(page.get_by_text("All 17 rows add up to 1.")).to_be_visible()
    page.get_by_role("button", name="Back to this code").click()
    expect(page.get_by_text("17 of 17 rows do not add up to 1.")).to_be_visible()
    page.get_by_role("button", name="The softmax divides along the wrong axis").click()
    expect(page.get_by_text("Right.", exact=False).first).to_be_visible()
    expect(answer.nth(1)).to_contain_text("ililil")
    page.get_by_role("button", name="Try it").click()
    expect(page.get_by_text("All 17 rows add up to 1.")).to_be_visible()
    expect(page.get_by_text("softmax(dim=-2)").first).to_be_visible()
    expect(page.get_by_text("softmax(dim=-1)").first).to_be_visible()
    expect(answer.nth(1)).to_contain_text("who found the ball")
    assert "bugs_line=cured" in page.url
    page.get_by_role("combobox", name="Exhibit").click()
    page.get_by_role("option", name="A glimpse ahead").click()
    expect(page.get_by_text("Training went suspiciously well")).to_be_visible()
    expect(answer.nth(3)).to_contain_text("red")
    assert "bugs_line" not in page.url


@pytest.mark.wide
def test_no_clue_covers_what_is_said(visit, server: str):
    """Six buttons take two lines beside the code; without an open clue they stand beside its heading, or above it."""
    page = visit("/bugs", painted=False, reduced_motion="reduce").page
    opened(page, f"{server}/bugs?bugs_exhibit=Suspiciously+small")
    heading, clues = page.locator(".code-lines .finding"), page.locator(".st-key-museum-clues")
    page.locator(".code-lines button").first.click()
    expect(heading).to_contain_text("does its job")
    for width in (1280, 1000):
        page.set_viewport_size({"width": width, "height": 720})
        page.wait_for_function(APART, arg=[heading.element_handle(), clues.element_handle()])
    page.get_by_role("radio", name="Gradients").click()
    finding = page.locator(".st-key-museum-finding")
    expect(finding).to_be_visible()
    for width in (1000, 1280):
        page.set_viewport_size({"width": width, "height": 720})
        page.wait_for_function(APART, arg=[finding.element_handle(), clues.element_handle()])


def test_the_wrong_line_is_pressed_and_flips(visit, server: str):
    page = visit("/bugs", painted=False, reduced_motion="reduce").page
    opened(page, f"{server}/bugs?bugs_instrument=Row+sums")
    code = page.locator(".code-lines")
    expect(code.get_by_role("status")).to_contain_text("One line is wrong")
    code.get_by_role("button", name="transpose(1, 2)").click()
    expect(code.get_by_role("status")).to_have_text("That line does its job. Look again.")
    expect(code.locator("button.tried")).to_be_disabled()
    code.get_by_role("button", name="softmax(dim=-2)").click()
    expect(code.get_by_role("status")).to_have_text("Cured: -2 is now -1. Press the line to break it again.")
    expect(code.locator(".cured mark")).to_have_text(["-2", "-1"])
    healthy, cured = page.locator(".symptom tbody td").all()
    assert healthy.inner_text() == cured.inner_text()
    expect(page.get_by_text("All 17 rows add up to 1.")).to_be_visible()
    code.locator("button.cured").click()
    expect(code.locator("button.faulty")).to_be_visible()
    expect(page.get_by_text("17 of 17 rows do not add up to 1.")).to_be_visible()


@pytest.mark.wide
def test_the_answers_turn_over_only_where_a_line_is_cured(visit, server: str):
    """Two exhibits that ask the same are two; and what has not changed is not built anew."""
    first, second = (case.title for case in CASES.values() if case.exhibit in ("softmax-axis", "mask-after-softmax"))
    page = visit("/bugs", painted=False, reduced_motion="reduce").page
    opened(page, f"{server}/bugs?{urlencode({'bugs_exhibit': first})}")
    table, broken = page.locator(".symptom table"), page.locator(".symptom .broken td")
    expect(broken.locator(".unseen")).to_contain_text("from the healthy model")
    table.evaluate("(table) => table.dataset.same = ''")
    page.get_by_role("radio", name="Row sums").click()
    expect(page.get_by_text("17 of 17 rows do not add up to 1.")).to_be_visible()
    expect(page.locator(".symptom table[data-same]")).to_be_attached()
    page.locator(".code-lines").get_by_role("button", name="softmax(dim=-2)").click()
    expect(page.locator(".symptom table.turned")).to_be_attached()
    expect(broken.locator(".unseen")).to_have_count(0)
    page.get_by_role("combobox", name="Exhibit").click()
    page.get_by_role("option", name=second).click()
    expect(broken.locator(".unseen")).to_have_count(1)
    expect(page.locator(".symptom table.turned")).to_have_count(0)


@pytest.mark.wide
def test_every_kind_of_picture_stands_where_it_should(visit, server: str):
    page = visit("/bugs", painted=False, reduced_motion="reduce").page
    for exhibit, instrument in KINDS[1:]:  # the first is measured with all views
        query = urlencode({"bugs_exhibit": exhibit, "bugs_instrument": instrument, "bugs_line": "cured"})
        opened(page, f"{server}/bugs?{query}")
        page.evaluate(AXE)
        assert page.evaluate(AUDIT, OPTIONS["light"]) == []
        to_phone(page)
        page.wait_for_function(f"() => ({WIDE})() <= 1")
        assert page.evaluate(TOP) <= HIGHEST_ON_A_PHONE
        page.set_viewport_size({"width": 1280, "height": 720})
